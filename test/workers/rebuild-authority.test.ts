/**
 * What becomes of money and plays when Redis is emptied, rolled back or only restarted: nothing is lost and nothing
 * counts twice. The real rebuild job, a delivery node, its outbox and ingest run in this process, against a Redis
 * server of the test's own.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Handle } from '../../domain/id.ts';
import { streamsOf } from '../../ingest/queue/stream-keys.ts';
import type { PlayReport } from '../../ingest/queue/batch.ts';
import { redisReady } from '../../sql/redis.ts';
import type { NodeUnderTest } from '../delivery/money/node-under-test.ts';
import type { Harness } from '../ingest/harness.ts';
import type { OwnCluster } from '../support/engines/own-cluster.ts';
import { OwnRedis } from '../support/engines/own-redis.ts';
import { flush, place } from '../support/engines/redis.ts';
import { handle } from '../support/handle.ts';
import type { PlayGroups } from '../../ingest/queue/play-groups.ts';
import { rebuildAuthority } from '../../workers/budgets/rebuild-authority.ts';
import { insertRuns } from '../../workers/settlement/counted-plays.ts';
import { AuthorityUnderTest, COST, report as reportAt, type Process } from './support/authority-under-test.ts';

let own: OwnRedis | OwnCluster;
let authority: AuthorityUnderTest;
let harness: Harness;
let process: Process;
let node: NodeUnderTest;
let worker: { close(): Promise<void> } | undefined;
let campaign: Handle<'campaign'>;

beforeAll(async () => {
  own = place.cluster ?? (await OwnRedis.start());
  authority = await AuthorityUnderTest.open({ redisUrl: own.url, shards: place.shards ?? 1 });
  ({ harness } = authority);
});
afterAll(async () => {
  await authority.close();
  await own.remove();
});
beforeEach(async () => {
  await look();
  process = await authority.startProcess('n');
  ({ node } = process);
  campaign = await authority.liveCampaign(node);
  worker = await harness.startWorker();
});
afterEach(async () => {
  await worker?.close();
  await authority.killAll();
});

const look = (insertMsMax = 0) => authority.look(insertMsMax);
const mend = () => authority.mend();
const hear = () => authority.hear();
const issue = (count: number) => authority.issue(node, count);
const report = (plays: PlayReport[]) => reportAt(process, plays);
const drained = () =>
  vi.waitUntil(
    async () => {
      const waiting = await Promise.all(
        streamsOf('plays', harness.redis).map(({ pending }) => harness.redis.zcard(pending)),
      );
      return waiting.every(count => count === 0);
    },
    { timeout: 15_000 },
  );
/** Of a cluster the master that keeps the campaign, and no other. */
const rollBack = (length: number | number[]) => own.rollBack(length as number & number[], campaign);
const rows = async () =>
  (
    await harness.rows<{ rows: number; plays: number; late: number }>(`
  select toUInt32(count()) as rows, toUInt32(uniqExact(epoch, issue_number)) as plays, toUInt32(countIf(late)) as late from plays_raw where campaign_handle = ${campaign}`)
  )[0]!;
async function amounts() {
  const all = await harness.authority.standing(campaign);
  expect(all.handed).toBe(all.free + all.open + all.inDoubt + all.spent + all.returned);
  return all;
}
const generation = async () =>
  (await harness.postgres.sql<{ generation: number }[]>`select generation from authority_life`)[0]!.generation;

test('Redis emptied while nodes live: nothing is lost, nothing counts twice, and unissued money is free again', async () => {
  const plays = issue(8);
  await report(plays.slice(0, 4));
  await drained();
  const before = await amounts();
  await worker!.close();
  worker = undefined;
  const addedAt = await report(plays.slice(4, 6)); // acknowledged, and still in the queue
  await look();
  await flush(harness.redis);
  await expect(harness.authority.grant(campaign, node.current.epoch, 99, COST)).rejects.toMatchObject({
    code: 'authority_lost',
  });
  await expect(harness.playQueue.asOf()).rejects.toMatchObject({ code: 'authority_lost' });
  await mend();
  expect(await amounts()).toMatchObject({
    handed: before.handed,
    free: 0,
    open: 0,
    spent: 4 * COST,
    inDoubt: before.handed - 4 * COST,
    countedPlays: 4,
  });
  expect(await harness.playQueue.asOf()).toBeLessThanOrEqual(addedAt);
  await hear();
  expect(await harness.playQueue.asOf()).toBeLessThanOrEqual(addedAt); // its batch waits again
  // In doubt: what may still be reported, and what was free in the authority.
  const claimed = await amounts();
  expect(claimed.free + claimed.open).toBe(before.open - 4 * COST);
  worker = await harness.startWorker();
  await report([...plays.slice(0, 3), plays[6]!]);
  await drained();
  expect(await rows()).toEqual({ rows: 7, plays: 7, late: 0 });
  expect(await amounts()).toMatchObject({ spent: 7 * COST, countedPlays: 7 });
  await vi.waitUntil(() => node.take(0, { costMicros: COST }) > 0, { timeout: 10_000 });
  await vi.waitUntil(async () => (await harness.playQueue.asOf()) > addedAt, { timeout: 10_000 });
}, 60_000);

test('Redis rolled back to before a count: the stored rows replace the lost bits, and the same reports are duplicates', async () => {
  const plays = issue(3);
  await look();
  const length = own.logLength();
  await report(plays);
  await drained();
  await look(); // the mark rises
  const born = await generation();
  await rollBack(length);
  await redisReady(harness.redis);
  await expect
    .poll(() => harness.authority.amounts(campaign).catch((error: { code: string }) => error.code))
    .toBe('authority_lost');
  await mend();
  expect(await generation()).toBe(born + 1);
  await hear();
  await report(plays);
  await drained();
  expect(await rows()).toEqual({ rows: 3, plays: 3, late: 0 });
  expect(await amounts()).toMatchObject({ spent: 3 * COST, countedPlays: 3 });
}, 60_000);

test('a rollback too short for the marker is detected by stored rows of a group that Redis does not know', async () => {
  const plays = issue(2);
  await look();
  const length = own.logLength();
  const born = await generation();
  await report(plays);
  await drained();
  await rollBack(length);
  await redisReady(harness.redis);
  await mend();
  expect(await generation()).toBe(born + 1);
  expect((await amounts()).spent).toBe(2 * COST);
}, 60_000);

test('a grant lost by Redis is claimed by its node, and its plays still count', async () => {
  await look();
  const length = own.logLength();
  const born = await generation();
  const openBefore = (await amounts()).open;
  // All of the lease is issued, so that another grant is needed.
  const plays = issue(Math.floor(node.reservations.available(0) / COST));
  node.reservations.want(0, COST);
  await vi.waitUntil(() => node.reservations.available(0) >= COST, { timeout: 10_000 });
  plays.push(...issue(2));
  await rollBack(length);
  await redisReady(harness.redis);
  await mend();
  // whole, as far as the workers can see
  expect([await generation(), (await amounts()).open]).toEqual([born, openBefore]);
  await node.keeper.beat();
  await mend();
  expect(await generation()).toBe(born + 1);
  await hear();
  await report(plays);
  await drained();
  expect(await rows()).toEqual({ rows: plays.length, plays: plays.length, late: 0 });
  expect((await amounts()).spent).toBe(plays.length * COST);
}, 60_000);

test('a restart that loses nothing goes on at once: no rebuild, the same epoch, the same leases', async () => {
  const plays = issue(2);
  await report(plays);
  await drained();
  await look();
  const before = [await generation(), await amounts(), node.current.epoch];
  await own.restart(campaign);
  await redisReady(harness.redis);
  await expect(harness.authority.amounts(campaign)).rejects.toMatchObject({ code: 'authority_lost' });
  await mend();
  await node.keeper.beat();
  expect([await generation(), await amounts(), node.current.epoch]).toEqual(before);
}, 60_000);

test('a lost authority waits for pending inserts before it is rebuilt', async () => {
  await flush(harness.redis);
  expect(await look(60_000)).toBe(0);
  await wait(20);
  expect(await look(60_000)).toBe(0);
  expect((await harness.authority.life.state()).isCurrent).toBe(false);
  expect(await look(1)).toBe(1);
  expect((await harness.authority.life.state()).isCurrent).toBe(true);
});

test('a lost authority also waits for a running insert that began in time', async () => {
  const { client } = harness.clickhouse;
  await client.command({ query: 'create table slow_rows (n UInt8) engine = MergeTree order by n' });
  let isOver = false;
  const insert = client
    .command({ query: 'insert into slow_rows select sleepEachRow(0.1) from numbers(25)' })
    .finally(() => (isOver = true));
  await vi.waitUntil(() => insertRuns(client), { timeout: 10_000 });
  await flush(harness.redis);
  const rebuilt: { isOver: boolean }[] = [];
  while (rebuilt.length === 0) if ((await look(1)) === 1) rebuilt.push({ isOver });
  await insert;
  expect(rebuilt).toEqual([{ isOver: true }]);
});

/** A rebuild that waits in its middle, when Redis was emptied, until `goOn`. */
function pausedRebuild() {
  const { context } = authority;
  const pause = gate();
  const arrival = gate();
  const forgetAll: PlayGroups['forgetAll'] = async remembered => {
    arrival.open();
    await pause.passed;
    return context.playGroups.forgetAll(remembered);
  };
  const ended = rebuildAuthority({ ...context, playGroups: { ...context.playGroups, forgetAll } }, { insertMsMax: 0 });
  return { arrived: arrival.passed, goOn: pause.open, ended };
}

function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>(resolve => {
    open = resolve;
  });
  return { passed, open };
}

test('a rebuild that has lost its lock to another one begins nothing, and the other one completes', async () => {
  const born = await generation();
  const { handed } = await amounts();
  await flush(harness.redis);
  await look();
  const first = pausedRebuild();
  await first.arrived;
  const second = pausedRebuild();
  await second.arrived;
  first.goOn();
  await expect(first.ended).rejects.toMatchObject({ code: 'rebuild_overtaken' });
  expect((await harness.authority.life.state()).isCurrent).toBe(false);
  second.goOn();
  expect([await second.ended, await look(), await generation()]).toEqual([1, 0, born + 1]);
  expect((await amounts()).handed).toBe(handed);
}, 60_000);

test('neither an overtaken rebuild nor an overtaken resumption can begin an authority that another rebuild has ended', async () => {
  const { life } = harness.authority;
  const { runs } = await life.state();
  await life.end('one');
  await life.end('another');
  const beginning = { generation: 99, firstEpoch: 0, lapseLine: 0, asOfMs: 0, mayLive: [], runs };
  await expect(life.begin({ ...beginning, rebuild: 'one' })).rejects.toMatchObject({ code: 'authority_lost' });
  await expect(life.resume(runs)).rejects.toMatchObject({ code: 'authority_lost' });
  expect((await life.state()).isCurrent).toBe(false);
  await mend();
});

test('a rebuild that fails before the authority begins leaves the claims of living nodes valid', async () => {
  const born = await generation();
  const before = await amounts();
  issue(2);
  await flush(harness.redis);
  await look();
  const { context } = authority;
  const forgetAll = () => Promise.reject(new Error('an engine is down'));
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(
      rebuildAuthority({ ...context, playGroups: { ...context.playGroups, forgetAll } }, { insertMsMax: 0 }),
    ).rejects.toThrow('an engine is down');
  await mend();
  expect(await generation()).toBe(born + 1);
  await hear();
  const { free, open } = await amounts();
  expect(free + open).toBe(before.open - 2 * COST);
}, 60_000);

test('a group missing from its rollups is repeated under its token once', async () => {
  const plays = issue(3);
  const { client } = harness.clickhouse;
  await client.command({ query: 'detach table plays_to_quarter_hour' });
  await report(plays.slice(0, 2));
  await drained();
  await client.command({ query: 'attach table plays_to_quarter_hour' });
  await report(plays.slice(2));
  await drained();
  await flush(harness.redis);
  await mend();
  const [rolled] = await harness.rows<{ plays: number }>(
    `select toUInt32(sum(q.plays)) as plays from plays_quarter_hour as q where campaign_id in (select campaign_id from plays_raw where campaign_handle = ${campaign})`,
  );
  expect(rolled!.plays).toBe(3);
  expect(await rows()).toEqual({ rows: 3, plays: 3, late: 0 });
}, 60_000);

test('a batch of scans repeated after Redis lost it adds only missing scans', async () => {
  const scan = (scanId: string) => ({
    scanId,
    campaign,
    creative: handle('creative', 1),
    screen: handle('screen', 1),
    venue: handle('venue', 1),
    slotAt: 1_780_000_000_000,
    scannedAt: 1_780_000_000_000,
    daypart: 'evening',
    sandbox: false,
  });
  const batch = (id: string, names: readonly string[]) => ({ id, plays: [], releases: [], scans: names.map(scan) });
  await harness.playQueue.add(batch('scans-1', ['first', 'second']));
  await drained();
  await flush(harness.redis);
  await mend();
  await harness.playQueue.add(batch('scans-1', ['first', 'second']));
  await harness.playQueue.add(batch('scans-2', ['third']));
  await drained();
  expect(
    await harness.rows('select scan_id, toUInt32(count()) as rows from scans_raw group by scan_id order by scan_id'),
  ).toEqual([
    { scan_id: 'first', rows: 1 },
    { scan_id: 'second', rows: 1 },
    { scan_id: 'third', rows: 1 },
  ]);
  expect(await harness.rows('select toUInt32(sum(scans)) as scans from scans_quarter_hour')).toEqual([{ scans: 3 }]);
}, 60_000);
