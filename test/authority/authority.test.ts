/**
 * The scripts of the authority in a real Redis: money that is handed, granted, spent and given back, and plays that are
 * counted once. By examples, and compared with a model over random orders of calls; `on-cluster-long.test.ts` runs the
 * same on a cluster.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysOf } from '#authority/authority-keys.ts';
import { createAuthority, type Answer, type Authority } from '#authority/authority.ts';
import type { Standing } from '#authority/budget.ts';
import type { Handle } from '../../domain/id.ts';
import { type Redis } from '../../sql/redis.ts';
import { openFreshRedis, place } from '../support/engines/redis.ts';
import { handle } from '../support/handle.ts';

let redis: Redis;
let authority: Authority;
let campaigns = 0;
const nextCampaign = (): Handle<'campaign'> => handle('campaign', (campaigns += 1));

beforeAll(async () => {
  redis = await openFreshRedis();
  authority = createAuthority(redis);
});
afterAll(() => redis.disconnect());

const play = (epoch: number, issueNumber: number, reservationMicros = 10, costMicros = reservationMicros) => ({
  epoch,
  issueNumber,
  reservationMicros,
  costMicros,
});

describe('the authority', () => {
  test('hand carries the total, so a repeat or an older total adds nothing', async () => {
    const campaign = nextCampaign();
    expect([
      await authority.hand(campaign, 100),
      await authority.hand(campaign, 100),
      await authority.hand(campaign, 60),
      await authority.hand(campaign, 130),
    ]).toEqual([100, 0, 0, 30]);
    expect(await authority.amounts(campaign)).toEqual({
      handed: 130,
      free: 130,
      open: 0,
      inDoubt: 0,
      spent: 0,
      returned: 0,
    });
  });

  test('a grant gives the available money, reports the shortfall, and repeats its answer under the same number', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    const first = { grantedMicros: 70, shortMicros: 0 };
    expect(await authority.grant(campaign, 1, 2, 70)).toEqual(first);
    expect(await authority.grant(campaign, 1, 2, 70)).toEqual(first);
    expect(await authority.grant(campaign, 1, 1, 70)).toEqual({ grantedMicros: 0, shortMicros: 0 });
    expect(await authority.grant(campaign, 2, 1, 70)).toEqual({ grantedMicros: 30, shortMicros: 40 });
    expect(await authority.amounts(campaign)).toMatchObject({ free: 0, open: 100 });
  });

  test('returned money is free again, once, and never more than the open amount', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    await authority.grant(campaign, 1, 1, 100);
    expect([await authority.giveBack(campaign, 1, 1, 40), await authority.giveBack(campaign, 1, 1, 40)]).toEqual([
      40, 0,
    ]);
    await expect(authority.giveBack(campaign, 1, 2, 61)).rejects.toThrow('more is given back than is open');
    expect(await authority.amounts(campaign)).toMatchObject({ free: 40, open: 60 });
  });

  test('the same job gets the same answers; another job with the same plays gets duplicates', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    await authority.grant(campaign, 1, 1, 100);
    const plays = [play(1, 0, 10, 4), play(1, 1), play(1, 0, 10, 4)];
    const answers: Answer[] = ['counted', 'counted', 'duplicate'];
    expect(await authority.count('j1', campaign, plays)).toEqual(answers);
    expect(await authority.count('j1', campaign, plays)).toEqual(answers);
    expect(await authority.count('j2', campaign, plays)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(await authority.amounts(campaign)).toEqual({
      handed: 100,
      free: 6,
      open: 80,
      inDoubt: 0,
      spent: 14,
      returned: 0,
    });
  });

  test('a job whose plays changed between two attempts is reported as a bug', async () => {
    const campaign = nextCampaign();
    await authority.count('j1', campaign, [play(1, 0)]);
    await expect(authority.count('j1', campaign, [play(1, 0), play(1, 1)])).rejects.toThrow(
      'counted with 1 plays before and has 2 now',
    );
  });

  test('a released play is late once, then a duplicate; a counted play cannot be released', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    await authority.grant(campaign, 1, 1, 100);
    expect([await authority.release(campaign, 1, 5, 10), await authority.release(campaign, 1, 5, 10)]).toEqual([
      true,
      false,
    ]);
    expect(await authority.count('j1', campaign, [play(1, 5), play(1, 6)])).toEqual(['late', 'counted']);
    expect(await authority.count('j2', campaign, [play(1, 5)])).toEqual(['duplicate']);
    expect(await authority.release(campaign, 1, 6, 10)).toBe(false);
    expect(await authority.amounts(campaign)).toEqual({
      handed: 100,
      free: 10,
      open: 80,
      inDoubt: 0,
      spent: 10,
      returned: 0,
    });
  });

  test('a play without money behind it is late and never takes an amount below zero', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 15);
    await authority.grant(campaign, 1, 1, 15);
    const [result] = await authority.countAll('j1', [{ campaign, plays: [play(1, 0), play(1, 1), play(9, 0)] }]);
    expect(result).toEqual({ answers: ['counted', 'late', 'late'], unbacked: 2 });
    expect(await authority.amounts(campaign)).toMatchObject({ open: 5, spent: 10 });
  });

  test('money in doubt pays for plays of its epoch', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    await authority.grant(campaign, 1, 1, 30);
    await redis
      .multi()
      .hincrby(keysOf(campaign, redis).amounts(campaign), 'open:1', -30)
      .hincrby(keysOf(campaign, redis).amounts(campaign), 'doubt:1', 30)
      .exec();
    expect(await authority.count('j1', campaign, [play(1, 0, 10, 7), play(1, 1)])).toEqual(['counted', 'counted']);
    expect(await authority.amounts(campaign)).toEqual({
      handed: 100,
      free: 73,
      open: 0,
      inDoubt: 10,
      spent: 17,
      returned: 0,
    });
  });

  test('a cost above the reservation and an amount beyond 2^53 are refused before anything is sent', async () => {
    await expect(authority.count('j1', nextCampaign(), [play(1, 0, 10, 11)])).rejects.toThrow(RangeError);
    await expect(authority.hand(nextCampaign(), 2 ** 53)).rejects.toThrow(RangeError);
  });

  test('amounts near 2^53 keep their last digit', async () => {
    const campaign = nextCampaign();
    const budget = 2 ** 53 - 1;
    await authority.hand(campaign, budget);
    expect(await authority.grant(campaign, 1, 1, budget - 2)).toEqual({ grantedMicros: budget - 2, shortMicros: 0 });
    expect(await authority.grant(campaign, 1, 1, 7)).toEqual({ grantedMicros: budget - 2, shortMicros: 0 });
    await authority.count('j1', campaign, [play(1, 0, budget - 3, budget - 4)]);
    expect(await authority.amounts(campaign)).toEqual({
      handed: budget,
      free: 3,
      open: 1,
      inDoubt: 0,
      spent: budget - 4,
      returned: 0,
    });
  });

  test('a budget of exactly three plays on four nodes pays for three plays in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 20 }), async nodes => {
        const campaign = nextCampaign();
        await authority.hand(campaign, 30);
        const issued: { epoch: number; number: number }[] = [];
        const asked = [0, 0, 0, 0];
        for (const node of nodes) {
          asked[node]! += 1;
          const { grantedMicros } = await authority.grant(campaign, node, asked[node]!, 10);
          if (grantedMicros === 10) issued.push({ epoch: node, number: asked[node]! });
        }
        const answers = await authority.count(
          'j',
          campaign,
          issued.map(({ epoch, number }) => play(epoch, number)),
        );
        expect(answers).toEqual(issued.map(() => 'counted'));
        expect(await authority.amounts(campaign)).toMatchObject({ spent: 10 * Math.min(3, nodes.length), handed: 30 });
      }),
      { numRuns: 30 },
    );
  });

  test('taking back uses free money first; the rest is owed and paid before any grant', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    await authority.grant(campaign, 1, 1, 70);
    expect([
      await authority.takeBack(campaign, 50),
      await authority.takeBack(campaign, 50),
      await authority.takeBack(campaign, 20),
    ]).toEqual([30, 30, 30]);
    await authority.giveBack(campaign, 1, 1, 15);
    expect(await authority.amounts(campaign)).toEqual({
      handed: 100,
      free: 0,
      open: 55,
      inDoubt: 0,
      spent: 0,
      returned: 45,
    });
    await authority.count('j1', campaign, [play(1, 0, 10, 3)]);
    expect(await authority.amounts(campaign)).toEqual({
      handed: 100,
      free: 2,
      open: 45,
      inDoubt: 0,
      spent: 3,
      returned: 50,
    });
    await authority.release(campaign, 1, 1, 10);
    expect(await authority.grant(campaign, 2, 1, 70)).toEqual({ grantedMicros: 12, shortMicros: 58 });
    expect(await authority.takeBack(campaign, 50)).toBe(50);
  });

  test('money handed later pays a debt first', async () => {
    const campaign = nextCampaign();
    expect(await authority.takeBack(campaign, 40)).toBe(0);
    await authority.hand(campaign, 30);
    await authority.hand(campaign, 60);
    expect(await authority.amounts(campaign)).toMatchObject({ handed: 60, free: 20, returned: 40 });
  });

  test('a hold blocks grants; it ends with its own take-back or expires', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    await authority.grant(campaign, 1, 1, 20);
    expect(await authority.hold(campaign, 'a', 60_000)).toEqual({
      handed: 100,
      free: 80,
      open: 20,
      inDoubt: 0,
      spent: 0,
      returned: 0,
    });
    expect(await authority.grant(campaign, 1, 2, 10)).toEqual({ grantedMicros: 0, shortMicros: 10 });
    await authority.takeBack(campaign, 30, 'b');
    expect(await authority.grant(campaign, 1, 3, 10)).toEqual({ grantedMicros: 0, shortMicros: 10 });
    await authority.takeBack(campaign, 30, 'a');
    expect(await authority.grant(campaign, 1, 4, 10)).toEqual({ grantedMicros: 10, shortMicros: 0 });
    await authority.hold(campaign, 'c', 0);
    expect(await authority.grant(campaign, 1, 5, 10)).toEqual({ grantedMicros: 10, shortMicros: 0 });
  });

  test('two holds each last until their own take-back, and an abandoned one expires', async () => {
    const campaign = nextCampaign();
    await authority.hand(campaign, 100);
    const grants = async (number: number) => (await authority.grant(campaign, 1, number, 10)).grantedMicros;
    await authority.hold(campaign, 'a', 60_000);
    await authority.hold(campaign, 'b', 60_000);
    await authority.takeBack(campaign, 0, 'b');
    expect(await grants(1)).toBe(0);
    await authority.takeBack(campaign, 0, 'a');
    expect(await grants(2)).toBe(10);
    await authority.hold(campaign, 'left', 0);
    await authority.hold(campaign, 'c', 60_000);
    expect(await grants(3)).toBe(0);
    await authority.takeBack(campaign, 0, 'c');
    expect(await grants(4)).toBe(10);
  });

  test('campaigns that ran short are listed by the largest need, once', async () => {
    await authority.wantHand(handle('campaign', 7), 5);
    await authority.wantHand(handle('campaign', 7), 3);
    await authority.wantHand(handle('campaign', 8), 9);
    expect(await authority.takeWanted(10)).toEqual([
      { campaign: 8, wantMicros: 9 },
      { campaign: 7, wantMicros: 5 },
    ]);
    expect(await authority.takeWanted(10)).toEqual([]);
  });
});

/** The authority as plain data: what the scripts must do, in the words of the design. */
class Model {
  handed = 0;
  free = 0;
  spent = 0;
  target = 0;
  returned = 0;
  readonly open = new Map<number, number>();
  readonly bits = new Map<string, number>();
  readonly jobs = new Map<string, Answer[]>();
  readonly grants = new Map<number, { number: number; answer: { grantedMicros: number; shortMicros: number } }>();
  readonly gives = new Map<number, number>();

  openOf(epoch: number): number {
    return this.open.get(epoch) ?? 0;
  }
  hand(total: number): number {
    const rise = Math.max(0, total - this.handed);
    this.handed += rise;
    this.freed(rise);
    return rise;
  }
  /** Whatever becomes free pays the debt first. */
  freed(micros: number): void {
    this.free += micros;
    const paid = Math.max(0, Math.min(this.free, this.target - this.returned));
    this.free -= paid;
    this.returned += paid;
  }
  takeBack(target: number): number {
    this.target = Math.max(this.target, target);
    this.freed(0);
    return this.returned;
  }
  grant(epoch: number, number: number, want: number): { grantedMicros: number; shortMicros: number } {
    const last = this.grants.get(epoch);
    if (last && number < last.number) return { grantedMicros: 0, shortMicros: 0 };
    if (last && number === last.number) return last.answer;
    const given = Math.min(want, this.free);
    this.free -= given;
    this.open.set(epoch, this.openOf(epoch) + given);
    const answer = { grantedMicros: given, shortMicros: want - given };
    this.grants.set(epoch, { number, answer });
    return answer;
  }
  giveBack(epoch: number, number: number, micros: number): number {
    if (number <= (this.gives.get(epoch) ?? -1)) return 0;
    this.gives.set(epoch, number);
    this.open.set(epoch, this.openOf(epoch) - micros);
    this.freed(micros);
    return micros;
  }
  count(
    job: string,
    plays: readonly {
      epoch: number;
      issueNumber: number;
      reservationMicros: number;
      costMicros: number;
      lapsed: boolean;
    }[],
  ): Answer[] {
    const kept = this.jobs.get(job);
    if (kept) return kept;
    let rest = 0; // a job's money becomes free when all of it is counted
    const answers = plays.map(({ epoch, issueNumber, reservationMicros, costMicros, lapsed }): Answer => {
      const name = `${epoch}:${issueNumber}`;
      const bits = this.bits.get(name) ?? 0;
      if (bits & 1) return 'duplicate';
      const backed = this.openOf(epoch) >= reservationMicros;
      if (bits === 0 && backed) {
        this.open.set(epoch, this.openOf(epoch) - reservationMicros);
        rest += lapsed ? reservationMicros : reservationMicros - costMicros;
        if (!lapsed) this.spent += costMicros;
      }
      const counted = bits === 0 && backed && !lapsed;
      this.bits.set(name, counted ? 1 : 3);
      return counted ? 'counted' : 'late';
    });
    this.freed(rest);
    this.jobs.set(job, answers);
    return answers;
  }
  release(epoch: number, issueNumber: number, reservation: number): boolean {
    const name = `${epoch}:${issueNumber}`;
    if (this.bits.get(name)) return false;
    this.bits.set(name, 2);
    if (this.openOf(epoch) < reservation) return false;
    this.open.set(epoch, this.openOf(epoch) - reservation);
    this.freed(reservation);
    return true;
  }
  standing(): Standing {
    const open = [...this.open.values()].reduce((a, b) => a + b, 0);
    return {
      handed: this.handed,
      free: this.free,
      open,
      inDoubt: 0,
      spent: this.spent,
      returned: this.returned,
      countedPlays: [...this.bits.values()].filter(bits => bits === 1).length,
    };
  }
}

const epoch = fc.integer({ min: 1, max: 3 });
// Neighbours in a byte, in a page, on both sides of a page's end, and far away.
const issue = fc.constantFrom(0, 1, 2, 3, 4, 5, 254, 255, 256, 257, 258, 1_000_003);
// A play's reservation and cost follow from its name, as the signed id says them.
const named = fc
  .record({ epoch, issueNumber: issue, lapsed: fc.boolean() })
  .map(({ epoch: e, issueNumber, lapsed }) => ({
    epoch: e,
    issueNumber,
    reservationMicros: 5 + (issueNumber % 3),
    costMicros: 2 + (issueNumber % 4),
    lapsed: lapsed && issueNumber % 5 === 0,
  }));
const operation = fc.oneof(
  fc.record({ kind: fc.constant('hand' as const), total: fc.integer({ min: 0, max: 400 }) }),
  fc.record({
    kind: fc.constant('grant' as const),
    epoch,
    number: fc.integer({ min: 0, max: 6 }),
    want: fc.integer({ min: 0, max: 60 }),
  }),
  fc.record({
    kind: fc.constant('give' as const),
    epoch,
    number: fc.integer({ min: 0, max: 6 }),
    share: fc.integer({ min: 0, max: 100 }),
  }),
  fc.record({
    kind: fc.constant('count' as const),
    job: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    plays: fc.array(named, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({ kind: fc.constant('release' as const), epoch, issueNumber: issue }),
  fc.record({ kind: fc.constant('take' as const), target: fc.integer({ min: 0, max: 200 }) }),
);

type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;
type CountOperation = Extract<Operation, { kind: 'count' }>;

/** Carries out one call on both sides; answers what Redis said and what the model says. */
async function apply(
  step: Operation,
  { campaign, model, sent }: { campaign: Handle<'campaign'>; model: Model; sent: Map<string, CountOperation['plays']> },
): Promise<[unknown, unknown]> {
  switch (step.kind) {
    case 'hand':
      return [await authority.hand(campaign, step.total), model.hand(step.total)];
    case 'grant':
      return [
        await authority.grant(campaign, step.epoch, step.number, step.want),
        model.grant(step.epoch, step.number, step.want),
      ];
    case 'give': {
      const micros = Math.floor((model.openOf(step.epoch) * step.share) / 100);
      return [
        await authority.giveBack(campaign, step.epoch, step.number, micros),
        model.giveBack(step.epoch, step.number, micros),
      ];
    }
    case 'count': {
      const plays = sent.get(step.job) ?? step.plays; // a job never changes
      sent.set(step.job, plays);
      return [await authority.count(step.job, campaign, plays), model.count(step.job, plays)];
    }
    case 'take':
      return [await authority.takeBack(campaign, step.target), model.takeBack(step.target)];
    case 'release': {
      const reservation = 5 + (step.issueNumber % 3);
      return [
        await authority.release(campaign, step.epoch, step.issueNumber, reservation),
        model.release(step.epoch, step.issueNumber, reservation),
      ];
    }
  }
}

test('for any order of calls with repeats the scripts match the model, and no money appears or is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 40 }), async operations => {
      const world = { campaign: nextCampaign(), model: new Model(), sent: new Map<string, CountOperation['plays']>() };
      for (const step of operations) {
        const [answered, expected] = await apply(step, world);
        expect(answered).toEqual(expected);
        const { countedPlays, ...amounts } = await authority.standing(world.campaign);
        expect({ countedPlays, ...amounts }).toEqual(world.model.standing());
        expect(amounts.handed).toBe(amounts.free + amounts.open + amounts.inDoubt + amounts.spent + amounts.returned);
        expect(Math.min(...Object.values(amounts))).toBeGreaterThanOrEqual(0);
      }
    }),
    // Each run is some dozens of round trips; on a cluster (`npm run test:long`) there are more of them.
    { numRuns: place.url === undefined ? 60 : 200 },
  );
}, 60_000);
