/**
 * Batches of decisions become rows and journals, once however often a batch is added. Real Redis and ClickHouse, with
 * the workers of ingest in this process.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REASON_NUMBER } from '../../domain/plays/decision.ts';
import {
  type DecisionRecord,
  emptyRecord,
  OF_PLAN,
  RECORD_BYTES,
  RecordBuffer,
} from '../../domain/plays/decision-record.ts';
import { formatId } from '../../domain/id.ts';
import { createDecisionQueue, type DecisionQueue } from '../../ingest/queue/decision-queue.ts';
import type { DecisionBatch } from '../../ingest/queue/decision-batch.ts';
import { streamKeys } from '../../ingest/queue/stream-keys.ts';
import { handle } from '../support/handle.ts';
import { openHarness, type Harness } from './harness.ts';

const AT = Date.now() - 60_000;

let harness: Harness;
let decisionQueue: DecisionQueue;

beforeAll(async () => {
  harness = await openHarness();
  decisionQueue = createDecisionQueue({ redis: harness.redis });
});
afterAll(async () => {
  await decisionQueue.close();
  await harness.close();
});

function bytesOf(records: readonly Partial<DecisionRecord>[]): Uint8Array {
  const buffer = new RecordBuffer(records.length);
  for (const record of records)
    buffer.add({
      ...emptyRecord(),
      decidedAtMs: AT,
      startsAtMs: AT,
      maxDurationMs: 15_000,
      screen: handle('screen', 7),
      ...record,
    });
  return buffer.bytes(0, records.length);
}
const batch = (fields: Partial<DecisionBatch> & { id: string }) => ({
  epoch: 3,
  run: 1,
  first: 0,
  records: new Uint8Array(0),
  journal: [],
  ...fields,
});

async function drained(): Promise<void> {
  while ((await harness.redis.zcard(streamKeys('decisions', 0).pending)) > 0)
    await new Promise(resolve => {
      setTimeout(resolve, 10);
    });
}

test('a batch of decisions becomes readable rows and journal parts once, however often it is added', async () => {
  const records = bytesOf([
    {
      answer: -1,
      campaign: handle('campaign', 11),
      creative: handle('creative', 12),
      durationMs: 10_000,
      costMicros: 500,
      flags: OF_PLAN,
      revision: 9,
      planVersion: 2,
    },
    { answer: REASON_NUMBER.frequency, startsAtMs: AT + 15_000 },
  ]);
  const text =
    '{"k":"money","next":40,"campaign":11,"held":1,"exhausted":false,"planRoom":0}\n{"city":"a\\"b\\\\c\\t"}\n';
  const whole = batch({ id: 'd3-1', first: 40, records, journal: [{ part: 'changes', number: 4, text }] });
  const [first, worker] = [await decisionQueue.add(whole), await harness.startWorker()];
  await drained();
  expect([first, await decisionQueue.add(whole)]).toEqual([true, true]);
  await drained();
  const rows = await harness.rows('select * except (inserted_at, group_id, attempt) from decisions order by number');
  expect(rows).toEqual([
    {
      decided_at: new Date(AT).toISOString(),
      starts_at: new Date(AT).toISOString(),
      screen_id: formatId('screen', handle('screen', 7)),
      campaign_id: formatId('campaign', handle('campaign', 11)),
      creative_id: formatId('creative', handle('creative', 12)),
      reason: '',
      max_duration_ms: 15_000,
      duration_ms: 10_000,
      offline_plan: true,
      sandbox: false,
      node_epoch: 3,
      run: 1,
      number: 40,
      revision: 9,
      plan_version: 2,
    },
    {
      decided_at: new Date(AT).toISOString(),
      starts_at: new Date(AT + 15_000).toISOString(),
      screen_id: formatId('screen', handle('screen', 7)),
      campaign_id: '',
      creative_id: '',
      reason: 'frequency',
      max_duration_ms: 15_000,
      duration_ms: 0,
      offline_plan: false,
      sandbox: false,
      node_epoch: 3,
      run: 1,
      number: 41,
      revision: 0,
      plan_version: 0,
    },
  ]);
  expect(
    await harness.rows('select node_epoch, run, part, number, body from private_decision_journal order by part'),
  ).toEqual([
    { node_epoch: 3, run: 1, part: 'changes', number: 4, body: text },
    { node_epoch: 3, run: 1, part: 'decisions', number: 40, body: Buffer.from(records).toString('base64') },
  ]);
  await worker.close();
});

test('decisions outside of a run are stored, and not in the journal', async () => {
  const worker = await harness.startWorker();
  await decisionQueue.add(
    batch({ id: 'd4-1', epoch: 4, run: 0, records: bytesOf([{ answer: REASON_NUMBER.paused }]) }),
  );
  await drained();
  expect(await harness.rows('select count() as rows from decisions where node_epoch = 4')).toEqual([{ rows: 1 }]);
  expect(await harness.rows('select count() as rows from private_decision_journal where node_epoch = 4')).toEqual([
    { rows: 0 },
  ]);
  await worker.close();
});

test('an invalid batch of decisions becomes a dead letter, and nothing waits for it', async () => {
  const worker = await harness.startWorker();
  await decisionQueue.add(batch({ id: 'd5-1', records: new Uint8Array(63) }));
  const ofNewerVersion = bytesOf([{ answer: 0 }]);
  ofNewerVersion[RECORD_BYTES - 4] = 0xfe;
  await decisionQueue.add(batch({ id: 'd5-2', records: ofNewerVersion }));
  await drained();
  expect(await harness.postgres.sql`select job_id, reason from dead_letters order by job_id`).toMatchObject([
    { job_id: 'd5-1', reason: 'the records are not whole' },
    { job_id: 'd5-2', reason: 'a record has a reason that this version does not know' },
  ]);
  await worker.close();
});

test('a batch is refused if ten minutes of a process are already pending', async () => {
  const { pending } = streamKeys('decisions', 0);
  await harness.redis.zadd(pending, ...Array.from({ length: 1_200 }, (_, at) => [at, `waiting-${at}`]).flat());
  expect(await decisionQueue.add(batch({ id: 'd6-1', records: bytesOf([{ answer: 0 }]) }))).toBe(false);
  await harness.redis.del(pending);
});

test('refused reports become rows by rule once, however often their batch is added', async () => {
  const worker = await harness.startWorker();
  const bucketMs = Math.floor(AT / 900_000) * 900_000;
  const sum = {
    campaign: handle('campaign', 11),
    creative: handle('creative', 12),
    screen: handle('screen', 7),
    venue: handle('venue', 8),
    sandbox: false,
    bucketMs,
    rule: 'too_short' as const,
    plays: 3,
  };
  const whole = batch({
    id: 'd77-1',
    epoch: 77,
    run: 0,
    refused: [sum, { ...sum, rule: 'overlap', sandbox: true, plays: 1 }],
  });
  await decisionQueue.add(whole);
  await drained();
  await decisionQueue.add(whole);
  await drained();
  const row = {
    bucket: new Date(bucketMs).toISOString().slice(0, 19) + 'Z',
    campaign_id: formatId('campaign', handle('campaign', 11)),
    creative_id: formatId('creative', handle('creative', 12)),
    screen_id: formatId('screen', handle('screen', 7)),
    venue_id: formatId('venue', handle('venue', 8)),
  };
  expect(
    await harness.rows('select * except (inserted_at, group_id, attempt) from plays_not_counted order by rule'),
  ).toEqual([
    { ...row, rule: 'overlap@1', sandbox: true, plays: 1 },
    { ...row, rule: 'too_short@1', sandbox: false, plays: 3 },
  ]);
  await worker.close();
});
