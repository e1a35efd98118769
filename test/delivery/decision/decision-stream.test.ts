/**
 * How decisions get into their stream: in order, each change not after the decisions that it is for, and nothing twice
 * while Redis is down. The real recorder over a random world; the stream itself is a function of the test.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RECORD_BYTES } from '#domain/plays/decision-record.ts';
import { type StoredRun, stepsOf } from '#domain/plays/decision-journal.ts';
import type { PlayFacts } from '#domain/plays/play.ts';
import { replayRun } from '../../../cli/replay/replay-engine.ts';
import { RecordedEngine } from '../../../delivery/recording/recorded-engine.ts';
import type { DecisionRecorder } from '../../../delivery/recording/recorder.ts';
import { RefusedPlays } from '../../../delivery/recording/refused-plays.ts';
import { startDecisionStream } from '../../../delivery/recording/stream.ts';
import type { DecisionBatch } from '../../../ingest/queue/decision-batch.ts';
import { createLog } from '../../../runtime/log.ts';
import { handle } from '../../support/handle.ts';
import { RandomWorld } from './random-world.ts';
import { recorderOver } from './recorder-over.ts';

type Added = DecisionBatch & { id: string };

/** A world under a recorder whose stream ends in `added`; `answer` says what becomes of each batch. */
function streamed(answer: (batch: Added) => Promise<boolean>) {
  const added: Added[] = [];
  let recorder: DecisionRecorder | undefined;
  const world = new RandomWorld(3, 30, parts => {
    const own = (recorder = recorderOver(parts, 9).recorder);
    const engine = new RecordedEngine({ engine: parts.engine, recorder: own });
    own.start(0);
    return {
      campaign: (handle, facts) => own.campaignChanged(handle, facts),
      money: campaign => own.moneyChanged(campaign),
      screen: screen => own.screenChanged(screen),
      deciding: screen => own.deciding(screen, true),
      decided: (slot, given) => own.decided(slot, given, slot.atMs),
      refresh: (atMs, steps) => void engine.refresh(atMs, steps),
    };
  });
  const add = async (batch: Added): Promise<boolean> => {
    const isStored = await answer(batch);
    if (isStored) added.push(batch);
    return isStored;
  };
  const refused = new RefusedPlays();
  const stream = startDecisionStream({
    recorder: recorder!,
    refused,
    decisionQueue: { add, close: async () => undefined },
    node: 9,
    log: createLog('test', 'silent'),
    now: () => 0,
  });
  return { added, world, recorder: recorder!, refused, stream };
}

function partsOf(batches: readonly Added[]): StoredRun {
  const parts = batches.flatMap(batch => batch.journal);
  return {
    state: parts.filter(({ part }) => part === 'state').map(({ text }) => text),
    changes: parts.filter(({ part }) => part === 'changes'),
    decisions: batches
      .filter(({ records }) => records.length > 0)
      .map(({ first, records }) => ({ number: first, bytes: records })),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('decisions between flushes arrive in order, the state first, each change before the decisions that need it', async () => {
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

test('a batch is retried under its id while Redis is down, and nothing is lost', async () => {
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
  expect(
    added
      .filter(({ records }) => records.length > 0)
      .map(({ run, first, records }) => [run, first, records.length / RECORD_BYTES]),
  ).toEqual([[0, 60, 40]]);
});

const FACTS = {
  campaign: 1,
  creative: 2,
  screen: 3,
  venue: 4,
  sandbox: false,
  startsAt: 1_700_000_123_456,
} as PlayFacts;

test('refused reports are included, summed by rule and quarter hour, outside of runs', async () => {
  const { added, refused, stream } = streamed(async () => true);
  refused.note(FACTS, 'too_short');
  refused.note({ ...FACTS, startsAt: FACTS.startsAt + 1_000 }, 'too_short');
  refused.note(FACTS, 'overlap');
  refused.note({ ...FACTS, startsAt: FACTS.startsAt + 900_000 }, 'overlap');
  await stream.flush();
  await stream.flush();
  stream.stop();
  const of = { campaign: 1, creative: 2, screen: 3, venue: 4, sandbox: false };
  expect(added.flatMap(batch => batch.refused?.map(sum => ({ run: batch.run, ...sum })) ?? [])).toEqual([
    { run: 0, ...of, bucketMs: 1_700_000_100_000, rule: 'too_short', plays: 2 },
    { run: 0, ...of, bucketMs: 1_700_000_100_000, rule: 'overlap', plays: 1 },
    { run: 0, ...of, bucketMs: 1_700_001_000_000, rule: 'overlap', plays: 1 },
  ]);
});

test('a flood of refusals is limited to a thousand kinds per five seconds', () => {
  const refused = new RefusedPlays();
  for (let campaign = 0; campaign < 1_500; campaign++)
    for (let again = 0; again < 2; again++)
      refused.note({ ...FACTS, campaign: handle('campaign', campaign) }, 'overlap');
  expect(refused.take(10_000).map(({ plays }) => plays)).toEqual(Array.from({ length: 1_000 }, () => 2));
  refused.note(FACTS, 'overlap');
  expect(refused.take(14_999)).toEqual([]);
  expect(refused.take(15_000)).toHaveLength(1);
});
