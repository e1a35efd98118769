/**
 * What may happen between the processes that hold a budget, with real delivery processes, the real scripts, ingest and
 * jobs. Redis time is moved by the key that only tests set; processes are stopped and killed by signals.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodePlayId, encodePlayId, parseSigningKeys, type PlayFacts, reservationMicros } from '#domain/plays/play.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import type { Handle } from '../../domain/id.ts';
import { startStreams } from '../../ingest/streams.ts';
import { createPlayGroups } from '../../ingest/queue/play-groups.ts';
import { createPlayQueue, type PlayQueue } from '../../ingest/queue/play-queue.ts';
import type { PlayReport } from '../../ingest/queue/batch.ts';
import { fenceNodes } from '../../workers/budgets/fence-nodes.ts';
import { lapsePlays } from '../../workers/budgets/lapse-plays.ts';
import { settleSpend } from '../../workers/settlement/settle-spend.ts';
import type { JobContext } from '../../workers/schedule.ts';
import {
  addCampaign,
  addModule,
  addScreen,
  type CampaignRow,
  change,
  createWorld,
  type DeliveryProcess,
  SIGNING_KEYS,
  type World,
} from '../delivery/delivery-under-test.ts';
import { silentLog } from '../ingest/harness.ts';
import { freshClickhouse } from '../support/engines/databases.ts';
import { handle } from '../support/handle.ts';
import { ScreenClient } from '../support/screen-client.ts';
import { CLOCK } from '../support/engines/redis.ts';
import { standIn } from '../support/stand-in.ts';

type Fill = { play_id: string; duration_ms: number; starts_at: number; no_fill?: string };
const SECOND = 1_000;
const HOUR = 3_600_000;
const OLD_KEY = '9:AQIDBAUGBwgJCgsMDQ4PEA==';
const keys = parseSigningKeys(SIGNING_KEYS);
const allKeys = parseSigningKeys(`${SIGNING_KEYS},${OLD_KEY}`);

let world: World;
let clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;
let playQueue: PlayQueue;
let jobs: JobContext;
let messageId = 0;
const connections: Redis[] = [];
let ingest: { close(): Promise<void> } | undefined;

beforeAll(async () => {
  [world, clickhouse] = await Promise.all([createWorld(), freshClickhouse()]);
  playQueue = createPlayQueue({ redis: world.redis });
  jobs = standIn<JobContext>({
    sql: world.sql,
    clickhouse: clickhouse.client,
    authority: world.authority,
    playQueue,
    playGroups: createPlayGroups({ redis: world.redis }),
    log: silentLog,
    now: () => new Date(),
  });
  await startWorker();
});
afterAll(async () => {
  await ingest?.close();
  await playQueue.close();
  for (const connection of connections) connection.disconnect();
  await world.close();
  await clickhouse.drop();
});
afterEach(async () => {
  await world.redis.del(CLOCK);
  for (const { handle } of await world.sql<
    { handle: Handle<'campaign'> }[]
  >`update campaigns set status = 'paused' where status = 'live' returning handle`)
    await change(world, 'campaign', handle);
});

async function startWorker(): Promise<void> {
  const commands = openRedis(world.redisUrl, { role: 'commands' });
  const blocking = openRedis(world.redisUrl, { role: 'worker' });
  connections.push(commands, blocking);
  await redisReady(commands);
  ingest = await startStreams({
    commands,
    blocking,
    clickhouse: clickhouse.client,
    sql: world.sql,
    keys: allKeys,
    log: silentLog,
  });
}

async function fillOf(client: ScreenClient, fields: object = { at: client.pastAt() }): Promise<Fill> {
  return await until(async () => {
    const id = ++messageId;
    client.send({ t: 'slot', id, ...fields });
    const [slot] = (await client.next('fill', id))['slots'] as Fill[];
    return slot!.no_fill === undefined ? slot : undefined;
  });
}
async function report(client: ScreenClient, plays: object[], fields: object = {}) {
  const id = ++messageId;
  client.send({ t: 'plays', id, plays, ...fields });
  return client.next('ack', id);
}
async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('it did not happen within 30 s');
}
const played = (fill: Fill, fields: object = {}) => ({
  play_id: fill.play_id,
  started_at: fill.starts_at,
  played_ms: fill.duration_ms,
  ...fields,
});
const factsOf = (fill: Fill): PlayFacts => decodePlayId(fill.play_id, allKeys)!;
const rowsOf = async (campaign: CampaignRow) =>
  (
    await clickhouse.client.query({
      query: `select late, toUInt32(count()) as plays from plays_raw where campaign_handle = ${campaign.handle} group by late`,
      format: 'JSONEachRow',
    })
  ).json<{ late: boolean; plays: number }>();

/** The amounts, which always add up, once all reports are counted. */
async function amountsOf(campaign: CampaignRow) {
  await until(async () => ((await world.redis.zcard('{plays:0}:intake:plays:pending')) === 0 ? true : undefined));
  const all = await world.authority.amounts(campaign.handle);
  expect(all.handed).toBe(all.free + all.open + all.inDoubt + all.spent + all.returned);
  expect(Math.min(...Object.values(all))).toBeGreaterThanOrEqual(0);
  return all;
}
/** Waits until nothing is open any more and answers the amounts. */
const closedAmounts = (campaign: CampaignRow) =>
  until(async () => {
    const all = await amountsOf(campaign);
    return all.open === 0 ? all : undefined;
  });

describe('a process that is killed', () => {
  test('leaves its issued plays in doubt by name and the rest free as soon as the next one is there; its plays still count', async () => {
    const campaign = await addCampaign(world);
    const screen = await addScreen(world);
    const first = await world.start({ DELIVERY_NODE: 'killed' });
    const { client } = await ScreenClient.connect(first.url, screen.token);
    const fills = [await fillOf(client), await fillOf(client)];
    await until(async () => (readdirSync(join(world.dataDir, 'delivery', 'killed')).length === 1 ? true : undefined));
    await new Promise(resolve => setTimeout(resolve, 50)); // what was used is written on the next tick
    await first.kill();
    expect((await world.authority.amounts(campaign.handle)).open).toBeGreaterThan(0);
    const second = await world.start({ DELIVERY_NODE: 'killed' });
    const reserved = fills.reduce((sum, fill) => sum + reservationMicros(factsOf(fill)), 0);
    const after = await closedAmounts(campaign);
    // The unused rest of the one block is not known to have stayed unused.
    expect(after.inDoubt).toBeGreaterThanOrEqual(reserved);
    expect(after.inDoubt).toBeLessThanOrEqual((16 * reserved) / 2);
    expect(await world.redis.zcard(`{plays:0}:c${campaign.handle}:names`)).toBe(2);
    const { client: back } = await ScreenClient.connect(second.url, screen.token);
    expect(
      await report(
        back,
        fills.map(fill => played(fill)),
      ),
    ).toMatchObject({ refused: [] });
    expect(await amountsOf(campaign)).toMatchObject({ spent: reserved });
    expect(await rowsOf(campaign)).toEqual([{ late: false, plays: 2 }]);
    back.close();
    await second.stop();
  }, 60_000);

  test('with a log of another boot leaves all of its money in doubt', async () => {
    const campaign = await addCampaign(world);
    const epoch = 4_000_000;
    await world.authority.grant(campaign.handle, epoch, 1, 1_000);
    const { mkdirSync, writeFileSync } = await import('node:fs');
    mkdirSync(join(world.dataDir, 'delivery', 'rebooted'), { recursive: true });
    writeFileSync(
      join(world.dataDir, 'delivery', 'rebooted', `${epoch}.log`),
      `H 1 ${epoch} another-boot rebooted 1\nB ${campaign.handle} 1 1 10\n`,
    );
    const next = await world.start({ DELIVERY_NODE: 'rebooted' });
    expect((await closedAmounts(campaign)).inDoubt).toBe(1_000);
    await next.stop();
  }, 60_000);
});

describe('between two processes', () => {
  let a: DeliveryProcess;
  let b: DeliveryProcess;
  beforeAll(async () => {
    [a, b] = await Promise.all([world.start({ DELIVERY_NODE: 'a' }), world.start({ DELIVERY_NODE: 'b' })]);
  }, 90_000);
  afterAll(() => Promise.all([a.stop(), b.stop()]));

  test('a fills, the screen moves to b and reports there, a is stopped, fenced and wakes: the play counts once and a goes on under a new epoch', async () => {
    const campaign = await addCampaign(world);
    const screen = await addScreen(world);
    const { client: atA } = await ScreenClient.connect(a.url, screen.token);
    const fill = await fillOf(atA);
    const other = await fillOf(atA);
    const { client: atB } = await ScreenClient.connect(b.url, screen.token);
    await report(atB, [played(fill)]);
    a.child.kill('SIGSTOP');
    await world.redis.set(CLOCK, 300 * SECOND);
    await world.authority.epochs.renew(await epochOf(b, screen.token)); // b is well and renews
    await fenceNodes(jobs);
    expect((await amountsOf(campaign)).inDoubt).toBeGreaterThan(0);
    a.child.kill('SIGCONT');
    const { client: again } = await ScreenClient.connect(a.url, screen.token);
    const epoch = await until(async () => {
      const { epoch: now } = factsOf(await fillOf(again, {}));
      return now === factsOf(fill).epoch ? undefined : now;
    });
    expect(epoch).toBeGreaterThan(factsOf(fill).epoch);
    await report(again, [played(fill), played(other)]);
    await amountsOf(campaign);
    expect(await rowsOf(campaign)).toEqual([{ late: false, plays: 2 }]);
    again.close();
  }, 60_000);

  test('the same play reported to both at once has one row and one charge', async () => {
    const campaign = await addCampaign(world);
    const screen = await addScreen(world);
    const { client: atA } = await ScreenClient.connect(a.url, screen.token);
    const fill = await fillOf(atA);
    const cost = reservationMicros(factsOf(fill));
    atA.send({ t: 'plays', id: ++messageId, plays: [played(fill)] });
    const { client: atB } = await ScreenClient.connect(b.url, screen.token);
    await Promise.all([
      report(atB, [played(fill)]),
      playQueue.add({ id: 'twice-1', plays: [plainReport(fill)], scans: [], releases: [] }),
    ]);
    expect((await amountsOf(campaign)).spent).toBe(cost);
    expect(await rowsOf(campaign)).toEqual([{ late: false, plays: 1 }]);
    await until(async () => {
      await settleSpend(jobs);
      return (
        await world.sql<{ m: number }[]>`select charged_micros as m from campaigns where handle = ${campaign.handle}`
      )[0]!.m > 0
        ? true
        : undefined;
    }).catch(() => undefined);
    atB.close();
  }, 60_000);

  test('a settled_to gives back what this process issued and nobody reported, once as_of has passed the message', async () => {
    const campaign = await addCampaign(world);
    const screen = await addScreen(world);
    const { client } = await ScreenClient.connect(a.url, screen.token);
    const [lost, kept] = [await fillOf(client), await fillOf(client)];
    const reserved = reservationMicros(factsOf(lost));
    // The screen's clock runs an hour ahead for a moment: what it promises then holds for both, and it plays neither.
    await report(client, [played(kept)], { settled_to: Date.now() + HOUR });
    await until(async () =>
      (await world.redis.getbit(
        `{plays:0}:c${campaign.handle}:bits:${factsOf(lost).epoch}`,
        2 * factsOf(lost).issueNumber,
      )) === 1
        ? true
        : undefined,
    );
    expect((await amountsOf(campaign)).spent).toBe(reserved);
    // Back an hour, an older settled_to does nothing; a report of the thrown away play is late and uncharged.
    await report(client, [played(lost)], { settled_to: Date.now() - HOUR });
    expect((await amountsOf(campaign)).spent).toBe(reserved);
    expect((await rowsOf(campaign)).sort((x, y) => Number(x.late) - Number(y.late))).toEqual([
      { late: false, plays: 1 },
      { late: true, plays: 1 },
    ]);
    client.close();
  }, 60_000);

  test('a play that comes before its time keeps its reservation, whatever the settled_to of its message covers, and counts when it comes again', async () => {
    const campaign = await addCampaign(world);
    const screen = await addScreen(world);
    const { client } = await ScreenClient.connect(a.url, screen.token);
    const [early, over] = [await fillOf(client, { at: Date.now() }), await fillOf(client)];
    const reserved = reservationMicros(factsOf(early));
    expect(await report(client, [played(early), played(over)], { settled_to: Date.now() + SECOND })).toMatchObject({
      refused: [{ play_id: early.play_id, reason: 'before_end' }],
    });
    expect(await amountsOf(campaign)).toMatchObject({ spent: reserved });
    await new Promise(resolve => setTimeout(resolve, early.starts_at + 1_050 - Date.now()));
    expect(await report(client, [played(early)])).toMatchObject({ refused: [] });
    expect(await amountsOf(campaign)).toMatchObject({ spent: 2 * reserved });
    expect(await rowsOf(campaign)).toEqual([{ late: false, plays: 2 }]);
    client.close();
  }, 60_000);

  test('a settled_to at b gives back nothing of a: a reported play of it still counts', async () => {
    const campaign = await addCampaign(world);
    const screen = await addScreen(world);
    const { client: atA } = await ScreenClient.connect(a.url, screen.token);
    const fill = await fillOf(atA);
    const { client: atB } = await ScreenClient.connect(b.url, screen.token);
    await report(atB, [], { settled_to: Date.now() + HOUR });
    await report(atB, [played(fill)]);
    expect((await amountsOf(campaign)).spent).toBe(reservationMicros(factsOf(fill)));
    expect(await rowsOf(campaign)).toEqual([{ late: false, plays: 1 }]);
    atB.close();
  }, 60_000);

  test('a sensor that claims 10,000 people costs what was reserved and no more', async () => {
    const campaign = await addCampaign(world);
    const screen = await addScreen(world);
    const module = await addModule(world, screen);
    const { client } = await ScreenClient.connect(b.url, screen.token);
    // delivery has heard of the module
    const fill = await until(async () => [await fillOf(client)].find(each => factsOf(each).sensor));
    const plays = [played(fill, { audience: 10_000 })];
    const before = (await amountsOf(campaign)).spent;
    expect(await report(client, plays, { attestation: module.attest(plays) })).not.toHaveProperty('unattested');
    expect((await amountsOf(campaign)).spent - before).toBe(reservationMicros(factsOf(fill)));
    client.close();
  }, 60_000);

  async function epochOf(process: DeliveryProcess, token: string): Promise<number> {
    const { client } = await ScreenClient.connect(process.url, token);
    const { epoch } = factsOf(await fillOf(client));
    client.close();
    return epoch;
  }
});

test('a budget of exactly three plays on four processes, two of which are killed, is never exceeded', async () => {
  const screens = await Promise.all([1, 2, 3, 4].map(() => addScreen(world)));
  const probe = await addCampaign(world);
  const nodes = ['w', 'x', 'y', 'z'];
  const running = await Promise.all(nodes.map(node => world.start({ DELIVERY_NODE: `three-${node}` })));
  const clients = await Promise.all(
    running.map(async (process, at) => (await ScreenClient.connect(process.url, screens[at]!.token)).client),
  );
  const price = reservationMicros(factsOf(await fillOf(clients[0]!)));
  await world.sql`update campaigns set status = 'paused' where handle = ${probe.handle}`;
  await change(world, 'campaign', probe.handle);
  const campaign = await addCampaign(world, { budget_micros: 3 * price });
  const fills: Fill[] = [];
  const ask = async (client: ScreenClient): Promise<void> => {
    const id = ++messageId;
    client.send({ t: 'slot', id, count: 2, at: Date.now() - 55 * SECOND });
    for (const slot of (await client.next('fill', id))['slots'] as Fill[])
      if (slot.no_fill === undefined && factsOf(slot).campaign === campaign.handle) fills.push(slot);
  };
  await until(async () => {
    await Promise.all(clients.map(ask));
    return fills.length > 0 ? true : undefined;
  });
  await Promise.all([running[0]!.kill(), running[1]!.kill()]);
  const revived = await Promise.all([0, 1].map(at => world.start({ DELIVERY_NODE: `three-${nodes[at]}` })));
  const back = await Promise.all(
    revived.map(async (process, at) => (await ScreenClient.connect(process.url, screens[at]!.token)).client),
  );
  const all = [...back, clients[2]!, clients[3]!];
  for (let round = 0; round < 20; round++) await Promise.all(all.map(ask));
  expect(fills.length).toBeLessThanOrEqual(3);
  for (const fill of fills)
    await report(all[screens.findIndex(screen => screen.handle === factsOf(fill).screen)]!, [
      played(fill),
      played(fill),
    ]);
  expect((await amountsOf(campaign)).spent).toBe(fills.length * price);
  expect(await rowsOf(campaign)).toEqual([{ late: false, plays: fills.length }]);
  await Promise.all([...revived, running[2]!, running[3]!].map(process => process.stop()));
}, 120_000);

/** A signed play of an epoch that holds money for it, whose slot began some time ago, on a screen of its own. */
async function issue(
  ageMs: number,
  key = keys.current,
): Promise<{ campaign: CampaignRow; facts: PlayFacts; playId: string }> {
  const campaign = await addCampaign(world);
  const facts: PlayFacts = {
    campaign: campaign.handle,
    creative: handle('creative', 2),
    screen: handle('screen', 1_000_000 + campaign.handle),
    venue: handle('venue', 4),
    sandbox: false,
    plan: false,
    sensor: false,
    startsAt: Date.now() - ageMs,
    durationMs: 6_000,
    rateMicros: 1_000,
    impressionsEst: 5_000,
    impressionsMax: 5_000,
    audience: 0,
    epoch: 5_000_000 + campaign.handle,
    issueNumber: 1,
  };
  await world.authority.grant(campaign.handle, facts.epoch, 1, 1_000_000);
  return { campaign, facts, playId: encodePlayId(facts, key) };
}
const plainReport = (fill: { play_id: string }): PlayReport => {
  const { screen, startsAt, durationMs } = decodePlayId(fill.play_id, allKeys)!;
  return { playId: fill.play_id, screen, startedAt: startsAt, playedMs: durationMs, receivedAt: Date.now() };
};

test('a play acknowledged at 47:59 h counts although ingest is ten minutes behind; one acknowledged after 48 h is late', async () => {
  const { campaign, playId } = await issue(48 * HOUR - 60 * SECOND);
  await ingest!.close();
  await playQueue.add({ id: 'at-47-59', plays: [plainReport({ play_id: playId })], scans: [], releases: [] });
  await world.redis.set(CLOCK, 600 * SECOND);
  await lapsePlays(jobs); // as_of is held back by the waiting batch, and so is the line
  const tooLate = await issue(48 * HOUR - 60 * SECOND);
  await startWorker();
  await until(async () => ((await playQueue.completed(['at-47-59'])).done.length === 1 ? true : undefined));
  await playQueue.add({ id: 'after-48', plays: [plainReport({ play_id: tooLate.playId })], scans: [], releases: [] });
  expect((await amountsOf(campaign)).spent).toBe(5_000);
  expect(await rowsOf(campaign)).toEqual([{ late: false, plays: 1 }]);
  expect((await amountsOf(tooLate.campaign)).spent).toBe(0);
  expect(await rowsOf(tooLate.campaign)).toEqual([{ late: true, plays: 1 }]);
}, 60_000);

test('a play signed with a key that is no longer the current one counts', async () => {
  const { campaign, playId } = await issue(HOUR, parseSigningKeys(OLD_KEY).current);
  await playQueue.add({ id: 'old-key', plays: [plainReport({ play_id: playId })], scans: [], releases: [] });
  expect((await amountsOf(campaign)).spent).toBe(5_000);
});

test('a batch added again after its successor was settled adds nothing', async () => {
  const { campaign, playId } = await issue(HOUR);
  const batch = { id: 'first-of-two', plays: [plainReport({ play_id: playId })], scans: [], releases: [] };
  await playQueue.add(batch);
  await playQueue.add({ ...batch, id: 'second-of-two' });
  await amountsOf(campaign);
  await jobs.playGroups.markSettled(await jobs.playGroups.unsettled(1_000));
  await playQueue.add(batch);
  expect((await amountsOf(campaign)).spent).toBe(5_000);
  expect(await rowsOf(campaign)).toEqual([{ late: false, plays: 1 }]);
});
