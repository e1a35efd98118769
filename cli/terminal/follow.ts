/**
 * How a person follows an instance on a terminal: the steps of its start, restarts, and the serious lines of the
 * services' log.
 */
import { join, relative, resolve } from 'node:path';
import { LOG_LEVELS } from '#runtime/log.ts';
import { UsageError } from '../arguments.ts';
import type { InstanceOptions, StartPart } from '../instance/instance.ts';
import { dim, yellow } from './style.ts';
import { LogFile } from './log-file.ts';
import { LogLines } from './log-lines.ts';
import type { Terminal } from './terminal.ts';

/** Whether a person reads what a command prints; a program gets JSON lines. */
export function isForPerson({ json }: { json: boolean }): boolean {
  return !json && process.stdout.isTTY;
}

const LOG_NAME = 'services.log';

const ENGINES = { DATABASE_URL: 'Postgres', REDIS_URL: 'Redis', CLICKHOUSE_URL: 'ClickHouse' } as const;

const STEPS: Record<StartPart, () => string> = {
  engines() {
    const own = Object.entries(ENGINES).flatMap(([url, name]) => (process.env[url] ? [] : [name]));
    return own.length === 0 ? 'Using the engines given by URL' : `Starting ${inWords(own)}`;
  },
  schemas: () => 'Bringing the schemas up to date',
  backup: () => 'Bringing in the backup',
  services: () => 'Starting api, delivery, ingest and workers',
};

/** The path of the log, as a person in this folder would write it. */
export function logPathOf(dataDir: string): string {
  const path = join(resolve(dataDir), LOG_NAME);
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}

type FollowOptions = { dataDir: string; logged: string; shown: string };

/**
 * Shows an instance to a person: its start step by step, restarts, and the serious lines of the services' log. The
 * whole log is in a file. LOG_LEVEL says which lines are written and shown; without it, `logged` and `shown` do.
 */
export function follow(
  terminal: Terminal,
  { dataDir, logged, shown }: FollowOptions,
): Pick<InstanceOptions, 'logLevel' | 'onPart' | 'onRestart' | 'onLine'> {
  const level = process.env['LOG_LEVEL'] || undefined;
  if (level !== undefined && !LOG_LEVELS.some(known => known === level))
    throw new UsageError(`LOG_LEVEL is one of ${LOG_LEVELS.join(', ')}, not '${level}'`);
  const file = new LogFile(join(resolve(dataDir), LOG_NAME));
  const lines = new LogLines(level ?? shown);
  return {
    logLevel: level ?? logged,
    onPart: part => terminal.begin(STEPS[part]()),
    onRestart: (service, pid) =>
      terminal.note(
        `${dim(new Date().toTimeString().slice(0, 8))} ${yellow('warning')} ${service} ended and runs again (process ${pid})`,
      ),
    onLine(line) {
      file.write(line);
      const sentence = lines.read(line);
      if (sentence !== undefined) terminal.note(sentence);
    },
  };
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
