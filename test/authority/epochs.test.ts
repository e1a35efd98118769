/**
 * The epochs of delivery processes in the authority: when one is fenced, what stays in doubt of it, and when that is
 * free again. The real scripts in a real Redis, whose time the test moves; `on-cluster.test.ts` runs the same on a
 * cluster.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keysOf } from '#authority/authority-keys.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import { type Epochs } from '#authority/epochs.ts';
import type { Handle } from '../../domain/id.ts';
import { type Redis } from '../../sql/redis.ts';
import { emptyRedis, moveClock, openFreshRedis } from '../support/engines/redis.ts';
import { handle } from '../support/handle.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let redis: Redis;
let authority: Authority;
let epochs: Epochs;
let last = 0;
const next = (): Handle<'campaign'> => handle('campaign', (last += 1));

beforeAll(async () => {
  redis = await openFreshRedis();
  authority = createAuthority(redis);
  epochs = authority.epochs;
});
beforeEach(async () => {
  await emptyRedis(redis);
});
afterAll(() => redis.disconnect());

const play = (epoch: number, issueNumber: number, fields: object = {}) => ({
  epoch,
  issueNumber,
  reservationMicros: 10,
  costMicros: 4,
  ...fields,
});
const nameOf = (issueNumber: number, windowEndsAt: number) => ({
  issueNumber,
  reservationMicros: 10,
  windowEndsAt,
  plan: false,
});
const redisNow = async (): Promise<number> => Number((await redis.time())[0]) * 1000;

/** A campaign with 100 handed out, 60 of it to the epoch. */
async function lease(epoch = next()): Promise<{ campaign: Handle<'campaign'>; epoch: number }> {
  const campaign = next();
  await authority.hand(campaign, 100);
  await authority.grant(campaign, epoch, 1, 60);
  return { campaign, epoch };
}
const amounts = async (campaign: Handle<'campaign'>) => {
  const all = await authority.amounts(campaign);
  expect(all.handed).toBe(all.free + all.open + all.inDoubt + all.spent + all.returned);
  return [all.free, all.open, all.inDoubt, all.spent];
};
/** The line moves to a time and everything that lapses before it does. */
async function lapseTo(line: number): Promise<void> {
  await epochs.raiseLapseLine(line);
  await epochs.lapse(await epochs.lapsing(line, 100), line);
}

describe('an epoch', () => {
  test('lives while it is renewed, and is fenced only after a silence', async () => {
    const { campaign, epoch } = await lease();
    expect(await epochs.renew(epoch)).toEqual({ live: true, nodes: 1 });
    await moveClock(redis, 119_000);
    expect(await epochs.fence(120_000)).toEqual([]);
    await moveClock(redis, 121_000);
    expect(await epochs.fence(120_000)).toEqual([epoch]);
    expect(await epochs.closing()).toEqual([epoch]);
    expect(await epochs.renew(epoch)).toMatchObject({ live: false });
    await expect(authority.grant(campaign, epoch, 2, 10)).rejects.toMatchObject({ code: 'epoch_closed' });
    await expect(authority.giveBack(campaign, epoch, 1, 10)).rejects.toMatchObject({ code: 'epoch_closed' });
    await epochs.settle(epoch, [{ campaign, unknownMicros: undefined }]);
    expect(await amounts(campaign)).toEqual([40, 0, 60, 0]);
  });

  test('renewed within the quiet time is not closed by the next process on its folder', async () => {
    const { epoch } = await lease();
    await epochs.renew(epoch);
    expect(await epochs.close(epoch, 12_000)).toBe('live');
    await moveClock(redis, 13_000);
    expect(await epochs.close(epoch, 12_000)).toBe('closed');
    expect(await epochs.close(epoch, 12_000)).toBe('closed');
  });

  test('keeps its named and possibly issued plays in doubt when it is closed; the rest is free, however often it is settled', async () => {
    const { campaign, epoch } = await lease();
    await epochs.close(epoch, 0);
    const names = new Map([[campaign, [nameOf(1, 2 * DAY_MS), nameOf(2, 2 * DAY_MS)]]]);
    for (let repeat = 0; repeat < 2; repeat++) {
      await epochs.name(epoch, names);
      await epochs.settle(epoch, [{ campaign, unknownMicros: 15 }]);
      expect(await amounts(campaign)).toEqual([65, 0, 35, 0]);
    }
    // One of the named and one of those that were not in the log are reported.
    expect(await authority.count('j', campaign, [play(epoch, 1), play(epoch, 3)])).toEqual(['counted', 'counted']);
    expect(await amounts(campaign)).toEqual([77, 0, 15, 8]);
    await epochs.name(epoch, names);
    await epochs.settle(epoch, [{ campaign, unknownMicros: 15 }]);
    expect(await amounts(campaign)).toEqual([77, 0, 15, 8]);
  });

  test('leaves nothing open if a grant was executed without an answer', async () => {
    const { campaign, epoch } = await lease();
    await epochs.close(epoch, 0);
    expect(await epochs.campaignsOf(epoch)).toEqual([campaign]);
    await epochs.settle(epoch, [{ campaign, unknownMicros: 0 }]);
    expect(await amounts(campaign)).toEqual([100, 0, 0, 0]);
    expect(await epochs.campaignsOf(epoch)).toEqual([]);
    expect(Object.keys(await redis.hgetall(keysOf(campaign, redis).amounts(campaign))).sort()).toEqual([
      'counted',
      'free',
      'handed',
    ]);
  });

  test('pays a debt of its campaign first when it ends', async () => {
    const { campaign, epoch } = await lease();
    await authority.takeBack(campaign, 70);
    await epochs.close(epoch, 0);
    await epochs.settle(epoch, [{ campaign, unknownMicros: 0 }]);
    expect(await authority.amounts(campaign)).toMatchObject({ free: 30, returned: 70, open: 0 });
  });
});

describe('a play with a name', () => {
  test('loses its name when it is counted, late or released, and gets no new one', async () => {
    const { campaign, epoch } = await lease();
    const names = new Map([[campaign, [nameOf(1, 1), nameOf(2, 1), nameOf(3, 1)]]]);
    await epochs.name(epoch, names);
    await authority.count('j', campaign, [play(epoch, 1), play(epoch, 2, { lapsed: true })]);
    await authority.release(campaign, epoch, 3, 10);
    await epochs.name(epoch, names);
    expect(await redis.zcard(keysOf(campaign, redis).names(campaign))).toBe(0);
    expect(await redis.hget(keysOf(campaign, redis).amounts(campaign), `named:${epoch}`)).toBeNull();
    expect(await amounts(campaign)).toEqual([66, 30, 0, 4]);
  });

  test('lapses once when the line has passed its window, not at its end; a report of it is late once', async () => {
    const { campaign, epoch } = await lease();
    await epochs.name(epoch, new Map([[campaign, [nameOf(1, 1_000), nameOf(2, 2_000)]]]));
    await lapseTo(1_000);
    expect(await amounts(campaign)).toEqual([40, 60, 0, 0]);
    await lapseTo(1_001);
    await lapseTo(1_001);
    expect(await amounts(campaign)).toEqual([50, 50, 0, 0]);
    expect(await authority.count('j1', campaign, [play(epoch, 1), play(epoch, 2)])).toEqual(['late', 'counted']);
    expect(await authority.count('j2', campaign, [play(epoch, 1)])).toEqual(['duplicate']);
    expect(await amounts(campaign)).toEqual([56, 40, 0, 4]);
  });

  test('named after the line has passed its window lapses at once', async () => {
    const { campaign, epoch } = await lease();
    await epochs.raiseLapseLine(5_000);
    await epochs.name(epoch, new Map([[campaign, [nameOf(1, 4_999), nameOf(2, 5_000)]]]));
    expect(await amounts(campaign)).toEqual([50, 50, 0, 0]);
    expect(await redis.zcard(keysOf(campaign, redis).names(campaign))).toBe(1);
  });

  test('is found among hundreds', async () => {
    const campaign = next();
    const epoch = next();
    await authority.hand(campaign, 20_000);
    await authority.grant(campaign, epoch, 1, 20_000);
    await epochs.name(
      epoch,
      new Map([[campaign, Array.from({ length: 1_700 }, (_, at) => nameOf(at + 1, 1_000 + at))]]),
    );
    for (let round = 0; round < 4; round++) await lapseTo(2_000_000);
    expect(await amounts(campaign)).toEqual([17_000, 3_000, 0, 0]);
    expect(await epochs.lapsing(10 * DAY_MS, 10)).toEqual([]);
  });
});

describe('the line', () => {
  test('never falls', async () => {
    await epochs.raiseLapseLine(9);
    await epochs.raiseLapseLine(7);
    expect(await epochs.lapseLine()).toBe(9);
  });

  test('frees money in doubt without a name only after the last slot that could have been issued', async () => {
    const { campaign, epoch } = await lease();
    await epochs.name(epoch, new Map([[campaign, [nameOf(1, (await redisNow()) + 2 * DAY_MS)]]]));
    await epochs.close(epoch, 0);
    await epochs.settle(epoch, [{ campaign, unknownMicros: 20 }]);
    const now = await redisNow();
    await lapseTo(now + 3 * DAY_MS);
    expect(await amounts(campaign)).toEqual([80, 0, 20, 0]);
    await lapseTo(now + 8 * DAY_MS);
    expect(await amounts(campaign)).toEqual([80, 0, 20, 0]);
    await lapseTo(now + 9 * DAY_MS + HOUR_MS);
    expect(await amounts(campaign)).toEqual([100, 0, 0, 0]);
    expect(await epochs.campaignsOf(epoch)).toEqual([]);
    expect(Object.keys(await redis.hgetall(keysOf(campaign, redis).amounts(campaign))).sort()).toEqual([
      'counted',
      'free',
      'handed',
    ]);
  });
});
