import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePlayId, type PlayFacts, windowEndsAt } from '#domain/play.ts';
import { createLog } from '#runtime/log.ts';
import { allShards, keysOf } from '#sql/authority-keys.ts';
import { readAmounts } from '#sql/authority.ts';
import { createAuthority, execAll, type Amounts, type Authority, type Redis } from '#sql/redis.ts';
import { Outbox } from '../../../delivery/outbox.ts';
import { PlanFills } from '../../../delivery/plan-fills.ts';
import { createReportDesk, type ReportDesk } from '../../../delivery/reports.ts';
import { createGroups, type Group } from '../../../ingest/groups.ts';
import { streamsOf, type IntakeKeys } from '../../../ingest/intake-keys.ts';
import { readAsOf } from '../../../ingest/as-of.ts';
import type { Batch, Intake } from '../../../ingest/intake.ts';
import { processGroup } from '../../../ingest/pipeline.ts';
import { applyReleases } from '../../../ingest/releases.ts';
import { createWriter } from '../../../ingest/writer.ts';
import { fenceNodes } from '../../../workers/jobs/fence-nodes.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { NodeUnderTest } from '../../delivery/budget/node-under-test.ts';
import { KEYS } from '../../ingest/reports.ts';
import { beginAuthority } from '../../support/databases.ts';
import { Breach, ClickhouseStandIn } from './clickhouse.ts';
import { connectionOver, Line } from './line.ts';
import type { Random } from './random.ts';
import { settleLoop, VirtualTime, type Actor } from './virtual-time.ts';

/**
 * One world: the real scripts in a real Redis, the real budget code and outbox of delivery, the real pipeline of ingest; a
 * ClickHouse and a Postgres as plain data, and screens. Everything waits for a move. The authority and the plays are divided
 * into as many shards as the connection says, each with a clock of its own, which a cluster would keep on several servers.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** What a play without a sensor costs, and what one with a sensor costs at most. */
const COST = 2;
const COST_MAX = 4;
/** How long an ad lasts: as short as there is one. */
const SHOW_MS = 6 * SECOND;
const INSERT_MS = 15 * SECOND;
const LOCK_MS = 5 * SECOND;
const log = createLog('search', 'silent');

export type Config = { skewMs: number; budgets: number[]; nodes: number; screens: number; workers: number; slots: number };
type Fill = { playId: string; facts: PlayFacts };
export type Play = Fill & { givenUp: boolean; ackedAt: number; addedAt: number };
type Message = { link: number; screen: ScreenState; way: 'up' | 'down'; node: NodeState; runs: number; body: Record<string, unknown> };
export type ScreenState = {
  handle: number; sensor: boolean; skewMs: number; offlineUntil: number; settledTo: number;
  links: { link: number; node: NodeState; runs: number }[]; fills: Fill[];
  /** `endsAt`: when it is over, by the true time. */
  unacked: { playId: string; startedAt: number; playedMs: number; audience?: number; endsAt: number }[]; sent: Map<number, string[]>;
};
export type NodeState = {
  name: string; folder: string; boot: number; runs: number; cutUntil: number; actor: Actor;
  running: { node: NodeUnderTest; outbox: Outbox; desk: ReportDesk } | undefined; starting: boolean; renewing: boolean; confirming: boolean; beatAt: number;
  /** Redis came back without batches that this node keeps: a second fault on top is not promised. */
  debt: boolean;
};
export type WorkerState = { actor: Actor; busy: boolean; turns: number };
type Camp = { budget: number; handed: number; target: number; returned: number; charged: number; cap: number; told: number };

export class World {
  readonly time: VirtualTime;
  readonly line = new Line();
  readonly clickhouse: ClickhouseStandIn;
  readonly camps: Camp[];
  readonly nodes: NodeState[];
  readonly screens: ScreenState[];
  readonly workers: WorkerState[];
  readonly plays = new Map<string, Play>();
  /** The batches that were stored with a play in them. */
  private readonly jobsOf = new Map<string, Set<string>>();
  readonly net: Message[] = [];
  readonly settled = new Set<string>();
  /** What settlement has read and not committed. */
  readonly reading: { group: string; costs: number[] }[] = [];
  generation = 1;
  lapseLine = 0;
  asOfInPostgres = 0;
  lostAt: number | undefined;
  /** Some shards do not answer, and the workers have not looked yet. */
  isPartlyLost = false;
  slotsLeft: number;
  private epoch = 0;
  private ids = 0;
  private readonly liveEpochs = new Set<number>();
  private readonly locks = new Map<string, number>();
  readonly direct: Authority;
  readonly redis: Redis;
  readonly streams: readonly IntakeKeys[];
  private readonly skewMs: number;
  private readonly intake: Intake;
  private readonly random: Random;
  private readonly folder: string;

  constructor({ config, redis, intake, random, folder }: { config: Config; redis: Redis; intake: Intake; random: Random; folder: string }) {
    this.redis = redis;
    this.intake = intake;
    this.random = random;
    this.folder = folder;
    this.direct = createAuthority(redis);
    this.streams = streamsOf('plays', redis);
    this.skewMs = redis.shards > 1 ? config.skewMs : 0;
    this.time = new VirtualTime(Math.ceil(Date.now() / HOUR) * HOUR);
    this.clickhouse = new ClickhouseStandIn(this.line, () => this.time.now);
    this.slotsLeft = config.slots;
    this.camps = config.budgets.map(budget => ({ budget, handed: 0, target: 0, returned: 0, charged: 0, cap: Infinity, told: 0 }));
    this.nodes = Array.from({ length: config.nodes }, (_, at) => ({ name: `node${at}`, folder: join(folder, `disk${at}`), boot: 1, runs: 0, cutUntil: 0, actor: actorOf(`node${at}`), running: undefined, starting: false, renewing: false, confirming: false, beatAt: 0, debt: false }));
    this.screens = Array.from({ length: config.screens }, (_, at) => ({ handle: at + 1, sensor: at % 2 === 1, skewMs: 0, offlineUntil: 0, settledTo: 0, links: [], fills: [], unacked: [], sent: new Map() }));
    this.workers = Array.from({ length: config.workers }, (_, at) => ({ actor: actorOf(`ingest${at}`), busy: false, turns: at }));
  }

  async begin(): Promise<void> {
    await this.redis.flushdb();
    await this.tick(0);
    await beginAuthority(this.redis);
    for (const { record } of allShards(this.redis)) await this.redis.hset(record, 'first_epoch', 1);
    for (const at of this.camps.keys()) this.raiseHanded(at, 4);
    for (const node of this.nodes) this.startNode(node);
  }

  /** Time passes. */
  async tick(ms: number): Promise<void> {
    this.time.now += ms;
    await Promise.all(allShards(this.redis).map(({ shard, clock }) => this.redis.set(clock, `=${this.time.now + (shard % 2) * this.skewMs}`)));
  }

  /** Nothing can be said of the authority now. */
  get isLost(): boolean {
    return this.lostAt !== undefined || this.isPartlyLost;
  }

  async count(set: 'pending' | 'unsettled'): Promise<number> {
    return (await Promise.all(this.streams.map(keys => this.redis.zcard(keys[set])))).reduce((sum, each) => sum + each, 0);
  }

  // ---------------------------------------------------------------- delivery

  private connection(node: NodeState): Redis {
    return connectionOver(this.redis, this.line.over(() => node.cutUntil > this.time.now));
  }

  private intakeOf(node: NodeState): Intake {
    const { intake, line } = this;
    const cut = line.over(() => node.cutUntil > this.time.now);
    return {
      ...intake,
      add: (batch: Batch, firstAddedAt?: number) => cut.pass('add', async () => {
        const added = await intake.add(batch, firstAddedAt);
        for (const { playId } of batch.plays) {
          const jobs = this.jobsOf.get(playId) ?? new Set();
          this.jobsOf.set(playId, jobs.add(batch.id));
          const play = this.plays.get(playId)!;
          play.addedAt = Math.min(play.addedAt, added.addedAt);
        }
        return added;
      }),
      completed: ids => cut.pass('completed', () => intake.completed(ids)),
      asOf: () => cut.pass('as_of', () => intake.asOf()),
    };
  }

  /** A process starts on the node's folder. It answers screens once its first renewal has come through. */
  startNode(state: NodeState): void {
    const actor = state.actor = actorOf(state.name);
    state.runs++;
    state.starting = true;
    mkdirSync(state.folder, { recursive: true });
    for (const name of logsIn(join(state.folder, 'n'))) this.liveEpochs.delete(Number.parseInt(name, 10));
    void this.time.as(actor, async () => {
      const authority = createAuthority(this.connection(state));
      const intake = this.intakeOf(state);
      let outbox: Outbox | undefined;
      const node = await NodeUnderTest.create({
        authority, folder: state.folder, name: 'n', bootId: `boot${state.boot}`, now: () => this.time.now, asOf: () => intake.asOf(),
        nextEpoch: async () => {
          this.liveEpochs.add(++this.epoch);
          return { epoch: this.epoch, generation: this.generation };
        },
        endEpoch: async epoch => { this.liveEpochs.delete(epoch); },
        addAgain: async () => outbox?.addAgain(),
      });
      if (actor.dead) return;
      for (const [at, { budget }] of this.camps.entries()) node.facts.push({ handle: at + 1, status: 'live', budgetMicros: Math.max(1, budget) });
      outbox = new Outbox({ intake, epoch: node.current.epoch, log });
      state.running = { node, outbox, desk: createReportDesk({ outbox, planFills: new PlanFills(), issuedPlays: node.issuedPlays, keys: KEYS, log }) };
    }).catch(() => {
      if (state.actor === actor) this.killNode(state); // it could not renew: the supervisor starts another
    }).finally(() => { if (state.actor === actor) state.starting = false; });
  }

  killNode(state: NodeState): void {
    state.actor.dead = true;
    this.time.drop(state.actor);
    this.line.drop(state.actor);
    state.running = undefined;
    state.starting = state.renewing = state.confirming = state.debt = false;
  }

  /** What was not on the platter yet is gone from its logs, and the machine boots. */
  losePower(state: NodeState): void {
    this.killNode(state);
    state.boot++;
    const folder = join(state.folder, 'n');
    for (const name of logsIn(folder)) {
      const lines = readFileSync(join(folder, name), 'latin1').split('\n').slice(0, -1);
      const kept = lines.slice(0, Math.max(1, lines.length - this.random.pick(4)));
      writeFileSync(join(folder, name), kept.map(line => `${line}\n`).join(''), 'latin1');
    }
  }

  loseMachine(state: NodeState): void {
    this.killNode(state);
    state.folder += 'x';
    state.boot++;
  }

  /** The beat of a node: renewal, names, idle money, the settlement of what is past. */
  beat(state: NodeState): void {
    const { node } = state.running!;
    state.renewing = true;
    state.beatAt = this.time.now;
    void this.time.as(state.actor, () => node.keeper.beat()).finally(() => { state.renewing = false; });
  }

  confirm(state: NodeState): void {
    const { outbox } = state.running!;
    state.confirming = true;
    void this.time.as(state.actor, () => outbox.confirm()).finally(() => { state.confirming = false; });
  }

  /** Wants become grants. */
  collect(state: NodeState): void {
    const { leases } = state.running!.node;
    this.time.as(state.actor, () => (leases as unknown as { collect(): void }).collect());
  }

  /** Whether a want waits to be collected. */
  wants(state: NodeState): boolean {
    return (state.running!.node.reservations as unknown as { wants: number[] }).wants.length > 0;
  }

  /** Whether a stored play has no row yet. */
  hasStored(): boolean {
    return this.jobsOf.size > this.clickhouse.raw.length;
  }

  settledRows(): number {
    return this.clickhouse.raw.reduce((sum, row) => sum + (this.settled.has(row.group) ? 1 : 0), 0);
  }

  /** An idle lease goes back, as after five minutes. */
  giveBack(state: NodeState, campaign: number): void {
    const { node } = state.running!;
    if (node.reservations.isWanted(campaign)) return;
    (node.reservations as unknown as { idleRounds: Uint16Array }).idleRounds[campaign] = 1_000;
    void this.time.as(state.actor, () => node.leases.giveBackIdle()).catch(() => undefined); // a lost answer is asked for again
  }

  private fill(state: NodeState, screen: ScreenState, { at, plan }: { at: number; plan: boolean }): Fill | undefined {
    const { node } = state.running!;
    const campaign = this.random.pick(this.camps.length);
    const costMicros = screen.sensor ? COST_MAX : COST;
    if (at < this.time.now - MINUTE || at > this.time.now + 48 * HOUR) return undefined;
    const facts: PlayFacts = {
      campaign: campaign + 1, creative: 1, screen: screen.handle, venue: 1, sandbox: false, plan, sensor: screen.sensor, startsAt: at, durationMs: SHOW_MS,
      rateMicros: 1, impressionsEst: COST * 1_000, impressionsMax: costMicros * 1_000, epoch: node.current.epoch, issueNumber: 0,
    };
    facts.issueNumber = this.time.as(state.actor, () => node.take(campaign, { costMicros, startsAtMs: at, windowEndsAt: windowEndsAt(facts), screen: screen.handle, plan }));
    if (facts.issueNumber === 0) return undefined;
    const playId = encodePlayId(facts, KEYS.current);
    const fill = { playId, facts };
    this.plays.set(playId, { ...fill, givenUp: false, ackedAt: 0, addedAt: Infinity });
    return fill;
  }

  // ---------------------------------------------------------------- screens

  connect(screen: ScreenState, node: NodeState): void {
    screen.links.push({ link: ++this.ids, node, runs: node.runs });
    if (screen.links.length > 2) screen.links.shift();
  }

  send(screen: ScreenState, body: Record<string, unknown>): void {
    const { link, node, runs } = this.random.one(screen.links);
    this.net.push({ link, screen, way: 'up', node, runs, body });
  }

  /** Nothing is started long before its slot. */
  mayPlay(screen: ScreenState, fill: Fill): boolean {
    return this.time.now + screen.skewMs >= fill.facts.startsAt - 4 * SECOND;
  }

  play(screen: ScreenState, fill: Fill): void {
    screen.fills = screen.fills.filter(other => other !== fill);
    const clock = this.time.now + screen.skewMs;
    if (clock > fill.facts.startsAt + (fill.facts.plan ? 48 * HOUR : 15 * MINUTE)) return this.giveUp(fill);
    screen.unacked.push({ playId: fill.playId, startedAt: clock, playedMs: SHOW_MS, endsAt: this.time.now + SHOW_MS, ...(screen.sensor && { audience: 1 + this.random.pick(COST_MAX + 2) }) });
  }

  /** Reports what is over, and now and then what is not. */
  report(screen: ScreenState, { settles, isHasty }: { settles: boolean; isHasty: boolean }): void {
    const id = ++this.ids;
    const plays = screen.unacked.filter(play => isHasty || play.endsAt <= this.time.now);
    const body: Record<string, unknown> = { t: 'plays', id, plays };
    if (settles) {
      const kept = Math.min(...screen.unacked.filter(play => !plays.includes(play)).map(({ playId }) => this.plays.get(playId)!.facts.startsAt));
      screen.settledTo = Math.max(screen.settledTo, Math.min(kept, this.time.now + screen.skewMs - this.random.one([0, 5 * SECOND, 10 * MINUTE])));
      if (kept >= screen.settledTo) body['settledTo'] = screen.settledTo;
      for (const fill of screen.fills) if (fill.facts.startsAt < screen.settledTo) this.giveUp(fill);
      screen.fills = screen.fills.filter(fill => fill.facts.startsAt >= screen.settledTo);
    }
    screen.sent.set(id, plays.map(play => play.playId));
    this.send(screen, body);
  }

  cannotPlay(screen: ScreenState, fill: Fill): void {
    screen.fills = screen.fills.filter(other => other !== fill);
    this.giveUp(fill);
    this.send(screen, { t: 'cannot', id: ++this.ids, playId: fill.playId });
  }

  reboot(screen: ScreenState): void {
    screen.links = [];
    for (const fill of screen.fills) this.giveUp(fill);
    screen.fills = [];
    screen.sent.clear();
  }

  private giveUp(fill: Fill): void {
    this.plays.get(fill.playId)!.givenUp = true;
  }

  /** The first message of a link in one direction arrives. */
  async deliver(message: Message): Promise<void> {
    this.net.splice(this.net.indexOf(message), 1);
    const { screen, node, runs, body } = message;
    if (message.way === 'down') this.listen(screen, message);
    else if (node.running !== undefined && node.runs === runs) this.hear(node, message);
    else if (body['t'] === 'slot') this.slotsLeft++;
    await settleLoop();
  }

  private hear(state: NodeState, { screen, link, runs, body }: Message): void {
    const answer = (reply: object): boolean => Boolean(this.net.push({ link, screen, way: 'down', node: state, runs, body: reply as Record<string, unknown> }));
    const session = { screen: screen.handle, screenHandle: screen.handle, send: answer, sendError: () => true } as never;
    const { desk } = state.running!;
    if (body['t'] === 'slot') {
      const fill = this.fill(state, screen, body as never);
      if (fill !== undefined) answer({ t: 'fill', fill });
      else this.slotsLeft++;
    } else if (body['t'] === 'plays') {
      this.time.as(state.actor, () => desk.takePlays(session, body as never, this.time.now));
    } else this.time.as(state.actor, () => desk.takeCannotPlay(session, body as never));
  }

  private listen(screen: ScreenState, { link, body }: Message): void {
    const fill = body['fill'] as Fill | undefined;
    if (!screen.links.some(each => each.link === link)) {
      if (fill !== undefined) this.giveUp(fill);
      return;
    }
    if (fill !== undefined) {
      if (fill.facts.startsAt < screen.settledTo) this.giveUp(fill);
      else screen.fills.push(fill);
      return;
    }
    const ids = screen.sent.get(body['id'] as number) ?? [];
    const refused = new Map((body['refused'] as { play_id: string; reason: string }[] | undefined ?? []).map(each => [each.play_id, each.reason]));
    for (const id of ids) if (!refused.has(id)) this.plays.get(id)!.ackedAt ||= this.time.now;
    // What came before its time is kept and reported again.
    screen.unacked = screen.unacked.filter(play => !ids.includes(play.playId) || refused.get(play.playId) === 'before_end');
    screen.sent.delete(body['id'] as number);
  }

  // ---------------------------------------------------------------- ingest

  /** A worker takes some jobs that nobody holds, and goes with their groups as far as it gets. */
  takeJobs(worker: WorkerState): void {
    worker.busy = true;
    const { actor } = worker;
    const keys = this.streams[worker.turns++ % this.streams.length]!;
    void this.time.as(actor, async () => {
      const redis = connectionOver(this.redis, this.line);
      const groups = createGroups(redis, keys);
      const authority = createAuthority(redis);
      const writer = createWriter({ clickhouse: this.clickhouse.client, groups, log });
      const lateBefore = async (): Promise<number> => Math.max(await this.line.pass('as_of', () => readAsOf(this.redis, keys)), await authority.epochs.lapseLine());
      const deps = {
        groups, log, keys: KEYS, lateBefore, authority, writer, now: () => new Date(this.time.now),
        deadLetters: { keep: async (letters: readonly unknown[]) => { if (letters.length > 0) throw new Breach(`a dead letter: ${JSON.stringify(letters[0])}`); } },
        scanEvents: { emit: async () => undefined },
        writtenScans: async () => new Set<string>(),
      };
      const free = (await redis.zrange(keys.pending, 0, -1)).filter(id => (this.locks.get(id) ?? 0) <= this.time.now);
      const taken = Array.from({ length: Math.min(free.length, 1 + this.random.pick(3)) }, () => free.splice(this.random.pick(free.length), 1)[0]!);
      if (taken.length === 0) return;
      for (const id of taken) this.locks.set(id, this.time.now + LOCK_MS);
      for (const group of await groups.form(taken)) await this.carry(group, { groups, run: each => processGroup(each, deps, { signal: NEVER, known: new Map() }) });
    }).catch((error: unknown) => this.noteBreach(error)).finally(() => { if (worker.actor === actor) worker.busy = false; });
  }

  /** As the consumer does: tried again, until it is done or forgotten by a rebuild. */
  private async carry(first: Group, { groups, run }: { groups: ReturnType<typeof createGroups>; run: (group: Group) => Promise<void> }): Promise<void> {
    let group: Group = first;
    for (let tries = 0; tries < 4 && !group.done; tries++) {
      for (const id of group.jobs) this.locks.set(id, this.time.now + LOCK_MS);
      try {
        return await run(group);
      } catch (error) {
        this.noteBreach(error);
        if ((error as { code?: string }).code === 'group_gone') return;
      }
      const again = await groups.form(group.jobs).catch(() => []);
      group = { ...again.find(each => each.name === group.name) ?? group, generation: first.generation };
    }
  }

  breach: Breach | undefined;
  private noteBreach(error: unknown): void {
    if (error instanceof Breach) this.breach ??= error;
    else if (error instanceof TypeError || error instanceof RangeError) this.breach ??= new Breach(`a bug: ${error.stack}`);
  }

  killWorker(worker: WorkerState): void {
    worker.actor.dead = true;
    this.line.drop(worker.actor);
    this.time.drop(worker.actor);
    worker.actor = actorOf(worker.actor.name);
    worker.busy = false;
  }

  // ---------------------------------------------------------------- workers, on a Postgres of plain data

  private readonly boss: Actor = actorOf('workers');
  private readonly bossAuthority = (): Authority => createAuthority(connectionOver(this.redis, this.line));
  bossBusy = false;

  /** One job of the workers: every call passes the line, and a fault ends the round. */
  work(job: () => Promise<void>): void {
    this.bossBusy = true;
    void this.time.as(this.boss, job).catch((error: unknown) => this.noteBreach(error)).finally(() => { this.bossBusy = false; });
  }

  raiseHanded(at: number, micros: number): void {
    const camp = this.camps[at]!;
    camp.handed += Math.max(0, Math.min(micros, camp.budget - (camp.handed - camp.target)));
  }
  tellHanded = (at: number) => this.work(async () => {
    const camp = this.camps[at]!;
    const { handed } = camp;
    await this.bossAuthority().hand(at + 1, handed);
    camp.told = handed;
  });
  patch(at: number, budget: number): void {
    const camp = this.camps[at]!;
    camp.budget = budget;
    camp.target = Math.max(camp.target, camp.handed - budget);
  }
  takeBack = (at: number) => this.work(async () => {
    const camp = this.camps[at]!;
    const authority = this.bossAuthority();
    await authority.hand(at + 1, camp.handed);
    const returned = await authority.takeBack(at + 1, camp.target);
    await this.line.pass('refund', async () => { camp.returned = Math.max(camp.returned, returned); });
  });
  fence = () => this.work(async () => { await fenceNodes({ authority: this.bossAuthority(), log } as JobContext); });
  lapse = () => this.work(async () => {
    const { epochs } = this.bossAuthority();
    const asOf = await this.line.pass('as_of', () => this.intake.asOf());
    const line = this.lapseLine = Math.max(this.lapseLine, asOf);
    await epochs.raiseLapseLine(line);
    await epochs.lapse(await epochs.lapsing(line, 100), line);
  });
  release = () => this.work(async () => { for (const keys of this.streams) await applyReleases(connectionOver(this.redis, this.line), keys); });
  settle = () => this.work(async () => {
    const groups = await this.line.pass('unsettled', () => this.intake.groupsDone(100));
    if (groups.length === 0) return;
    const group = this.random.one(groups);
    const costs = await this.line.pass('read sums', async () => this.camps.map((_, at) => this.clickhouse.raw.reduce((sum, row) => sum + (row.group === group && row.campaign === at + 1 ? row.cost : 0), 0)));
    await this.line.pass('commit charges', async () => {
      if (this.settled.has(group)) return;
      this.settled.add(group);
      for (const [at, cost] of costs.entries()) this.camps[at]!.charged += cost;
    });
    await this.line.pass('settled', () => this.intake.groupsSettled([group]));
  });
  beatLife = () => this.work(async () => { this.asOfInPostgres = Math.max(this.asOfInPostgres, await this.line.pass('as_of', () => this.intake.asOf())); });

  /** The batches that a node keeps until they are complete. */
  private keptBy(state: NodeState): string[] {
    const outbox = state.running?.outbox as unknown as { kept: { batches: Map<string, unknown> } } | undefined;
    return [...outbox?.kept.batches.keys() ?? []];
  }

  /** Whether a Redis that knows these jobs may come back: what was stored and has no row is there, or with a node that lives. */
  mayLose(jobs: ReadonlySet<string>): boolean {
    const held = new Set(this.nodes.filter(node => !node.actor.frozen && node.cutUntil <= this.time.now).flatMap(node => this.keptBy(node)));
    const rows = new Set(this.clickhouse.raw.map(row => row.id));
    for (const [playId, own] of this.jobsOf) {
      if (!rows.has(nameOf(this.plays.get(playId)!.facts)) && ![...own].some(job => jobs.has(job) || held.has(job))) return false;
    }
    return true;
  }

  /** A node whose kept batches are all in Redis again owes nothing any more. */
  async lookAtDebts(): Promise<void> {
    if (this.isLost) return;
    for (const node of this.nodes) {
      if (node.debt && (await this.intake.completed(this.keptBy(node))).missing.length === 0) node.debt = false;
    }
  }

  /** Redis comes back from a restart as it was at some moment, or empty: nothing of it is believed. */
  async lose(restore: () => Promise<void>, only?: number): Promise<void> {
    this.line.echoes.length = 0;
    for (const call of this.line.waiting.filter(each => each.actor === this.boss)) await this.line.let(call, 'request');
    await restore();
    await this.tick(0);
    if (only === undefined || this.lostAt !== undefined) await this.seeLoss();
    else {
      // The others go on until the workers look.
      await this.redis.hset(allShards(this.redis)[only]!.record, 'life', 'another');
      this.isPartlyLost = true;
    }
    for (const node of this.nodes) node.debt = node.running !== undefined && this.keptBy(node).length > 0;
  }

  /** The workers look, and end all shards. */
  async seeLoss(): Promise<void> {
    await this.direct.life.end();
    this.isPartlyLost = false;
    this.lostAt = this.time.now;
  }

  mayRebuild(): boolean {
    return this.lostAt !== undefined && this.clickhouse.up && this.time.now > this.lostAt + INSERT_MS;
  }

  /** The steps of workers/jobs/rebuild-authority.ts over this world's Postgres and ClickHouse; cut short before the last shard was begun. */
  async rebuild({ isCut = false } = {}): Promise<void> {
    const { life } = this.direct;
    this.generation++;
    await life.forget();
    const { raw } = this.clickhouse;
    const written = [...new Set(raw.map(row => row.group))].map(group => ({ group, table: 'plays_raw' as const, attempt: Math.max(...raw.filter(row => row.group === group).map(row => row.attempt)) }));
    const unsettled = written.filter(({ group }) => !this.settled.has(group));
    for (const { group } of unsettled) this.clickhouse.repeat(group);
    await this.intake.forgetGroups({ written, unsettled: unsettled.filter(({ group }) => raw.some(row => row.group === group && !row.late)).map(({ group }) => ({ group, lineMs: this.time.now })) });
    await life.rebuild(this.camps.flatMap((camp, at) => (camp.handed > 0 ? [{ campaign: at + 1, handedMicros: camp.handed, returnedMicros: camp.returned, takeBackMicros: camp.target, spentMicros: this.clickhouse.cost(at + 1), countedPlays: this.clickhouse.plays(at + 1) }] : [])));
    const places = [...new Set(raw.map(row => `${row.campaign}:${row.epoch}`))].map(place => place.split(':').map(Number) as [number, number]);
    await life.rebuildBits(places.map(([campaign, epoch]) => {
      const own = raw.filter(row => row.campaign === campaign && row.epoch === epoch);
      return { campaign, epoch, counted: own.filter(row => !row.late).map(row => row.issueNumber), late: own.filter(row => row.late).map(row => row.issueNumber) };
    }));
    await life.begin({ generation: this.generation, firstEpoch: this.epoch + 1, lapseLine: this.lapseLine, asOfMs: this.asOfInPostgres, mayLive: [...this.liveEpochs] });
    if (isCut) await this.redis.hdel(allShards(this.redis).at(-1)!.record, 'life', 'generation');
    this.isPartlyLost = isCut;
    this.lostAt = undefined;
    for (const camp of this.camps) Object.assign(camp, { cap: Infinity, told: camp.handed });
  }

  // ---------------------------------------------------------------- what must hold

  amounts(at: number): Promise<Amounts> {
    return this.direct.amounts(at + 1);
  }

  async check(): Promise<void> {
    if (this.breach !== undefined) throw this.breach;
    const seen = await this.look();
    for (const [at, camp] of this.camps.entries()) {
      const cost = this.clickhouse.cost(at + 1);
      const reserved = camp.budget + camp.target - camp.returned;
      if (cost > reserved) throw new Breach(`campaign ${at}: counted plays cost ${cost} of ${reserved}`);
      if (camp.charged > cost) throw new Breach(`campaign ${at}: charged ${camp.charged}, the rows say ${cost}`);
      if (seen === undefined) continue;
      const { handed, free, open, inDoubt, spent, returned, target } = seen.amounts[at]!;
      if (handed !== free + open + inDoubt + spent + returned) throw new Breach(`campaign ${at}: handed ${handed} is not the sum of free ${free}, open ${open}, in doubt ${inDoubt}, spent ${spent}, returned ${returned}`);
      if (Math.min(free, open, inDoubt, spent, returned) < 0) throw new Breach(`campaign ${at}: an amount below zero`);
      const committed = spent + open + inDoubt;
      const limit = handed - target;
      if (committed > Math.max(camp.cap, limit)) throw new Breach(`campaign ${at}: what is out rises from ${camp.cap} to ${committed} above the lowered budget ${limit}`);
      camp.cap = Math.max(committed, limit);
    }
    if (seen !== undefined) this.checkFreshness(seen.asOf);
  }

  /** What the authority says now, in as few round trips as there can be: they are most of a move's time. Undefined: it says nothing. */
  private async look(): Promise<{ asOf: number; amounts: (Amounts & { target: number })[] } | undefined> {
    if (this.isLost) return undefined;
    const pipeline = this.redis.pipeline();
    for (const at of this.camps.keys()) pipeline.hgetall(keysOf(at + 1, this.redis).amounts(at + 1));
    const [asOf, replies] = await Promise.all([this.rowless().length > 0 ? this.intake.asOf() : 0, execAll(pipeline) as Promise<Record<string, string>[]>]);
    return { asOf, amounts: replies.map(fields => ({ ...readAmounts(fields), target: Number(fields['target'] ?? 0) })) };
  }

  /** A report: as_of is read first, then the rows. */
  private checkFreshness(asOf: number): void {
    // As_of is told by a stream's own clock.
    for (const { facts, ackedAt } of this.rowless()) if (ackedAt < asOf - Math.abs(this.skewMs)) throw new Breach(`as_of claims play ${nameOf(facts)}, which has no row`);
  }

  /** Plays that were acknowledged and are not in every table. */
  private rowless(): Play[] {
    const raw = new Set(this.clickhouse.raw.map(row => row.id));
    const view = new Set(this.clickhouse.view.map(row => row.id));
    return [...this.plays.values()].filter(({ facts, ackedAt }) => ackedAt > 0 && !(raw.has(nameOf(facts)) && view.has(nameOf(facts))));
  }

  /** When all is healed and reported. */
  async checkSettled(): Promise<void> {
    const rows = new Map(this.clickhouse.raw.map(row => [row.id, row]));
    const view = new Set(this.clickhouse.view.map(row => row.id));
    for (const play of this.plays.values()) {
      const row = rows.get(nameOf(play.facts));
      if (play.ackedAt > 0 && row === undefined) throw new Breach(`play ${nameOf(play.facts)} was acknowledged and has no row`);
      if (row === undefined) continue;
      if (!view.has(row.id)) throw new Breach(`play ${row.id} is not in the view`);
      if (row.late && play.ackedAt > 0 && play.addedAt <= windowEndsAt(play.facts)) throw new Breach(`play ${row.id} was acknowledged in time and is late`);
      const [bits] = await this.redis.bitfield(keysOf(row.campaign, this.redis).bits(row.campaign, row.epoch), 'GET', 'u2', `#${row.issueNumber}`) as [number];
      if (bits % 2 !== 1) throw new Breach(`play ${row.id} has a row and no bit`);
    }
    for (const [at, camp] of this.camps.entries()) {
      const cost = this.clickhouse.cost(at + 1);
      const { spent, countedPlays } = await this.direct.standing(at + 1);
      const plays = this.clickhouse.plays(at + 1);
      if (countedPlays !== plays) throw new Breach(`campaign ${at}: ${countedPlays} plays counted, ${plays} with a row`);
      if (camp.charged !== cost || spent !== cost) throw new Breach(`campaign ${at}: rows of ${cost}, spent ${spent}, charged ${camp.charged}`);
    }
  }

  /** When every window has passed and the campaigns were ended. */
  async checkNothingStranded(): Promise<void> {
    for (const [at, camp] of this.camps.entries()) {
      const { handed, free, open, inDoubt, spent, returned } = await this.amounts(at);
      if (handed !== returned + spent) throw new Breach(`campaign ${at}: stranded, free ${free}, open ${open}, in doubt ${inDoubt}`);
      if (camp.handed - camp.returned !== camp.charged) throw new Breach(`campaign ${at}: ${camp.handed - camp.returned - camp.charged} was neither charged nor refunded`);
    }
  }

  end(): void {
    for (const node of this.nodes) this.killNode(node);
    for (const worker of this.workers) this.killWorker(worker);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const NEVER = new AbortController().signal;
const actorOf = (name: string): Actor => ({ name, dead: false, frozen: false });
const nameOf = ({ campaign, epoch, issueNumber }: PlayFacts): string => `${campaign}:${epoch}:${issueNumber}`;
function logsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.log'));
  } catch {
    return []; // no process was here yet
  }
}
