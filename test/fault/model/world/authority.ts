/**
 * The authority in Redis in the model: one function per script, each atomic. `ask` is how everybody else calls them: a
 * call may be lost, late, repeated, or carried out without an answer.
 */
import { one, pick } from '../chance.ts';
import { holds } from '../rules.ts';
import {
  DEADLINE,
  fail,
  FENCE,
  isCutOff,
  LEAD,
  LOCK,
  nameOf,
  PLAN_WINDOW,
  strikes,
  sum,
  timeOf,
  windowEnd,
  type Answer,
  type Batch,
  type Epoch,
  type Money,
  type Play,
  type Redis,
  type Release,
  type Reported,
  type World,
} from './world.ts';

const UNNAMED_WINDOW = 48 * 3_600_000;
type Closed = { closed: true; generation: number };
/**
 * What a log of a process that is gone says of a campaign: names of issued plays, and money that may have been issued.
 */
export type Recovered = { names: Play[]; unknown: number };

function add(amounts: Record<number, number>, key: number, amount: number): void {
  amounts[key] = (amounts[key] ?? 0) + amount;
}

function freeUp(money: Money, amount: number): void {
  money.free += amount;
  const owed = holds('owed') ? Math.min(money.free, Math.max(0, money.target - money.returned)) : 0;
  money.free -= owed;
  money.returned += owed;
}

function pocketOf({ open, doubt }: Money, { epoch, reserved }: Play): Record<number, number> | undefined {
  if ((open[epoch] ?? 0) >= reserved) return open;
  return (doubt[epoch] ?? 0) >= reserved ? doubt : undefined;
}

/** True: the play's cost is spent. */
function charge({ first }: Redis, money: Money, play: Reported): boolean {
  const from = play.epoch < first ? undefined : pocketOf(money, play);
  if (from) {
    from[play.epoch]! -= play.reserved;
    money.spent += play.cost;
    freeUp(money, play.reserved - play.cost);
    return true;
  }
  if (play.epoch >= first && holds('rebuildFence')) return false;
  const amount = holds('oldAtCost') ? play.cost : play.reserved; // a play from before a rebuild
  if (money.old < amount) return false;
  money.old -= amount;
  money.spent += play.cost;
  freeUp(money, amount - play.cost);
  return true;
}

/** Of a play that will never be charged. */
function unreserve({ first }: Redis, money: Money, play: Play): void {
  const from = play.epoch < first ? undefined : pocketOf(money, play);
  if (from) {
    from[play.epoch]! -= play.reserved;
    freeUp(money, play.reserved);
  } else if (!holds('oldAtCost') && money.old >= play.reserved) {
    money.old -= play.reserved;
    freeUp(money, play.reserved);
  }
}

function drop(redis: Redis, money: Money, play: Play): void {
  money.bits[play.id] = (money.bits[play.id] ?? 0) | 2;
  delete money.names[play.id];
  unreserve(redis, money, play);
}

function keepName({ redis }: World, play: Play): void {
  const money = redis.campaigns[play.campaign]!;
  if (money.bits[play.id] || !holds('named')) return;
  if (holds('lapseLine') && windowEnd(play) < redis.line) drop(redis, money, play);
  else money.names[play.id] = play;
}

function epochOf({ redis, now }: World, epoch: number): Epoch {
  if (epoch < redis.first) return { state: 'old', seen: 0, grants: {}, gifts: {} };
  return (redis.epochs[epoch] ??= { state: 'live', seen: now, grants: {}, gifts: {} });
}

function closedNow({ redis }: World): Closed {
  return { closed: true, generation: redis.generation };
}

/** The time up to which every acknowledged play has its row. */
export function asOf({ redis, now }: World): number {
  const lines = Object.values(redis.jobs)
    .filter(job => !job.isDone)
    .map(job => job.line);
  const oldest = Math.min(now, ...lines);
  const { hold } = redis;
  if (hold && (now > hold.from + FENCE || hold.waiting.length === 0)) redis.hold = null;
  return redis.hold ? Math.min(oldest, redis.hold.at) : oldest;
}

function answerFor(world: World, money: Money, play: Reported, isBarred: boolean): Answer {
  const { redis } = world;
  const bits = money.bits[play.id] ?? 0;
  if (bits & 1) return 'duplicate';
  if (!bits && !isBarred && windowEnd(play) >= redis.line && charge(redis, money, play)) {
    money.bits[play.id] = 1;
    return 'counted';
  }
  if (!bits && play.epoch >= redis.first && (isBarred || (money.open[play.epoch] ?? 0) >= play.reserved))
    unreserve(redis, money, play);
  money.bits[play.id] = bits | (holds('lateOnce') ? 3 : 2);
  if (!isBarred && world.plays[play.uid]!.added <= windowEnd(play))
    fail(`play ${play.uid}, acknowledged in time, is answered late`);
  return 'late';
}

const authority = {
  nextEpoch: ({ redis }: World) => ({ epoch: ++redis.epochNumber }),
  hand({ redis }: World, campaign: number, amount: number) {
    const money = redis.campaigns[campaign]!;
    const rise = holds('totals') ? Math.max(0, amount - money.handed) : amount;
    money.handed += rise;
    freeUp(money, rise);
    return {};
  },
  takeBack({ redis }: World, campaign: number, target: number) {
    const money = redis.campaigns[campaign]!;
    money.asked = Math.max(money.asked, target);
    if (holds('owed')) {
      money.target = money.asked;
      freeUp(money, 0);
    } else {
      const amount = Math.min(money.free, Math.max(0, target - money.returned));
      money.free -= amount;
      money.returned += amount;
    }
    return { returned: money.returned, generation: redis.generation };
  },
  renew(world: World, epoch: number): Partial<Closed> {
    const state = epochOf(world, epoch);
    if (state.state !== 'live') return closedNow(world);
    state.seen = world.now;
    return {};
  },
  grant(world: World, epoch: number, campaign: number, seq: number, want: number): Partial<Closed> & { n: number } {
    const state = epochOf(world, epoch);
    const money = world.redis.campaigns[campaign]!;
    if (state.state !== 'live') return { ...closedNow(world), n: 0 };
    const last = state.grants[campaign];
    if (last && (holds('inOrder') ? seq <= last.seq : seq === last.seq)) return { n: last.seq === seq ? last.n : 0 };
    const n = Math.min(want, money.free);
    money.free -= n;
    add(money.open, epoch, n);
    state.grants[campaign] = { seq, n };
    return { n };
  },
  give(world: World, epoch: number, campaign: number, seq: number, amount: number): Partial<Closed> {
    const state = epochOf(world, epoch);
    const money = world.redis.campaigns[campaign]!;
    if (state.state !== 'live') return closedNow(world);
    const last = state.gifts[campaign];
    if (last === undefined || (holds('inOrder') ? seq > last : seq !== last)) {
      state.gifts[campaign] = seq;
      add(money.open, epoch, -amount);
      freeUp(money, amount);
    }
    return {};
  },
  issued(world: World, epoch: number, plays: Play[]): Partial<Closed> {
    if (epochOf(world, epoch).state !== 'live') return closedNow(world);
    for (const play of plays) keepName(world, play);
    return {};
  },
  recover(world: World, epoch: number, parts: Recovered[]) {
    const state = epochOf(world, epoch);
    if (state.state === 'old' || state.state === 'recovered') return {};
    world.redis.campaigns.forEach((money, campaign) => {
      const { names, unknown } = parts[campaign]!;
      const had = (money.open[epoch] ?? 0) + (money.doubt[epoch] ?? 0);
      const outstanding = sum(names.map(play => (money.bits[play.id] ? 0 : play.reserved)));
      money.doubt[epoch] = Math.min(had, outstanding + unknown);
      money.open[epoch] = 0;
      money.until[epoch] = untilOf(world);
      freeUp(money, had - money.doubt[epoch]);
      for (const play of names) keepName(world, play);
    });
    state.state = 'recovered';
    return {};
  },
  fence(world: World) {
    const { epochs, campaigns } = world.redis;
    for (const [epoch, state] of Object.entries(epochs)) {
      if (state.state !== 'live' || world.now - state.seen <= FENCE) continue;
      state.state = 'fenced';
      const number = Number(epoch);
      for (const money of campaigns) {
        add(money.doubt, number, money.open[number] ?? 0);
        money.open[number] = 0;
        money.until[number] = untilOf(world);
      }
    }
    return {};
  },
  lapse({ redis, now }: World, line: number) {
    redis.line = holds('lapseLine') ? Math.max(redis.line, line) : 0;
    const to = holds('lapseLine') ? redis.line : now;
    for (const money of redis.campaigns) {
      for (const play of Object.values(money.names)) if (windowEnd(play) < to) drop(redis, money, play);
      for (const epoch of Object.keys(money.doubt).map(Number)) {
        const amount = money.doubt[epoch]!;
        if (money.until[epoch]! >= to || amount === 0) continue;
        money.doubt[epoch] = 0;
        freeUp(money, amount);
      }
      if (money.old > 0 && money.oldUntil < to) {
        const amount = money.old;
        money.old = 0;
        freeUp(money, amount);
      }
    }
    return {};
  },
  release(world: World) {
    const { redis } = world;
    const line = asOf(world);
    redis.releases = redis.releases.filter(release => {
      if (line <= release.after) return true;
      for (const money of redis.campaigns) {
        for (const play of Object.values(money.names))
          if (play.screen === release.screen && play.slot < release.upTo!) drop(redis, money, play);
      }
      const { play } = release;
      if (play && !redis.campaigns[play.campaign]!.bits[play.id]) drop(redis, redis.campaigns[play.campaign]!, play);
      return false;
    });
    return {};
  },
  releaseSoon({ redis }: World, release: Release & { after: number }) {
    redis.releases.push(release);
    return {};
  },
  add({ redis, now }: World, batch: Batch) {
    const at = batch.added ?? now;
    const job = (redis.jobs[batch.id] ??= {
      ...batch,
      added: at,
      line: at,
      isDone: false,
      lock: 0,
      answers: {},
      group: null,
    });
    return { added: job.added };
  },
  /** Which of these a node may forget, and which it must add again. */
  seen(world: World, ids: string[]) {
    const { jobs } = world.redis;
    const mayForget = (id: string): boolean =>
      jobs[id]?.isDone === true && (!holds('keptToAsOf') || jobs[id].added < asOf(world));
    return { done: ids.filter(mayForget), missing: ids.filter(id => !jobs[id]) };
  },
  take({ redis, now }: World, count: number) {
    const waiting = Object.keys(redis.jobs).filter(id => !redis.jobs[id]!.isDone && redis.jobs[id]!.lock <= now);
    const ids: string[] = [];
    while (waiting.length > 0 && ids.length < count) ids.push(...waiting.splice(pick(waiting.length), 1));
    for (const id of ids) redis.jobs[id]!.lock = now + LOCK;
    return { ids };
  },
  group(
    { redis }: World,
    ids: string[],
    name: string,
  ): { gone: true } | { gone: false; group: string; jobs: string[] } {
    if (ids.some(id => !redis.jobs[id])) return { gone: true };
    const held = holds('oneGroup') ? ids.map(id => redis.jobs[id]!.group).find(group => group !== null) : undefined;
    if (held) return { gone: false, group: held, jobs: redis.groups[held]!.jobs };
    for (const id of ids) redis.jobs[id]!.group = name;
    redis.groups[name] = { jobs: ids, isDone: false, attempt: 0, deadline: 0 };
    return { gone: false, group: name, jobs: ids };
  },
  /** Takes the time of plays on their screens; answers which have none, because others have it. */
  times({ redis }: World, plays: Reported[]): { barred: string[] } {
    const barred = plays
      .filter(play => windowEnd(play) >= redis.line)
      .filter(play => {
        const had = redis.times[timeOf(play)];
        const has = (redis.times[timeOf(play)] ??= nameOf(play));
        return holds('timeByPlay') ? has !== nameOf(play) : had !== undefined;
      });
    return { barred: barred.map(nameOf) };
  },
  /** The answers stay with the job: a repeat gets the same ones. */
  count(
    world: World,
    id: string,
    campaign: number,
    barred: readonly string[],
  ): { gone: true } | { gone: false; answers: Record<number, Answer> } {
    const { jobs, campaigns } = world.redis;
    const job = jobs[id];
    const money = campaigns[campaign]!;
    if (!job) return { gone: true };
    const known = job.answers[campaign];
    if (known) return { gone: false, answers: known };
    const answers: Record<number, Answer> = (job.answers[campaign] = {});
    job.plays.forEach((play, index) => {
      if (play.campaign !== campaign) return;
      answers[index] = answerFor(world, money, play, barred.includes(nameOf(play)));
      delete money.names[play.id];
    });
    if (holds('asOfDup') && Object.values(answers).includes('duplicate')) {
      for (const other of Object.values(jobs))
        if (!other.isDone && Object.keys(other.answers).length > 0) other.line = Math.min(other.line, job.added);
    }
    return { gone: false, answers };
  },
  /** The token and the deadline of the next insert of a group. */
  attempt(
    { redis, now }: World,
    name: string,
    { looked, isAbsent, isLateLook, uptime }: Looked,
  ): { gone: true } | { wait: true } | { look: number; isLate?: boolean } | { token: string; deadline: number } {
    const group = redis.groups[name];
    if (!group || group.isDone) return { gone: true };
    // The server was started again since any insert of the group was asked for: none can come any more.
    const isRestarted = uptime !== undefined && group.attempt > 0 && uptime < group.uptime!;
    const before = group.attempt > 0 && !isRestarted ? group.uptime : undefined;
    if (group.attempt > 0 && holds('lookFirst') && uptime !== undefined) {
      const isOver = now > group.deadline;
      if (looked !== group.attempt) return { look: group.attempt, isLate: isOver };
      if (isAbsent && !isRestarted) {
        if (!isOver) return { wait: true };
        if (!isLateLook) return { look: group.attempt, isLate: true };
      }
      if (isAbsent) group.attempt++;
    } else if (group.attempt > 0 && holds('lookFirst')) {
      if (now <= group.deadline) return { wait: true };
      if (looked !== group.attempt) return { look: group.attempt };
      if (isAbsent) group.attempt++;
    }
    group.attempt ||= 1;
    group.deadline = now + DEADLINE;
    if (uptime !== undefined)
      group.uptime = holds('uptimeLeast') && before !== undefined ? Math.min(uptime, before) : uptime;
    return { token: `${name}:${group.attempt}`, deadline: group.deadline };
  },
  done({ redis }: World, name: string) {
    const group = redis.groups[name];
    if (!group || group.isDone) return {};
    group.isDone = true;
    for (const job of group.jobs.map(id => redis.jobs[id]!)) {
      if (job.isDone) continue;
      job.isDone = true;
      if (holds('releaseAdded')) for (const release of job.frees) redis.releases.push({ ...release, after: job.added });
    }
    return {};
  },
  /** After a rebuild: what a living node had not issued under its closed epoch. */
  claim({ redis }: World, epoch: number, born: number, amounts: number[]) {
    if (redis.generation !== born + 1 || redis.claimed[epoch]) return {};
    redis.claimed[epoch] = true;
    redis.campaigns.forEach((money, campaign) => {
      const amount = Math.min(amounts[campaign]!, money.old);
      money.old -= amount;
      freeUp(money, amount);
    });
    if (redis.hold) redis.hold.waiting = redis.hold.waiting.filter(waiting => waiting !== epoch);
    return {};
  },
};

/** Until when money in doubt without a name waits. */
function untilOf({ now }: World): number {
  return now + (holds('lastSlot') ? LEAD + PLAN_WINDOW : UNNAMED_WINDOW);
}

/** What a worker found when it looked for a group's rows, and how long ClickHouse had run, where it asks that. */
type Looked = { looked: number; isAbsent: boolean; isLateLook: boolean; uptime: number | undefined };

type Scripts = typeof authority;
type Arguments<K extends keyof Scripts> = Scripts[K] extends (world: World, ...rest: infer R) => unknown ? R : never;

/** One call, or undefined: it may never arrive, arrive later, arrive twice, or be carried out and its answer lost. */
export function ask<K extends keyof Scripts>(
  world: World,
  who: string,
  name: K,
  ...given: Arguments<K>
): ReturnType<Scripts[K]> | undefined {
  const { redis, echoes } = world;
  if (!redis.isUp || isCutOff(world, who) || (!redis.isBlessed && name !== 'add')) return undefined;
  const copy = structuredClone(given);
  const run = (later: World): ReturnType<Scripts[K]> =>
    Reflect.apply(authority[name], undefined, [later, ...structuredClone(copy)]);
  if (strikes(world, 'request')) {
    if (pick(2)) echoes.push({ name, run });
    return undefined;
  }
  if (strikes(world, 'twice')) echoes.push({ name, run });
  const reply = structuredClone(run(world));
  redis.newest = world.now;
  return strikes(world, 'reply') ? undefined : reply;
}

/** Carries out one of the calls that were late. */
export function arriveLate(world: World): void {
  world.echoes.splice(world.echoes.indexOf(one(world.echoes)), 1)[0]!.run(world);
}
