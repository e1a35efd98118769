/**
 * How a delivery process holds its money over time: it renews its epoch, stops filling when it may have been fenced,
 * takes a new epoch every hour, gives idle leases back, and makes up for a process that was killed. The budget side of
 * real processes (`node-under-test.ts`) runs over the real scripts in Redis, on a clock that the test moves.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { allShards, keysOf } from '#authority/authority-keys.ts';
import { type Authority, createAuthority } from '#authority/authority.ts';
import { type Redis } from '#sql/redis.ts';
import { NOT_TAKEN } from '../../../delivery/decision/reservations.ts';
import type { Handle } from '../../../domain/id.ts';
import { moveClock, openFreshRedis } from '../../support/engines/redis.ts';
import { handle } from '../../support/handle.ts';
import { NodeUnderTest } from './node-under-test.ts';

const BUDGET = 100_000;
const GRANT = BUDGET / 50;
const COST = 100;
const HOUR_MS = 3_600_000;
/** A disk of its own, which can be full. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
let redis: Redis;
let authority: Authority;
let folder: string;
let epochs = 0;
let campaigns = 0;
const nodes: Node[] = [];

beforeAll(async () => {
  redis = await openFreshRedis();
  authority = createAuthority(redis);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-keeper-'));
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.crash();
  await moveClock(redis, 0);
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => redis.disconnect());

/** A node whose epochs are counted here, with the moves of a test. */
class Node {
  readonly inside: NodeUnderTest;

  constructor(inside: NodeUnderTest) {
    this.inside = inside;
    nodes.push(this);
  }

  get current() {
    return this.inside.current;
  }
  get facts() {
    return this.inside.facts;
  }
  get reservations() {
    return this.inside.reservations;
  }
  get keeper() {
    return this.inside.keeper;
  }
  get leases() {
    return this.inside.leases;
  }
  get clockMs() {
    return this.inside.clockMs;
  }
  set clockMs(ms) {
    this.inside.clockMs = ms;
  }

  /** A campaign whose budget is handed out, with a lease here. */
  async campaign(): Promise<number> {
    const own = handle('campaign', ++campaigns);
    await authority.hand(own, BUDGET);
    const campaign = this.inside.book({ handle: own, status: 'live', budgetMicros: BUDGET });
    this.reservations.want(campaign, COST);
    await vi.waitUntil(() => this.reservations.available(campaign) === GRANT, { timeout: 10_000 });
    return campaign;
  }

  take(campaign: number, plan = false): number {
    return this.inside.take(campaign, { costMicros: COST, plan });
  }

  async crash(): Promise<void> {
    if (nodes.includes(this)) nodes.splice(nodes.indexOf(this), 1);
    await this.inside.crash();
  }

  logs = (): string[] => this.inside.logs();
  amounts = (campaign: number) => authority.amounts(this.facts[campaign]!.handle);
}

async function started(name = 'n'): Promise<Node> {
  const node = new Node(
    await NodeUnderTest.create({
      authority,
      folder,
      name,
      nextEpoch: async () => ({ epoch: ++epochs, generation: 1 }),
    }),
  );
  await node.keeper.beat();
  return node;
}

/** As the job of the workers: all money in doubt, every epoch ended. */
async function rebuild(campaigns: { campaign: Handle<'campaign'>; handedMicros: number }[]): Promise<void> {
  await redis.del(campaigns.map(({ campaign }) => keysOf(campaign, redis).amounts(campaign))); // Redis has lost them
  await authority.life.end();
  await authority.life.forget();
  await authority.life.rebuild(
    campaigns.map(each => ({ ...each, returnedMicros: 0, takeBackMicros: 0, spentMicros: 0, countedPlays: 0 })),
  );
  await authority.life.begin({ generation: 2, firstEpoch: epochs + 1, lapseLine: 0, asOfMs: 0, mayLive: [] });
}

/** The files of a folder that this process has open, removed ones too. */
const openFiles = (within: string): string[] =>
  readdirSync('/proc/self/fd').flatMap(descriptor => {
    const path = linkOf(`/proc/self/fd/${descriptor}`);
    return path?.startsWith(within) ? [basename(path)] : [];
  });

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // the descriptor of the listing itself
  }
}

describe('a process', () => {
  test.skipIf(!mayMount)('whose disk was full continues under a new epoch once there is room again', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    try {
      const node = await started();
      const campaign = await node.campaign();
      const { epoch } = node.current;
      const filler = join(folder, 'filler');
      expect(() => writeFileSync(filler, Buffer.alloc(64 * 1_024))).toThrow('ENOSPC');
      // What is left of the log's own page takes some lines more.
      for (let plays = 0; plays < 1_000 && node.current.issueLog.isWritable; plays++)
        node.current.issueLog.returned(node.facts[campaign]!.handle, 0);
      expect(node.take(campaign)).toBe(NOT_TAKEN);
      await node.keeper.beat(); // the disk takes no other log, either
      expect([node.current.epoch, node.logs()]).toEqual([epoch, [`${epoch}.log`]]);
      expect(openFiles(folder)).toEqual([`${epoch}.log`]);
      rmSync(filler);
      await node.keeper.beat();
      expect(node.current.epoch).toBeGreaterThan(epoch);
      expect(node.take(campaign)).toBe(1);
      await node.crash();
    } finally {
      execFileSync('umount', ['--lazy', folder]);
    }
  });

  test('fills until 100 s after its last renewal began, and again after the next', async () => {
    const node = await started();
    const campaign = await node.campaign();
    node.clockMs += 100_000;
    expect(node.take(campaign)).not.toBe(NOT_TAKEN);
    node.clockMs += 1;
    expect(node.take(campaign)).toBe(NOT_TAKEN);
    expect(node.reservations.available(campaign)).toBe(GRANT - COST);
    await node.keeper.beat();
    expect(node.take(campaign)).not.toBe(NOT_TAKEN);
  });

  test('that was stopped for 5 minutes and fenced fills nothing when it wakes, then continues under a new epoch', async () => {
    const node = await started();
    const campaign = await node.campaign();
    node.take(campaign);
    const { epoch } = node.current;
    await moveClock(redis, 300_000);
    node.clockMs += 300_000;
    await authority.epochs.fence(120_000);
    expect(node.take(campaign)).toBe(NOT_TAKEN);
    await node.keeper.beat();
    expect(node.current.epoch).toBeGreaterThan(epoch);
    expect(node.take(campaign)).toBe(1);
    await node.keeper.beat();
    // The play of the old epoch is in doubt by name, the rest of its lease is free again.
    expect(await node.amounts(campaign)).toMatchObject({ free: BUDGET - GRANT - COST, open: GRANT, inDoubt: COST });
    expect(node.logs()).toEqual([`${node.current.epoch}.log`]);
  });

  test('that learns of its fence from a grant takes a new epoch at once', async () => {
    const node = await started();
    const campaign = await node.campaign();
    const { epoch } = node.current;
    await authority.epochs.close(epoch, 0);
    node.reservations.want(campaign, GRANT * 2);
    await expect.poll(() => node.current.epoch).toBeGreaterThan(epoch);
    await node.keeper.beat();
    expect(node.take(campaign)).toBe(1);
  });

  test('that stops while a new epoch begins takes no other one, and closes no file that is not its own', async () => {
    const node = await started();
    const next = epochs + 1;
    const { renew } = authority.epochs;
    let answer = (): void => undefined;
    const answered = new Promise<void>(resolve => {
      answer = resolve;
    });
    const renewals = vi.spyOn(authority.epochs, 'renew').mockImplementation(async (epoch, received) => {
      if (epoch !== next) return renew(epoch, received);
      await answered;
      return { live: false, nodes: 1 };
    });
    node.clockMs += HOUR_MS + 1;
    const round = node.keeper.beat();
    await vi.waitUntil(() => renewals.mock.calls.some(([epoch]) => epoch === next), { timeout: 5_000 });
    await node.keeper.stop();
    // They get the numbers of the logs that were closed.
    const others = Array.from({ length: 4 }, (_, index) => openSync(join(folder, `other-${index}`), 'w'));
    answer();
    await round;
    renewals.mockRestore();
    expect(epochs).toBe(next);
    for (const other of others) closeSync(other);
  }, 10_000);

  test('that cannot begin its new epoch yet retries the same one, and takes another if a rebuild ended it', async () => {
    const node = await started();
    const campaign = await node.campaign();
    const { epoch } = node.current;
    await authority.epochs.close(epoch, 0);
    await node.keeper.beat(); // notices its end
    await authority.life.end();
    node.current.end();
    for (let round = 0; round < 3; round++) await node.keeper.beat();
    expect(epochs).toBe(node.current.epoch + 1);
    await authority.life.begin({ generation: 1, firstEpoch: epochs + 1, lapseLine: 0, asOfMs: 0, mayLive: [] });
    await node.keeper.beat();
    await node.keeper.beat();
    expect(node.current.epoch).toBe(epochs);
    expect(node.logs()).toEqual([`${epochs}.log`]);
    expect(openFiles(folder)).toEqual([`${epochs}.log`]);
    node.reservations.want(campaign, COST);
    await expect.poll(() => node.take(campaign)).toBe(1);
  });

  test('claims its last leases after a rebuild, and not leases returned under an earlier epoch', async () => {
    let postgresIsAway = true;
    const endEpoch = async (): Promise<void> => {
      if (postgresIsAway) throw new Error('Postgres is away');
    };
    const node = new Node(
      await NodeUnderTest.create({
        authority,
        folder,
        name: 'n',
        nextEpoch: async () => ({ epoch: ++epochs, generation: 1 }),
        endEpoch,
      }),
    );
    const campaign = await node.campaign();
    node.clockMs += HOUR_MS + 1;
    await node.keeper.beat(); // the first epoch is settled, its end is not told yet
    expect(await node.amounts(campaign)).toMatchObject({ free: BUDGET - GRANT, open: GRANT, inDoubt: 0 });
    await rebuild([{ campaign: node.facts[campaign]!.handle, handedMicros: BUDGET }]);
    postgresIsAway = false;
    for (let round = 0; round < 3; round++) await node.keeper.beat();
    expect(await node.amounts(campaign)).toMatchObject({ free: GRANT, inDoubt: BUDGET - GRANT });
  });

  test('takes a new epoch every hour, with its leases before the old one ends; issue numbers start again', async () => {
    const node = await started();
    const campaign = await node.campaign();
    const unused = handle('campaign', ++campaigns);
    await authority.hand(unused, BUDGET);
    node.inside.book({ handle: unused, status: 'live', budgetMicros: BUDGET });
    for (let play = 0; play < 3; play++) node.take(campaign);
    const { epoch } = node.current;
    node.clockMs += HOUR_MS + 1;
    node.reservations.fillUntilMs = Infinity;
    await node.keeper.beat();
    expect(node.current.epoch).toBe(epoch + 1);
    expect(await authority.amounts(unused)).toMatchObject({ free: BUDGET, open: 0 }); // it had no lease before
    expect(node.reservations.available(campaign)).toBe(GRANT);
    expect(node.take(campaign)).toBe(1);
    expect(await node.amounts(campaign)).toMatchObject({
      free: BUDGET - GRANT - 3 * COST,
      open: GRANT,
      inDoubt: 3 * COST,
    });
    expect(
      await authority.count(`hour-${epoch}`, node.facts[campaign]!.handle, [
        { epoch, issueNumber: 2, reservationMicros: COST, costMicros: 60 },
      ]),
    ).toEqual(['counted']);
    expect(await node.amounts(campaign)).toMatchObject({ inDoubt: 2 * COST, spent: 60 });
  });

  test('names plays that are out for a minute, so that they can lapse', async () => {
    const node = await started();
    const campaign = await node.campaign();
    node.take(campaign);
    const name = vi.spyOn(authority.epochs, 'name');
    await node.keeper.beat();
    expect(name).not.toHaveBeenCalled(); // none has been out for so long
    node.clockMs += 61_000;
    node.take(campaign);
    await node.keeper.beat();
    const handle = node.facts[campaign]!.handle;
    expect(await redis.zrange(keysOf(handle, redis).names(handle), 0, -1)).toEqual([`${node.current.epoch}:1:${COST}`]);
    await authority.epochs.lapse([handle], 2_000_000_000_001);
    expect(await node.amounts(campaign)).toMatchObject({ free: BUDGET - GRANT + COST, open: GRANT - COST });
    await Promise.all(allShards(redis).map(({ line }) => redis.del(line)));
  });

  test('returns an idle lease after five minutes, the lease of a paused campaign at once, and a lease in use never', async () => {
    const node = await started();
    const [used, idle, paused] = [await node.campaign(), await node.campaign(), await node.campaign()];
    node.facts[paused]!.status = 'paused';
    const rounds = async (count: number): Promise<void> => {
      for (let round = 0; round < count; round++) {
        node.take(used);
        await node.keeper.beat();
      }
    };
    await rounds(1);
    expect(await node.amounts(paused)).toMatchObject({ free: BUDGET, open: 0 });
    await rounds(50);
    expect((await node.amounts(idle)).open).toBe(GRANT);
    await rounds(12);
    expect(await node.amounts(idle)).toMatchObject({ free: BUDGET, open: 0 });
    expect((await node.amounts(used)).open).toBeGreaterThan(0);
    node.reservations.want(idle, COST);
    await expect.poll(() => node.reservations.available(idle)).toBe(GRANT);
    expect(node.take(idle)).toBe(1);
  });

  test("reserves at most 5% of a campaign's rest for offline playlists, over all processes and after a crash", async () => {
    await Promise.all(allShards(redis).map(({ live }) => redis.del(live)));
    const node = await started();
    const campaign = await node.campaign();
    const most = (BUDGET * 0.05) / COST;
    const planOut = async (planner: Node, at: number, rounds: number): Promise<number> => {
      let taken = 0;
      for (let round = 0; round < rounds && taken <= most; round++) {
        if (planner.take(at, true) !== NOT_TAKEN) taken++;
        else await planner.keeper.beat();
      }
      return taken;
    };
    expect(await planOut(node, campaign, 3 * most)).toBe(most);
    await expect.poll(() => node.take(campaign)).not.toBe(NOT_TAKEN); // slots of now are not concerned
    await new Promise(resolve => setImmediate(resolve));
    await node.crash();
    const next = await started();
    next.inside.book({ handle: node.facts[campaign]!.handle, status: 'live', budgetMicros: BUDGET });
    next.reservations.want(0, COST);
    await expect.poll(() => next.reservations.available(0)).toBe(GRANT);
    expect(await planOut(next, 0, 10)).toBe(0);
    // One of them is played and reported: there is room again for less than its cost, then for the next.
    await authority.count('plan', node.facts[campaign]!.handle, [
      { epoch: node.current.epoch, issueNumber: 1, reservationMicros: COST, costMicros: COST },
    ]);
    await authority.release(node.facts[campaign]!.handle, node.current.epoch, 2, COST);
    await next.keeper.beat();
    expect(await planOut(next, 0, 10)).toBe(1);
  });

  test('that was killed is recovered by the next one on its folder, even if that one is killed meanwhile', async () => {
    const first = await started();
    const campaign = await first.campaign();
    for (let play = 0; play < 5; play++) first.take(campaign);
    await new Promise(resolve => setImmediate(resolve));
    await first.crash();
    for (let repeat = 0; repeat < 2; repeat++) {
      const next = await started();
      // Of the 5 blocks' numbers 5 were used; the rest of the one open block may have been, as far as the log says.
      const { free, open, inDoubt } = await first.amounts(campaign);
      expect([open, free + inDoubt]).toEqual([0, BUDGET]);
      expect(inDoubt).toBeGreaterThanOrEqual(5 * COST);
      expect(inDoubt).toBeLessThanOrEqual(5 * COST + 16 * COST);
      expect(next.logs()).toEqual([`${next.current.epoch}.log`]);
      await next.crash();
    }
  });

  test('that was killed under a later epoch is recovered from the numbers used under that epoch', async () => {
    const PLAYS = 18; // more than a block of numbers
    const first = await started();
    const campaign = await first.campaign();
    first.clockMs += HOUR_MS + 1;
    await first.keeper.beat();
    expect(first.leases.received().length).toBeGreaterThan(0);
    for (let play = 0; play < PLAYS; play++) expect(first.take(campaign)).not.toBe(NOT_TAKEN);
    await new Promise(resolve => setImmediate(resolve));
    const log = readFileSync(first.current.issueLog.path, 'latin1');
    expect(log.match(/^U /gm)).toHaveLength(PLAYS);
    await first.crash();
    await started();
    expect((await first.amounts(campaign)).inDoubt).toBeGreaterThanOrEqual(PLAYS * COST);
  });

  test('that ends in order leaves only plays that are out, and no log; with 3,000 leases within its 3 s', async () => {
    const node = await started();
    const handles = Array.from({ length: 3_000 }, () => handle('campaign', ++campaigns));
    await authority.handAll(handles.map(campaign => ({ campaign, totalMicros: BUDGET })));
    for (const handle of handles) {
      const campaign = node.inside.book({ handle, status: 'live', budgetMicros: BUDGET });
      node.reservations.want(campaign, COST);
    }
    await expect.poll(() => node.leases.counts.grants, { timeout: 10_000 }).toBe(3_000);
    node.take(7);
    const began = performance.now();
    await node.keeper.stop();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(node.logs()).toEqual([]);
    expect(await node.amounts(7)).toMatchObject({ free: BUDGET - COST, open: 0, inDoubt: COST });
    expect(await node.amounts(2_999)).toMatchObject({ free: BUDGET, open: 0, inDoubt: 0 });
    expect(node.take(8)).toBe(NOT_TAKEN);
  });
});
