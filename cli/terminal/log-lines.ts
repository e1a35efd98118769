/**
 * The log of services as a person reads it: one short line for each entry of at least the severity `level`. An entry
 * that repeats within half a minute is not shown again, since a service tries again every second. The whole log is in a
 * file.
 */
import type { Milliseconds } from '#domain/unit.ts';
import pino from 'pino';
import { dim, red, yellow } from './style.ts';

const AGAIN_MS = 30_000;
/**
 * How many entries are remembered. Services have some hundred messages; lines of another format may differ each time.
 */
const REMEMBERED_MAX = 500;
const LENGTH_MAX = 200;

type Entry = {
  level: number;
  time?: string;
  service?: string;
  msg?: string;
  err?: { message?: string; code?: string };
  error?: string;
};

export class LogLines {
  readonly #levelMin: number;
  readonly #nowMs: () => Milliseconds;
  readonly #shownAt = new Map<string, number>();

  /** @param level a name of pino's, as LOG_LEVEL; nothing is shown for `silent` */
  constructor(level: string, nowMs: () => Milliseconds = () => performance.now()) {
    this.#levelMin = level === 'silent' ? Infinity : (pino.levels.values[level] ?? pino.levels.values['warn']!);
    this.#nowMs = nowMs;
  }

  /** The shown part of a line; undefined for nothing. */
  read(line: string): string | undefined {
    const entry = parse(line);
    if (entry.level < this.#levelMin || this.#wasShown(`${entry.service} ${entry.msg}`)) return undefined;
    const what = [entry.msg, entry.err?.message || entry.err?.code].filter(Boolean).join(': ').replaceAll(/\s+/g, ' ');
    const gravity =
      entry.level >= pino.levels.values['error']!
        ? red('error')
        : entry.level >= pino.levels.values['warn']!
          ? yellow('warning')
          : dim('info');
    return `${dim(timeOf(entry))} ${gravity} ${entry.service ?? ''}${entry.service === undefined ? '' : ': '}${what.length > LENGTH_MAX ? `${what.slice(0, LENGTH_MAX)} ...` : what}`;
  }

  #wasShown(what: string): boolean {
    const now = this.#nowMs();
    const before = this.#shownAt.get(what);
    if (before !== undefined && now - before < AGAIN_MS) return true;
    if (this.#shownAt.size >= REMEMBERED_MAX) this.#shownAt.clear();
    this.#shownAt.set(what, now);
    return false;
  }
}

/** A line that is not JSON was written by Node itself; it counts as a warning. */
function parse(line: string): Entry {
  try {
    const entry = JSON.parse(line) as Entry;
    if (typeof entry.level === 'number') return entry;
  } catch {
    // not JSON
  }
  return { level: pino.levels.values['warn']!, msg: line };
}

function timeOf({ time }: Entry): string {
  return (time === undefined ? new Date() : new Date(time)).toTimeString().slice(0, 8);
}
