/**
 * The issue log: the issue numbers that this process may have used, which survive kill -9. A block of numbers is
 * written, with the money it carries, before its first number is used; which of them were used follows on the next
 * tick. A reader after a crash knows every number that can have reached a screen; of the last block of each campaign it
 * only knows the maximum. The log belongs to one epoch and is written to the page cache: it is trusted only on the boot
 * that wrote it (the header has the boot id), because unsynced data survive only a process crash.
 *
 * Lines, fields separated by spaces, the first one is the type:
 *   H 1 <epoch> <boot id> <node> <process id>                        header, format 1
 *   B <campaign> <first> <count> <micros>                            block; ends the campaign's block before it
 *   U <campaign> <number> <screen> <slot ms> <micros> <plan>         number used; plan is 1 for an offline plan, else 0
 *   R <campaign> <micros>                                            given back to the authority: nothing of it is held
 * A line without its line end is the last one, cut by the crash, and was not acted on.
 */
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readHandle, type Handle } from '#domain/id.ts';
import type { PlayFacts } from '#domain/plays/play.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import type { Block } from '../decision/reservations.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** Used numbers wait for the next tick at most; this many are written at once. */
export const WAITING_MAX = 512;
/** The number of used numbers that fit in one write with a block after them. */
const PENDING_BYTES_MAX = 64 * 1024;
/** A letter, a line end, and at most six integers of at most 16 digits, each with a space before it. */
const LINE_BYTES_MAX = 2 + 6 * 17;
/** A log of an hour may hold a hundred megabytes: it is read in pieces. */
const READ_BYTES = 1024 * 1024;

/** The fields of a play in the log: facts of its id, and its reservation. */
export type UsedNumber = Pick<PlayFacts, 'campaign' | 'issueNumber' | 'screen' | 'startsAt' | 'plan'> & {
  micros: Micros;
};

/** Numbers used under the current epoch, until the log has them. */
export type UsedNumbers = {
  /** The number of entries that were not handed over. */
  readonly waiting: number;
  /** Hands over the numbers used since the last call, in order. The object is valid until the next one. */
  takeUsed(each: (used: UsedNumber) => void): void;
};

/** A block under the campaign's handle: indexes mean nothing to a later reader of the log. */
type NamedBlock = Omit<Block, 'campaign'> & { campaign: Handle<'campaign'> };

export type IssueLog = {
  path: string;
  /** False once a write has failed: this log accepts nothing more. */
  readonly isWritable: boolean;
  /** Writes a block before its use; false if it could not be written. */
  openBlock(block: NamedBlock): boolean;
  /** Its epoch begins: `numbers` has the numbers used from now on. */
  follow(numbers: UsedNumbers): void;
  /** A number was used: it is written on the next tick. */
  used(): void;
  /** Writes the numbers used so far. */
  write(): void;
  /** Notes that a campaign's unissued rest goes back to the authority. Written at once. */
  returned(campaign: Handle<'campaign'>, micros: Micros): void;
  /** Ends the log; nothing can be written afterwards. */
  close(): void;
  /** Deletes the file: its epoch is settled. */
  remove(): void;
};

/** The path of the logs of a node: `<folder>/<node>/<epoch>.log`. */
export function issueLogFolder({ folder, node }: { folder: string; node: string }): string {
  return join(folder, node);
}

export type IssueLogOptions = { folder: string; node: string; epoch: number; bootId: string; log: Log };

/**
 * Opens the log of a new epoch.
 * @throws Fault `issue_log_unwritable` when the folder or the file cannot be written.
 */
export function openIssueLog({ folder, node, epoch, bootId, log }: IssueLogOptions): IssueLog {
  const directory = issueLogFolder({ folder, node });
  const path = join(directory, `${epoch}.log`);
  const file = createFile(path, { folder: directory, header: `H 1 ${epoch} ${bootId} ${node} ${process.pid}\n` });
  const lines = new Lines(file, error => {
    log.error({ err: error, path }, 'the issue log cannot be written; no ads are issued until another can be');
  });
  let numbers: UsedNumbers | undefined;
  let scheduled = false;

  const spell = (used: UsedNumber): void => lines.used(used);
  // Used numbers are in one write with the next block or return, and always before it.
  const spellWaiting = (): void => numbers?.takeUsed(spell);
  const write = (): void => {
    spellWaiting();
    lines.write();
  };
  const writeOnTick = (): void => {
    scheduled = false;
    write();
  };
  return {
    path,
    get isWritable() {
      return !lines.isOver;
    },
    follow(used) {
      numbers = used;
    },
    openBlock(block) {
      spellWaiting();
      lines.block(block);
      return lines.write();
    },
    used() {
      if (numbers !== undefined && numbers.waiting >= WAITING_MAX) return write();
      if (scheduled) return;
      scheduled = true;
      setImmediate(writeOnTick);
    },
    write,
    returned(campaign, micros) {
      spellWaiting();
      lines.returned(campaign, micros);
      lines.write();
    },
    close() {
      write();
      numbers = undefined;
      lines.isOver = true;
      closeSync(file);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/**
 * Lines that wait for the next write. They are written byte by byte, without a string, because every fill passes here.
 */
class Lines {
  /** Nothing can be written any more. */
  isOver = false;
  readonly #file: number;
  readonly #onFault: (error: unknown) => void;
  readonly #bytes = Buffer.allocUnsafeSlow(PENDING_BYTES_MAX);
  #end = 0;

  constructor(file: number, onFault: (error: unknown) => void) {
    this.#file = file;
    this.#onFault = onFault;
  }

  block(block: NamedBlock): void {
    this.#makeRoom();
    this.#end = spellBlock(this.#bytes, this.#end, block);
  }

  used(used: UsedNumber): void {
    this.#makeRoom();
    this.#end = spellUsed(this.#bytes, this.#end, used);
  }

  returned(campaign: Handle<'campaign'>, micros: Micros): void {
    this.#makeRoom();
    this.#end = spellReturned(this.#bytes, this.#end, campaign, micros);
  }

  /** False when they could not be written; then they are forgotten. */
  write(): boolean {
    const waiting = this.#bytes.subarray(0, this.#end);
    this.#end = 0;
    if (this.isOver) return false;
    if (waiting.length === 0) return true;
    try {
      writeWhole(this.#file, waiting);
      return true;
    } catch (error) {
      // A reader stops at an incomplete line: the log ends here, and nothing more is issued.
      this.isOver = true;
      this.#onFault(error);
      return false;
    }
  }

  #makeRoom(): void {
    if (this.#end + LINE_BYTES_MAX > PENDING_BYTES_MAX) this.write();
  }
}

function createFile(path: string, { folder, header }: { folder: string; header: string }): number {
  let file: number | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    file = openSync(path, 'ax', 0o600); // an epoch is given once: a log that exists is a bug
    writeWhole(file, Buffer.from(header, 'latin1'));
    return file;
  } catch (error) {
    if (file !== undefined) {
      closeSync(file);
      rmSync(path); // nothing was issued under it
    }
    throw new Fault('issue_log_unwritable', `the issue log ${path} cannot be written`, {
      retryable: false,
      cause: error,
    });
  }
}

/** A write may be short on a full disk; the retry for the rest then fails with the reason. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

const [LETTER_B, LETTER_R, LETTER_U, SPACE, LINE_END, ZERO] = [0x42, 0x52, 0x55, 0x20, 0x0a, 0x30];

/** Writes a `B` line at `at`; returns its end. */
function spellBlock(bytes: Uint8Array, at: number, { campaign, first, count, micros }: NamedBlock): number {
  bytes[at] = LETTER_B;
  let end = spellInteger(bytes, at + 1, campaign);
  end = spellInteger(bytes, end, first);
  end = spellInteger(bytes, end, count);
  end = spellInteger(bytes, end, micros);
  bytes[end] = LINE_END;
  return end + 1;
}

/** The same for an `R` line. */
function spellReturned(bytes: Uint8Array, at: number, campaign: Handle<'campaign'>, micros: Micros): number {
  bytes[at] = LETTER_R;
  const end = spellInteger(bytes, spellInteger(bytes, at + 1, campaign), micros);
  bytes[end] = LINE_END;
  return end + 1;
}

/** The same for a `U` line. */
function spellUsed(bytes: Uint8Array, at: number, used: UsedNumber): number {
  bytes[at] = LETTER_U;
  let end = spellInteger(bytes, at + 1, used.campaign);
  end = spellInteger(bytes, end, used.issueNumber);
  end = spellInteger(bytes, end, used.screen);
  end = spellInteger(bytes, end, used.startsAt);
  end = spellInteger(bytes, end, used.micros);
  end = spellInteger(bytes, end, used.plan ? 1 : 0);
  bytes[end] = LINE_END;
  return end + 1;
}

/** Within 32 bits, where arithmetic is cheap. */
const PART = 100_000_000;
const PART_DIGITS = 8;

/** Writes a space and an integer from 0 to 2^53, in two parts of at most eight digits. */
function spellInteger(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = SPACE;
  if (value < PART) return spellDigits(bytes, at + 1, value, digitsOf(value));
  const high = Math.floor(value / PART);
  const end = spellDigits(bytes, at + 1, high, digitsOf(high));
  return spellDigits(bytes, end, value - high * PART, PART_DIGITS);
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  return digits;
}

function spellDigits(bytes: Uint8Array, at: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let place = at + digits - 1; place >= at; place--) {
    const next = (rest / 10) | 0;
    bytes[place] = ZERO + rest - next * 10;
    rest = next;
  }
  return at + digits;
}

export type IssueRecord =
  | { kind: 'block'; campaign: Handle<'campaign'>; first: number; count: number; micros: Micros }
  | {
      kind: 'used';
      campaign: Handle<'campaign'>;
      number: number;
      screen: Handle<'screen'>;
      slotAtMs: Milliseconds;
      micros: Micros;
      plan: boolean;
    }
  | { kind: 'returned'; campaign: Handle<'campaign'>; micros: Micros };
export type IssueHeader = { epoch: number; bootId: string; node: string; processId: number };

/** Reads the header of a log; undefined if it is incomplete. */
export function readIssueHeader(path: string): IssueHeader | undefined {
  for (const line of linesOf(path)) {
    const [kind, format, epoch, bootId, node, processId] = line.split(' ');
    if (kind !== 'H' || format !== '1' || bootId === undefined || node === undefined || processId === undefined)
      return undefined;
    return { epoch: Number(epoch), bootId, node, processId: Number(processId) };
  }
  return undefined;
}

/**
 * Reads the lines after the header, piece by piece. A truncated last line is skipped. @throws Fault `issue_log_damaged`
 */
export function* readIssueRecords(path: string): Generator<IssueRecord> {
  let isHeader = true;
  for (const line of linesOf(path)) {
    if (!isHeader) yield readRecord(line);
    isHeader = false;
  }
}

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(READ_BYTES);
    let rest = '';
    for (let length = readSync(file, bytes); length > 0; length = readSync(file, bytes)) {
      const lines = (rest + bytes.toString('latin1', 0, length)).split('\n');
      rest = lines.pop()!; // what follows the last line end so far
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}

function readRecord(line: string): IssueRecord {
  const [kind, ...fields] = line.split(' ');
  const numbers = fields.map(Number);
  const [first, second, third, fourth, fifth, sixth] = numbers as [number, number, number, number, number, number];
  const campaign = readHandle('campaign', first);
  if (numbers.some(Number.isNaN)) throw damaged(kind);
  if (kind === 'B' && numbers.length === 4)
    return { kind: 'block', campaign, first: second, count: third, micros: fourth };
  if (kind === 'U' && numbers.length === 6)
    return {
      kind: 'used',
      campaign,
      number: second,
      screen: readHandle('screen', third),
      slotAtMs: fourth,
      micros: fifth,
      plan: sixth === 1,
    };
  if (kind === 'R' && numbers.length === 2) return { kind: 'returned', campaign, micros: second };
  throw damaged(kind);
}

function damaged(kind: string | undefined): Fault {
  return new Fault('issue_log_damaged', `the issue log holds a line that starts with '${kind}' and says nothing`, {
    retryable: false,
  });
}
