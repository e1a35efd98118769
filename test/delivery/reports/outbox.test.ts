/**
 * Reports on their way from a delivery process to ingest: they are joined into batches, tried again until they are
 * stored, and kept until they are complete. The outbox runs against a queue that fails and forgets on command; the real
 * one is used by the tests over sockets.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Batch, PlayReport } from '#ingest/queue/batch.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import { createLog } from '#runtime/log.ts';
import { Outbox } from '../../../delivery/reports/outbox.ts';
import { handle } from '../../support/handle.ts';

class ScriptedPlayQueue implements PlayQueue {
  readonly added: Batch[] = [];
  failures = 0;
  streams = 1;
  streamOf = (screen: number): number => screen % this.streams;
  batchId = (name: string, stream: number): string => `${name}.${stream}`;
  done = new Set<string>();
  passed = new Set<string>();
  missing = new Set<string>();
  /** Resolves before an add is answered. */
  answering: Promise<void> = Promise.resolve();
  async add(batch: Batch): Promise<{ addedAt: number }> {
    this.added.push(batch);
    if (this.failures-- > 0) throw new Error('Redis is away');
    this.missing.delete(batch.id);
    await this.answering;
    return { addedAt: 0 };
  }
  async completed(ids: readonly string[]): Promise<{ done: string[]; passed: string[]; missing: string[] }> {
    const among = (some: Set<string>): string[] => ids.filter(id => some.has(id));
    return { done: among(this.done), passed: among(this.passed), missing: among(this.missing) };
  }
  asOf = async (): Promise<number> => 0;
  close = async (): Promise<void> => undefined;
}

const play = (playId: string): PlayReport => ({
  playId,
  screen: handle('screen', 1),
  startedAt: 0,
  playedMs: 6_000,
  receivedAt: 0,
});
const plays = (count: number): PlayReport[] => Array.from({ length: count }, (_, at) => play(String(at)));
const log = createLog('test', 'silent');
let outbox: Outbox | undefined;
afterEach(() => outbox?.close());

function open(): { playQueue: ScriptedPlayQueue; box: Outbox } {
  const playQueue = new ScriptedPlayQueue();
  outbox = new Outbox({ playQueue, epoch: 5, log });
  return { playQueue, box: outbox };
}
const stored = (box: Outbox, reports: PlayReport[]): Promise<void> =>
  new Promise(resolve => {
    box.add({ screen: handle('screen', 1), plays: reports, releases: [], onStored: () => resolve() });
  });
/** A batch of its own. */
async function flushed(box: Outbox, count: number): Promise<void> {
  box.add({ screen: handle('screen', 1), plays: plays(count), releases: [], onStored: () => undefined });
  await box.flush();
}

describe('the outbox', () => {
  test('joins reports that arrive together into one batch and answers each of them', async () => {
    const { playQueue, box } = open();
    await Promise.all([stored(box, plays(2)), stored(box, plays(3))]);
    expect(playQueue.added.map(({ id, plays }) => [id, plays.length])).toEqual([['5-1.0', 5]]);
  });

  test('retries a batch under its id until it is stored, and acknowledges nothing before', async () => {
    const { playQueue, box } = open();
    playQueue.failures = 2;
    const told = vi.fn<() => void>();
    box.add({ screen: handle('screen', 1), plays: plays(1), releases: [{ playId: 'r' }], onStored: told });
    await vi.waitFor(() => expect(playQueue.added).toHaveLength(1), { timeout: 10_000 });
    expect(told).not.toHaveBeenCalled();
    expect(box.isHealthy()).toBe(false);
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce(), { timeout: 10_000 });
    expect(new Set(playQueue.added.map(batch => batch.id))).toEqual(new Set(['5-1.0']));
    expect(playQueue.added).toHaveLength(3);
    expect(box.isHealthy()).toBe(true);
  });

  test('closes a batch at 5,000 events without waiting', async () => {
    const { playQueue, box } = open();
    for (let report = 0; report < 25; report++)
      box.add({ screen: handle('screen', 1), plays: plays(200), releases: [], onStored: () => undefined });
    expect(playQueue.added).toHaveLength(1);
    await box.flush();
    expect(box.counts).toMatchObject({ eventsStored: 5_000, waitingEvents: 0 });
  });

  test('refuses reports without room, and asks screens to hold back before that', () => {
    const { playQueue, box } = open();
    playQueue.failures = Infinity;
    const holds: number[] = [];
    while (box.add({ screen: handle('screen', 1), plays: plays(200), releases: [], onStored: () => undefined }))
      holds.push(box.holdMs());
    expect(holds).toHaveLength(500);
    expect(holds.findIndex(holdMs => holdMs > 0)).toBe(250);
    expect(box.isHealthy()).toBe(false);
  });

  test('asks regularly, adds a batch again if Redis has lost it, and drops the copy that as_of has passed', async () => {
    const { playQueue, box } = open();
    await stored(box, plays(1));
    await stored(box, plays(1));
    playQueue.missing.add('5-1.0');
    playQueue.done.add('5-2.0');
    playQueue.passed.add('5-2.0');
    await vi.waitFor(() => expect(box.counts).toMatchObject({ addedAgain: 1, keptBatches: 1, keptEvents: 1 }), {
      timeout: 10_000,
    });
    expect(playQueue.added.map(batch => batch.id)).toEqual(['5-1.0', '5-2.0', '5-1.0']);
  });

  test('keeps the copy of a complete batch until as_of has passed it', async () => {
    const { playQueue, box } = open();
    await stored(box, plays(1));
    playQueue.done.add('5-1.0');
    await box.confirm();
    expect(box.counts.keptBatches).toBe(1);
    playQueue.passed.add('5-1.0');
    await box.confirm();
    expect(box.counts.keptBatches).toBe(0);
  });

  test('asks about every copy in turn, however many of them must wait', async () => {
    const { playQueue, box } = open();
    for (let batch = 0; batch < 501; batch++) await flushed(box, 1);
    playQueue.passed.add('5-501.0');
    await box.confirm();
    expect(box.counts.keptBatches).toBe(501);
    await box.confirm();
    expect(box.counts.keptBatches).toBe(500);
  });

  test('drops complete copies first at 200,000 reports, and counts them', async () => {
    const { playQueue, box } = open();
    for (let batch = 0; batch < 40; batch++) await flushed(box, 5_000);
    expect(box.counts).toMatchObject({ keptEvents: 200_000, copiesDropped: 0 });
    playQueue.done.add('5-7.0');
    await box.confirm();
    await flushed(box, 5_000);
    await flushed(box, 5_000);
    expect(box.counts).toMatchObject({ keptEvents: 200_000, keptBatches: 40, copiesDropped: 2 });
    playQueue.missing = new Set(playQueue.added.map(({ id }) => id));
    const before = playQueue.added.length;
    await box.addAgain();
    const kept = new Set(playQueue.added.slice(before).map(({ id }) => id));
    expect(
      playQueue.added
        .slice(0, before)
        .map(({ id }) => id)
        .filter(id => !kept.has(id)),
    ).toEqual(['5-1.0', '5-7.0']);
  });

  test('also adds batches again that the lost Redis had stored without an answer', async () => {
    const { playQueue, box } = open();
    let answer = (): void => undefined;
    playQueue.answering = new Promise(resolve => {
      answer = resolve;
    });
    box.add({ screen: handle('screen', 1), plays: plays(1), releases: [], onStored: () => undefined });
    await vi.waitFor(() => expect(playQueue.added).toHaveLength(1), { timeout: 10_000 });
    playQueue.missing.add('5-1.0');
    const again = box.addAgain();
    answer();
    await again;
    expect(playQueue.added.map(({ id }) => id)).toEqual(['5-1.0', '5-1.0']);
  });
});
