/**
 * The file in which a process notes what it may issue before it does so: what was written is read back after a crash,
 * also when the last line is cut, and a log that cannot be written any more gives nothing out. Real files in a
 * temporary folder.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBootId } from '#runtime/boot.ts';
import { createLog } from '#runtime/log.ts';
import { type IssueLog, openIssueLog, readIssueHeader, readIssueRecords } from '../../../delivery/money/issue-log.ts';
import { RECORD_BYTES } from '#domain/plays/decision-record.ts';
import { DecisionRows, RECORDS_MAX } from '../../../delivery/recording/decision-rows.ts';
import { handle } from '../../support/handle.ts';
import { useNumber } from './use-number.ts';

const log = createLog('test', 'silent');
const USED = {
  campaign: handle('campaign', 7),
  number: 1,
  screen: handle('screen', 9),
  slotAtMs: 1_800_000_000_000,
  micros: 50,
  plan: false,
};
let folder: string;
let rows: DecisionRows;

beforeEach(() => {
  rows = new DecisionRows();
  folder = mkdtempSync(join(tmpdir(), 'marquee-issue-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const unused = (epoch: number): IssueLog => openIssueLog({ folder, node: 'node-1', epoch, bootId: 'boot', log });

/** The log of the epoch under which numbers are used. */
function open(epoch = 3): IssueLog {
  const issueLog = unused(epoch);
  issueLog.follow(rows);
  return issueLog;
}

/** Notes a used number, named as the log is read. */
function use(issueLog: IssueLog, { number, slotAtMs, micros, ...play }: typeof USED): void {
  useNumber(rows, issueLog, { ...play, issueNumber: number, startsAt: slotAtMs, micros });
}

describe('the issue log', () => {
  test('names its owner, and reads back what was written', async () => {
    const issueLog = open();
    expect(issueLog.path).toBe(join(folder, 'node-1', '3.log'));
    expect(issueLog.openBlock({ campaign: handle('campaign', 7), first: 1, count: 16, micros: 800 })).toBe(true);
    use(issueLog, USED);
    use(issueLog, { ...USED, number: 2, plan: true });
    await tick();
    issueLog.returned(handle('campaign', 7), 750);
    issueLog.close();
    expect(readIssueHeader(issueLog.path)).toEqual({
      epoch: 3,
      bootId: 'boot',
      node: 'node-1',
      processId: process.pid,
    });
    expect([...readIssueRecords(issueLog.path)]).toEqual([
      { kind: 'block', campaign: 7, first: 1, count: 16, micros: 800 },
      { kind: 'used', ...USED },
      { kind: 'used', ...USED, number: 2, plan: true },
      { kind: 'returned', campaign: 7, micros: 750 },
    ]);
  });

  test('has a block on file when the call returns, before its first use', () => {
    const issueLog = open();
    issueLog.openBlock({ campaign: handle('campaign', 7), first: 1, count: 16, micros: 800 });
    expect(readFileSync(issueLog.path, 'latin1')).toContain('B 7 1 16 800\n');
    issueLog.close();
  });

  test('has used numbers on file by the next tick and before the next block', async () => {
    const issueLog = open();
    issueLog.openBlock({ campaign: handle('campaign', 7), first: 1, count: 1, micros: 50 });
    use(issueLog, USED);
    expect([...readIssueRecords(issueLog.path)]).toHaveLength(1);
    issueLog.openBlock({ campaign: handle('campaign', 7), first: 2, count: 1, micros: 50 });
    expect([...readIssueRecords(issueLog.path)].map(record => record.kind)).toEqual(['block', 'used', 'block']);
    use(issueLog, { ...USED, number: 2 });
    await tick();
    expect([...readIssueRecords(issueLog.path)].at(-1)).toEqual({ kind: 'used', ...USED, number: 2 });
    issueLog.close();
  });

  test('keeps blocks, returns and used numbers of any size in their order', () => {
    const issueLog = open();
    const campaign = handle('campaign', 2 ** 53 - 1);
    const used = Array.from({ length: 2_000 }, (_, index) => ({ ...USED, number: index + 1 }));
    for (const each of used) use(issueLog, each);
    issueLog.openBlock({ campaign, first: 2 ** 31, count: 16, micros: 2 ** 53 - 1 });
    for (const each of used) use(issueLog, each);
    issueLog.returned(campaign, 0);
    expect([...readIssueRecords(issueLog.path)]).toEqual([
      ...used.map(each => ({ kind: 'used', ...each })),
      { kind: 'block', campaign, first: 2 ** 31, count: 16, micros: 2 ** 53 - 1 },
      ...used.map(each => ({ kind: 'used', ...each })),
      { kind: 'returned', campaign, micros: 0 },
    ]);
    issueLog.close();
  });

  test('reads back every integer up to 2^53, even with thousands in one tick', () => {
    const issueLog = open();
    const edges = [0, 1, 9, 10, 99_999_999, 100_000_000, 100_000_001, 999_999_999_999, 2 ** 31, 2 ** 32, 2 ** 53 - 1];
    const entries = Array.from({ length: 5_000 }, (_, index) => {
      const value = (step: number): number => edges[(index * step) % edges.length]!;
      return {
        campaign: handle('campaign', value(1)),
        number: index + 1,
        screen: handle('screen', value(3)),
        slotAtMs: value(5),
        micros: value(7),
        plan: index % 2 === 1,
      };
    });
    for (const entry of entries) use(issueLog, entry);
    issueLog.close();
    expect([...readIssueRecords(issueLog.path)]).toEqual(entries.map(entry => ({ kind: 'used', ...entry })));
  });

  test('of a later epoch takes no numbers of this one, even if it ends earlier', async () => {
    const issueLog = open();
    const next = unused(4);
    use(issueLog, USED);
    next.close();
    await tick();
    use(issueLog, { ...USED, number: 2 });
    issueLog.close();
    expect([...readIssueRecords(next.path)]).toEqual([]);
    expect([...readIssueRecords(issueLog.path)]).toEqual([
      { kind: 'used', ...USED },
      { kind: 'used', ...USED, number: 2 },
    ]);
  });

  test('has every number even without room for records, and as many records as there was room for', () => {
    const issueLog = open();
    const NUMBERS = RECORDS_MAX * 2;
    for (let number = 1; number <= NUMBERS; number++) use(issueLog, { ...USED, number });
    issueLog.close();
    expect([...readIssueRecords(issueLog.path)].map(record => (record as typeof USED).number)).toEqual(
      Array.from({ length: NUMBERS }, (_, at) => at + 1),
    );
    expect(rows.length).toBe(RECORDS_MAX);
    expect(rows.bytes(0, NUMBERS)).toHaveLength(RECORDS_MAX * RECORD_BYTES);
  });

  test('is read up to a last line that was cut by a crash', () => {
    const issueLog = open();
    issueLog.openBlock({ campaign: handle('campaign', 7), first: 1, count: 1, micros: 50 });
    issueLog.close();
    appendFileSync(issueLog.path, 'U 7 1 9 18000');
    expect([...readIssueRecords(issueLog.path)]).toHaveLength(1);
  });

  test.each(['', 'H 1 3', 'H 2 3 boot node-1 9\n', 'H 1 3 boot node-1\n', 'nonsense\n'])(
    'with the header %j is ignored',
    text => {
      const path = join(folder, 'bad.log');
      writeFileSync(path, text);
      expect(readIssueHeader(path)).toBeUndefined();
    },
  );

  test('of a used epoch is refused, and so is an unwritable folder', () => {
    open().close();
    expect(() => open()).toThrow('cannot be written');
    writeFileSync(join(folder, 'file'), '');
    expect(() => openIssueLog({ folder: join(folder, 'file'), node: 'n', epoch: 1, bootId: 'b', log })).toThrow(
      'cannot be written',
    );
  });

  test('gives no block once it cannot be written', () => {
    const issueLog = open();
    issueLog.close(); // stands for a disk that is gone: the file is closed below the log
    expect(issueLog.openBlock({ campaign: handle('campaign', 7), first: 1, count: 1, micros: 50 })).toBe(false);
  });

  test('knows the boot', () => {
    expect(readBootId()).toMatch(/^[0-9a-f-]{36}$|^started-\d+$/);
    expect(readBootId()).toBe(readBootId());
  });
});
