/**
 * Scans are sent to ingest in batches, and none is lost while Redis is down or when the process is killed. The batches
 * are written to a real folder; a queue of the test replaces Redis, so that it can be down.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStoredScans } from '../../../api/scans/stored-scans.ts';
import { createScanBatches } from '../../../api/scans/scan-batches.ts';
import type { Batch, ScanEvent } from '../../../ingest/queue/batch.ts';
import type { PlayQueue } from '../../../ingest/queue/play-queue.ts';
import { createLog } from '../../../runtime/log.ts';
import { handle } from '../../support/handle.ts';
import { standIn } from '../../support/stand-in.ts';

/**
 * A queue as Redis is: down until it is back, and a batch that it knows is not added again. While it is silent it never
 * answers, so its callers can do nothing more.
 */
function queue({ isAway = false } = {}) {
  const calls: Batch[] = [];
  const stored = new Map<string, string[]>();
  const state = { isAway, isSilent: false, calls, stored, scans: () => [...stored.values()].flat() };
  const add = async (batch: Batch) => {
    calls.push({ ...batch, scans: [...batch.scans] });
    if (state.isSilent) return new Promise<never>(() => undefined);
    if (state.isAway) throw new Error('Redis is away');
    if (!stored.has(batch.id))
      stored.set(
        batch.id,
        batch.scans.map(({ scanId }) => scanId),
      );
    return { addedAt: 0 };
  };
  return { ...state, state, playQueue: standIn<PlayQueue>({ add }) };
}

const scan = (number: number): ScanEvent => ({
  scanId: `scan_${number}`,
  campaign: handle('campaign', 1),
  creative: handle('creative', 2),
  screen: handle('screen', 3),
  venue: handle('venue', 4),
  slotAt: 0,
  scannedAt: 0,
  daypart: 'night',
  sandbox: false,
});
const names = (count: number) => Array.from({ length: count }, (_, number) => `scan_${number}`);
const log = createLog('api', 'silent');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-scans-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('scans on their way to ingest', () => {
  test('that arrive together form one batch, with nothing on disk', async () => {
    const { playQueue, calls } = queue();
    const batches = createScanBatches({ playQueue, log, folder });
    for (let number = 0; number < 30; number += 1) batches.add(scan(number));
    await expect.poll(() => calls.length, { interval: 10 }).toBe(1);
    expect(calls[0]!.scans.map(({ scanId }) => scanId)).toEqual(names(30));
    expect(readdirSync(folder)).toEqual([]);
    await batches.close();
  });

  test('are all on disk while Redis is down, and follow once and in order when it is back', async () => {
    const { playQueue, calls, state } = queue({ isAway: true });
    const batches = createScanBatches({ playQueue, log, folder });
    batches.add(scan(0));
    await expect.poll(() => calls.length, { interval: 10 }).toBe(1);
    for (let number = 1; number < 1_200; number += 1) expect(batches.add(scan(number))).toBe(true);
    const kept = openStoredScans(folder);
    expect(
      kept
        .ids()
        .flatMap(id => kept.read(id)!.scans.map(({ scanId }) => scanId))
        .sort(),
    ).toEqual(names(1_200).sort());
    await expect.poll(() => calls.length, { timeout: 5_000, interval: 10 }).toBeGreaterThan(2);
    expect(new Set(calls.map(({ id, scans }) => `${id} ${scans.length}`)).size).toBe(1); // the same batch, unchanged
    state.isAway = false;
    await expect.poll(() => state.scans().length, { timeout: 5_000, interval: 10 }).toBe(1_200);
    expect(state.scans()).toEqual(names(1_200));
    expect(Math.max(...calls.map(({ scans }) => scans.length))).toBeLessThanOrEqual(500);
    expect(readdirSync(folder)).toEqual([]);
    batches.add(scan(1_200));
    await expect.poll(() => state.scans().length, { interval: 10 }).toBe(1_201);
    expect(readdirSync(folder)).toEqual([]);
    await batches.close();
  });

  test('left on disk by a killed process are sent by the next one, without the unfinished line', async () => {
    const before = queue({ isAway: true });
    const killed = createScanBatches({ playQueue: before.playQueue, log, folder });
    killed.add(scan(0));
    await expect.poll(() => before.calls.length, { interval: 10 }).toBe(1);
    for (let number = 1; number < 10; number += 1) killed.add(scan(number));
    before.state.isSilent = true;
    await expect.poll(() => before.calls.length, { interval: 10 }).toBe(2); // its last call: it is killed meanwhile
    const files = readdirSync(folder);
    expect(files).toHaveLength(2);
    appendFileSync(
      join(
        folder,
        files.find(name => !name.startsWith(before.calls[0]!.id + '.'))!,
      ),
      '{"scanId":"scan_cut',
    );
    const after = queue();
    const next = createScanBatches({ playQueue: after.playQueue, log, folder });
    await expect.poll(() => after.state.scans().sort(), { timeout: 5_000, interval: 10 }).toEqual(names(10).sort());
    expect(after.calls.map(({ id }) => id)).toContain(before.calls[0]!.id);
    expect(readdirSync(folder)).toEqual([]);
    await next.close();
  });

  test('wait while the disk cannot be read, and the service continues', async () => {
    const { playQueue, calls, state } = queue({ isAway: true });
    const batches = createScanBatches({ playQueue, log, folder });
    batches.add(scan(0));
    await expect.poll(() => readdirSync(folder).length, { interval: 10 }).toBe(1);
    const file = join(folder, readdirSync(folder)[0]!);
    renameSync(file, `${file}.away`);
    mkdirSync(file); // it is there and cannot be read
    const callsBefore = calls.length;
    state.isAway = false;
    batches.add(scan(1));
    await expect.poll(() => readdirSync(folder).length, { interval: 10 }).toBe(3); // and its own file for this one
    await batches.close(); // tries once more, and ends
    expect(calls).toHaveLength(callsBefore);
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    const next = createScanBatches({ playQueue, log, folder });
    await expect.poll(() => state.scans().sort(), { timeout: 5_000, interval: 10 }).toEqual(names(2));
    await next.close();
  });

  test('sent by another process meanwhile are not sent again', async () => {
    const { playQueue, calls, state } = queue({ isAway: true });
    const batches = createScanBatches({ playQueue, log, folder });
    batches.add(scan(0));
    await expect.poll(() => readdirSync(folder).length, { interval: 10 }).toBe(1);
    const other = queue();
    const taker = createScanBatches({ playQueue: other.playQueue, log, folder });
    await expect.poll(() => other.state.scans(), { interval: 10 }).toEqual(names(1));
    await taker.close();
    const callsBefore = calls.length;
    state.isAway = false;
    await batches.close();
    expect(calls).toHaveLength(callsBefore);
  });

  test('still pending are added when the service closes, or stay on disk if Redis does not accept them', async () => {
    const there = queue();
    const first = createScanBatches({ playQueue: there.playQueue, log, folder });
    first.add(scan(0));
    await first.close();
    expect(there.state.scans()).toEqual(['scan_0']);
    const away = queue({ isAway: true });
    const second = createScanBatches({ playQueue: away.playQueue, log, folder });
    second.add(scan(1));
    await second.close();
    const kept = openStoredScans(folder);
    expect(kept.ids().flatMap(id => kept.read(id)!.scans.map(({ scanId }) => scanId))).toEqual(['scan_1']);
  });
});
