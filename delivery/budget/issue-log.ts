/**
 * The issue log: which issue numbers this process may have used, kept where kill -9 does not reach. A block of numbers is
 * written, with the money it carries, before its first number is used; which of them were used follows on the next tick.
 * A reader after a crash knows every number that can have reached a screen, and of the last block of each campaign only
 * that it is at most spent. The log is of one epoch, written to the page cache: it is believed only on the boot that
 * wrote it (the header carries the boot id), because only a process crash keeps what was not synced.
 *
 * Lines, fields separated by spaces, the first says what it is:
 *   H 1 <epoch> <boot id> <node>                                     header, format 1
 *   B <campaign> <first> <count> <micros>                            block; ends the campaign's block before it
 *   U <campaign> <number> <screen> <slot ms> <micros>                number used
 *   R <campaign> <micros>                                            given back to the authority: nothing of it is held
 * A line without its line end is the last one, cut by the crash, and was not acted on.
 */
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import type { Block } from './reservations.ts';

/** Used numbers wait for the next tick at most; a burst of more than this is written at once. */
const PENDING_LINES_MAX = 1_024;

type UsedNumber = { campaign: number; number: number; screen: number; slotAtMs: number; micros: number };

export type IssueLog = {
  path: string;
  /** Writes a block before it is used; false when it could not be written. `campaign` is a handle here and below. */
  openBlock(block: Block): boolean;
  /** Notes a used number; it is written on the next tick. */
  used(entry: UsedNumber): void;
  /** Notes that a campaign's unissued rest goes back to the authority. Written at once. */
  returned(campaign: number, micros: number): void;
  close(): void;
};

/** What tells one boot of this machine from another. Where the kernel has no id of it, the minute of the start. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // No /proc (macOS): the start of the machine, rounded to the minute because uptime and the clock are read apart.
    return `started-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}

/**
 * Opens the log of a new epoch in `<folder>/<node>/<epoch>.log`.
 * @throws Fault `issue_log_unwritable` when the folder or the file cannot be written.
 */
export function openIssueLog({ folder, node, epoch, bootId, log }: { folder: string; node: string; epoch: number; bootId: string; log: Log }): IssueLog {
  const path = join(folder, node, `${epoch}.log`);
  const file = createFile(path, { folder: join(folder, node), header: `H 1 ${epoch} ${bootId} ${node}\n` });
  let pending: string[] = [];
  let scheduled = false;
  let broken = false;

  const write = (lines: string): boolean => {
    if (broken) return false;
    try {
      writeWhole(file, lines);
      return true;
    } catch (error) {
      // After a part of a line nothing behind it could be read: this log ends here, and with it all issuing.
      broken = true;
      log.error({ err: error, path }, 'the issue log cannot be written; no more ads are issued');
      return false;
    }
  };
  const flush = (): void => {
    scheduled = false;
    if (pending.length === 0) return;
    const lines = pending.join('');
    pending = [];
    write(lines);
  };
  return {
    path,
    openBlock({ campaign, first, count, micros }) {
      flush();
      return write(`B ${campaign} ${first} ${count} ${micros}\n`);
    },
    used({ campaign, number, screen, slotAtMs, micros }) {
      pending.push(`U ${campaign} ${number} ${screen} ${slotAtMs} ${micros}\n`);
      if (pending.length >= PENDING_LINES_MAX) return flush();
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
    returned(campaign, micros) {
      flush();
      write(`R ${campaign} ${micros}\n`);
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

function createFile(path: string, { folder, header }: { folder: string; header: string }): number {
  try {
    mkdirSync(folder, { recursive: true });
    const file = openSync(path, 'ax'); // an epoch is given once: a log that exists is a bug
    writeWhole(file, header);
    return file;
  } catch (error) {
    throw new Fault('issue_log_unwritable', `the issue log ${path} cannot be written`, { retryable: false, cause: error });
  }
}

/** A write may be short on a full disk; the rest is tried again, which then fails with the reason. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

type IssueRecord =
  | { kind: 'block'; campaign: number; first: number; count: number; micros: number }
  | { kind: 'used'; campaign: number; number: number; screen: number; slotAtMs: number; micros: number }
  | { kind: 'returned'; campaign: number; micros: number };
export type IssueHistory = { epoch: number; bootId: string; node: string; records: IssueRecord[] };

/** Reads a log back; undefined when its header is not whole. A cut last line is left out. */
export function readIssueLog(path: string): IssueHistory | undefined {
  const lines = readFileSync(path, 'latin1').split('\n');
  lines.pop(); // what follows the last line end: nothing, or a cut line
  const [kind, format, epoch, bootId, node] = (lines.shift() ?? '').split(' ');
  if (kind !== 'H' || format !== '1' || bootId === undefined || node === undefined) return undefined;
  return { epoch: Number(epoch), bootId, node, records: lines.map(readRecord) };
}

function readRecord(line: string): IssueRecord {
  const [kind, ...fields] = line.split(' ');
  const [campaign, second, third, fourth, fifth] = fields.map(Number) as [number, number, number, number, number];
  if (kind === 'B') return { kind: 'block', campaign, first: second, count: third, micros: fourth };
  if (kind === 'U') return { kind: 'used', campaign, number: second, screen: third, slotAtMs: fourth, micros: fifth };
  if (kind === 'R') return { kind: 'returned', campaign, micros: second };
  throw new Fault('issue_log_damaged', `the issue log holds a line that starts with '${kind}'`, { retryable: false });
}
