/**
 * Plays of one screen that overlap, as they come from processes that do not know of each other: one of them counts, and
 * the money of the rest is free again. Real Redis and ClickHouse, with two workers of ingest in this process.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keysOf } from '#authority/authority-keys.ts';
import type { Handle } from '../../domain/id.ts';
import { handle } from '../support/handle.ts';
import { openHarness, type Harness } from './harness.ts';
import { factsOf, reportOf, SLOT_AT } from './reports.ts';

let harness: Harness;
const SCREEN = handle('screen', 77);
const COST = 5_000;
const MINUTE = 60_000;

beforeAll(async () => {
  harness = await openHarness();
  await harness.startWorker();
  await harness.startWorker();
});
afterAll(() => harness.close());

let batches = 0;
async function addBatches(...lists: Parameters<typeof reportOf>[0][][]): Promise<void> {
  const ids = lists.map(() => `overlap-${(batches += 1)}`);
  await Promise.all(
    lists.map((facts, at) =>
      harness.playQueue.add({ id: ids[at]!, plays: facts.map(each => reportOf(each)), scans: [], releases: [] }),
    ),
  );
  await harness.drained(ids);
}
const rowsOf = (campaign: number) =>
  harness.rows<{ decided_by: string; plays: number; cost: number }>(`
  select decided_by, toInt32(count()) as plays, toInt32(sum(cost_micros)) as cost from plays_raw where campaign_handle = ${campaign} group by decided_by order by decided_by`);
async function lend(campaign: Handle<'campaign'>, plays: number): Promise<void> {
  await harness.authority.hand(campaign, plays * COST);
  await harness.authority.grant(campaign, 1, 1, plays * COST);
}
const issues = (campaign: Handle<'campaign'>, count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, issueNumber) => factsOf({ campaign, issueNumber, screen: SCREEN, ...fields }));

test('fifteen fills for each of twenty moments, reported to two processes, count twenty times and return the rest of the money', async () => {
  await lend(handle('campaign', 801), 300);
  const facts = issues(handle('campaign', 801), 300).map(each => ({
    ...each,
    startsAt: SLOT_AT - (each.issueNumber % 20) * 15_000,
  }));
  await addBatches(
    facts.filter((_, at) => at % 2 === 0),
    facts.filter((_, at) => at % 2 === 1),
  );
  expect(await rowsOf(801)).toEqual([
    { decided_by: '', plays: 20, cost: 20 * COST },
    { decided_by: 'overlap@1', plays: 280, cost: 0 },
  ]);
  expect(await harness.authority.amounts(handle('campaign', 801))).toMatchObject({
    handed: 300 * COST,
    spent: 20 * COST,
    free: 280 * COST,
    open: 0,
    inDoubt: 0,
  });
  await addBatches(facts);
  expect((await rowsOf(801)).map(({ plays }) => plays)).toEqual([20, 280]); // each of them once, also a second time
});

test('a live play and one of an offline playlist for the same time count once, in either order', async () => {
  await lend(handle('campaign', 802), 2);
  const [live, plan] = issues(handle('campaign', 802), 2, { startsAt: SLOT_AT - 60 * MINUTE });
  await addBatches([{ ...plan!, plan: true }]);
  await addBatches([live!]);
  expect((await rowsOf(802)).map(({ decided_by, plays }) => [decided_by, plays])).toEqual([
    ['', 1],
    ['overlap@1', 1],
  ]);
});

test('a screen shows one ad at a time, even at another venue or for another campaign', async () => {
  await Promise.all([lend(handle('campaign', 803), 1), lend(handle('campaign', 804), 1)]);
  const startsAt = SLOT_AT - 90 * MINUTE;
  await addBatches([factsOf({ campaign: handle('campaign', 803), screen: SCREEN, startsAt })]);
  await addBatches([
    factsOf({ campaign: handle('campaign', 804), screen: SCREEN, venue: handle('venue', 5), startsAt }),
  ]);
  expect([await rowsOf(803), await rowsOf(804)]).toEqual([
    [{ decided_by: '', plays: 1, cost: COST }],
    [{ decided_by: 'overlap@1', plays: 1, cost: 0 }],
  ]);
});

test('consecutive ads all count, even if the clock is set by seconds between them', async () => {
  await lend(handle('campaign', 805), 40);
  const facts = issues(handle('campaign', 805), 40).map(each => ({
    ...each,
    startsAt: SLOT_AT - 120 * MINUTE + each.issueNumber * 15_000 - (each.issueNumber >= 20 ? 4_000 : 0),
  }));
  await addBatches(facts.slice(0, 15), facts.slice(15, 30), facts.slice(30));
  expect(await rowsOf(805)).toEqual([{ decided_by: '', plays: 40, cost: 40 * COST }]);
});

test('the stored answers of a batch apply to every repeat, and the previous version reads them alike', async () => {
  await lend(handle('campaign', 806), 4);
  const play = (issueNumber: number, overlaps = false) => ({
    epoch: 1,
    issueNumber,
    reservationMicros: COST,
    costMicros: COST,
    overlaps,
  });
  expect(await harness.authority.count('new-first', handle('campaign', 806), [play(1), play(2, true)])).toEqual([
    'counted',
    'late',
  ]);
  expect(
    await harness.redis.get(
      keysOf(handle('campaign', 806), harness.redis).answers(handle('campaign', 806), 'new-first'),
    ),
  ).toBe('cl'); // no letter that is new
  expect(await harness.authority.count('new-first', handle('campaign', 806), [play(1), play(2)])).toEqual([
    'counted',
    'late',
  ]); // by one that does not ask
  expect(await harness.authority.count('old-first', handle('campaign', 806), [play(3), play(4)])).toEqual([
    'counted',
    'counted',
  ]);
  expect(await harness.authority.count('old-first', handle('campaign', 806), [play(3), play(4, true)])).toEqual([
    'counted',
    'counted',
  ]);
  expect(await harness.authority.amounts(handle('campaign', 806))).toMatchObject({
    spent: 3 * COST,
    free: COST,
    open: 0,
    inDoubt: 0,
  });
});

test('a row without a reason for an uncharged play says late, and has the shown duration', async () => {
  await harness.clickhouse.client.insert({
    table: 'plays_raw',
    values: [true, false].map((late, issue_number) => ({
      late,
      issue_number,
      campaign_handle: 807,
      played_ms: 90_000,
    })),
    format: 'JSONEachRow',
  });
  expect(
    await harness.rows(
      'select decided_by, duration_ms from plays_raw where campaign_handle = 807 order by issue_number',
    ),
  ).toEqual([
    { decided_by: 'late@1', duration_ms: 65_535 },
    { decided_by: '', duration_ms: 65_535 },
  ]);
});
