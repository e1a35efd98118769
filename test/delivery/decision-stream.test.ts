import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RECORD_BYTES } from '#domain/decision-record.ts';
import { type RunParts, stepsOf } from '#domain/decision-journal.ts';
import { replayRun } from '../../cli/replay-engine.ts';
import { DecisionRecorder } from '../../delivery/recording/recorder.ts';
import { startDecisionStream } from '../../delivery/recording/stream.ts';
import type { DecisionBatch } from '../../ingest/intake.ts';
import { createLog } from '../../runtime/log.ts';
import { RandomWorld } from './random-world.ts';

type Added = DecisionBatch & { id: string };

/** A world under a recorder whose stream ends in `added`; `answer` says what becomes of each batch. */
function streamed(answer: (batch: Added) => Promise<boolean>) {
  const added: Added[] = [];
  let recorder: DecisionRecorder | undefined;
  const world = new RandomWorld(3, 30, parts => {
    const own = recorder = new DecisionRecorder({ ...parts, epoch: () => 9 });
    own.start(() => 1, 0);
    return {
      campaign: (handle, facts) => own.campaignChanged(handle, facts), money: campaign => own.moneyChanged(campaign), screen: screen => own.screenChanged(screen),
      deciding: screen => own.deciding(screen, true), decided: (slot, given) => own.decided(slot, given, slot.atMs),
    };
  });
  const add = async (batch: Added): Promise<boolean> => {
    const isStored = await answer(batch);
    if (isStored) added.push(batch);
    return isStored;
  };
  const stream = startDecisionStream({ recorder: recorder!, intake: { add, close: async () => undefined }, node: 9, log: createLog('test', 'silent'), now: () => 0 });
  return { added, world, recorder: recorder!, stream };
}

function partsOf(batches: readonly Added[]): RunParts {
  const parts = batches.flatMap(batch => batch.journal);
  return {
    state: parts.filter(({ part }) => part === 'state').map(({ text }) => text),
    changes: parts.filter(({ part }) => part === 'changes'),
    decisions: batches.filter(({ records }) => records.length > 0).map(({ first, records }) => ({ number: first, bytes: records })),
  };
}

beforeEach(() => { vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }); });
afterEach(() => { vi.useRealTimers(); });

test('what was decided between flushes arrives in order, the state first, each change not after the decisions that it is for', async () => {
  const { added, world, stream } = streamed(async () => true);
  await stream.flush();
  world.run(100);
  await stream.flush();
  world.run(100);
  await stream.flush();
  stream.stop();
  expect(added[0]).toMatchObject({ id: 'd9-1', epoch: 9, run: 1, journal: [{ part: 'state', number: 0 }] });
  expect(new Set(added.map(({ id }) => id)).size).toBe(added.length);
  expect(replayRun(stepsOf(partsOf(added)), () => true)).toEqual({ slots: 200, differences: [] });
});

test('while Redis is away a batch is tried again under its own id, and nothing is lost', async () => {
  const tried: string[] = [];
  let isAway = false;
  const { added, world, stream } = streamed(async ({ id }) => {
    if (isAway) tried.push(id);
    if (isAway) throw new Error('Redis is away');
    return true;
  });
  await stream.flush();
  isAway = true;
  world.run(50);
  await stream.flush();
  world.run(50);
  await stream.flush();
  isAway = false;
  await stream.flush();
  await stream.flush();
  stream.stop();
  expect(tried).toEqual([tried[0], tried[0]]);
  expect(added.map(({ id }) => id)).toContain(tried[0]);
  expect(replayRun(stepsOf(partsOf(added)), () => true)).toEqual({ slots: 100, differences: [] });
});

test('a batch that ingest has no room for is dropped and counted with the rest of its run', async () => {
  let isFull = false;
  const { added, world, recorder, stream } = streamed(async () => !isFull);
  await stream.flush();
  isFull = true;
  world.run(60);
  await stream.flush();
  isFull = false;
  world.run(40);
  await stream.flush();
  stream.stop();
  expect(recorder.counts).toMatchObject({ recorded: 100, dropped: 60, broken: 1 });
  expect(added.filter(({ records }) => records.length > 0).map(({ run, first, records }) => [run, first, records.length / RECORD_BYTES])).toEqual([[0, 60, 40]]);
});
