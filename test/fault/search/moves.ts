import { shardKeys } from '#sql/authority-keys.ts';
import type { Redis } from '#sql/redis.ts';
import { Breach } from './clickhouse.ts';
import type { Call, Fate } from './line.ts';
import type { Random } from './random.ts';
import { settleLoop, type Actor } from './virtual-time.ts';
import { DAY, HOUR, MINUTE, SECOND, type Config, type World } from './world.ts';

/** Draws moves at random, with the faults of the scenario; and at the end heals everything and lets every window pass. */
export type Move = { weight: number; label: string; run: () => void | Promise<void> };
type Snapshot = { jobs: Set<string>; values: { key: string; dump: Buffer; ttl: number }[] };
export type Scenario = Config & { faults: Partial<Record<FaultKind, number>>; steps: number; pace: number; patches: number; warm: boolean };

const KINDS = {
  request: .04, reply: .05, twice: .03, kill: .08, freeze: .08, power: .04, machine: .03, cut: .05, link: .1, offline: .04, clock: .04, reboot: .03, clickhouse: .15, redis: .05,
};
type FaultKind = keyof typeof KINDS;

/** Each seed has its own size, its own few faults or many, and its own pace. */
export function scenarioOf(random: Random): Scenario {
  const { pick, one } = random;
  const faults: Scenario['faults'] = {};
  const kinds = Object.keys(KINDS) as FaultKind[];
  if (pick(5) > 1) for (let left = 1 + pick(4); left > 0; left--) { const kind = one(kinds); faults[kind] = KINDS[kind] * one([1, 3, 6]); }
  else for (const kind of kinds) if (pick(2) === 1) faults[kind] = KINDS[kind] * one([.3, 1, 3]);
  return {
    budgets: Array.from({ length: 1 + pick(2) }, () => one([2, 6, 12, 30, 60, 120])), nodes: 2 + pick(2), screens: 1 + pick(4), workers: 1 + pick(2), slots: 4 + pick(40),
    patches: pick(3) === 0 ? 3 : 0, faults, skewMs: 0, pace: one([.3, 1, 3]), steps: one([100, 200, 400]), warm: pick(3) > 0,
  };
}

export class Search {
  readonly counts: Partial<Record<FaultKind | 'rebuild' | 'plays', number>> = {};
  calm = false;
  private readonly snapshots: Snapshot[] = [];
  private readonly world: World;
  private readonly random: Random;
  private readonly scenario: Scenario;
  private readonly redis: Redis;

  constructor(world: World, { random, scenario, redis }: { random: Random; scenario: Scenario; redis: Redis }) {
    this.world = world;
    this.random = random;
    this.scenario = scenario;
    this.redis = redis;
  }

  /** Two worlds of three begin with leases at the nodes and screens connected, so that their moves are about plays. */
  async begin(): Promise<void> {
    const { world, scenario, random } = this;
    await world.begin();
    if (!scenario.warm) return;
    for (const at of world.camps.keys()) world.raiseHanded(at, 30);
    for (const at of world.camps.keys()) await this.work(() => world.tellHanded(at));
    for (const state of world.nodes) {
      await this.pass(state.actor);
      for (const at of world.camps.keys()) state.running!.node.reservations.want(at, 2 + 2 * random.pick(6));
      world.collect(state);
      await this.pass(state.actor);
    }
    for (const screen of world.screens) world.connect(screen, random.one(world.nodes));
  }

  async step(say?: (label: string) => void): Promise<void> {
    const list = this.moves();
    const total = list.reduce((sum, move) => sum + move.weight, 0);
    let at = this.random.pick(1e6) / 1e6 * total;
    const move = list.find(each => (at -= each.weight) < 0) ?? list.at(-1)!;
    say?.(move.label);
    await this.world.tick(10);
    await move.run();
    await settleLoop();
    await this.world.lookAtDebts();
    await this.world.check();
  }

  private strikes(kind: FaultKind): boolean {
    if (this.calm || !this.random.chance(this.scenario.faults[kind] ?? 0)) return false;
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    return true;
  }

  private fate(): Fate {
    for (const kind of ['request', 'reply', 'twice'] as const) if (this.strikes(kind)) return kind;
    return 'arrives';
  }

  private moves(): Move[] {
    const list: Move[] = [];
    const go = (weight: number, label: string, run: Move['run']): void => void list.push({ weight, label, run });
    const bad = (kind: FaultKind, label: string, run: Move['run'], weight = 1): void => {
      const likely = this.scenario.faults[kind];
      if (likely !== undefined) go(likely * weight, label, () => { this.counts[kind] = (this.counts[kind] ?? 0) + 1; return run(); });
    };
    const { line } = this.world;
    for (const call of line.ready()) go(6, `${call.actor.name}: ${call.label}`, () => line.let(call, this.fate()));
    if (line.echoes.length > 0) go(.5, 'a delayed call arrives', () => line.echo(this.random.one(line.echoes)));
    this.nodeMoves(go, bad);
    this.screenMoves(go, bad);
    this.ingestMoves(go, bad);
    this.workerMoves(go);
    this.engineMoves(go, bad);
    this.waits(go);
    return list;
  }

  private nodeMoves(go: Go, bad: Bad): void {
    const { world } = this;
    for (const state of world.nodes) {
      const { running, name } = state;
      if (state.actor.frozen) { go(.15, `${name} goes on`, () => { state.actor.frozen = false; }); continue; }
      if (world.time.hasDue(state.actor)) go(2, `${name}: timers`, async () => { world.time.fireDue(state.actor); await settleLoop(); });
      if (running === undefined) {
        if (!state.starting) go(.3, `${name} starts`, () => world.startNode(state));
        continue;
      }
      if (!state.renewing) go(world.time.now - state.beatAt > 4 * SECOND ? .7 : .03, `${name} renews`, () => world.beat(state));
      go(world.wants(state) ? 1 : .05, `${name} asks leases`, () => world.collect(state));
      for (const campaign of world.camps.keys()) {
        if (running.node.reservations.held(campaign) === 0) go(.5, `${name} wants ${campaign}`, () => { running.node.reservations.want(campaign, 2 + 2 * this.random.pick(6)); world.collect(state); });
        else go(.05, `${name} gives back ${campaign}`, () => world.giveBack(state, campaign));
      }
      if (!state.confirming && running.outbox.counts.keptBatches > 0) go(.3, `${name} looks after kept batches`, () => world.confirm(state));
      if (state.debt) continue;
      bad('kill', `${name} is killed`, () => world.killNode(state));
      bad('freeze', `${name} is stopped`, () => { state.actor.frozen = true; });
      bad('power', `${name} loses power`, () => world.losePower(state));
      bad('machine', `${name} loses its machine`, () => world.loseMachine(state), .5);
      bad('cut', `${name} is cut off`, () => { state.cutUntil = world.time.now + this.random.one([SECOND, 35 * SECOND, 5 * MINUTE]); });
    }
  }

  private screenMoves(go: Go, bad: Bad): void {
    const { world, random } = this;
    const heads = new Set<string>();
    for (const message of world.net) {
      const head = `${message.link} ${message.way}`;
      if (heads.has(head) || (message.way === 'up' && message.node.actor.frozen)) continue;
      heads.add(head);
      go(5, `${String(message.body['t'])} ${message.way} ${message.screen.handle}`, () => world.deliver(message));
    }
    for (const screen of world.screens) {
      if (screen.offlineUntil > world.time.now) continue;
      const name = `screen ${screen.handle}`;
      for (const node of world.nodes) if (node.running !== undefined) go(screen.links.length > 0 ? .05 : 1, `${name} connects to ${node.name}`, () => world.connect(screen, node));
      for (const fill of screen.fills.slice(0, 3)) {
        if (world.mayPlay(screen, fill)) go(2, `${name} plays`, () => world.play(screen, fill));
        if (screen.links.length > 0) go(.1, `${name} cannot play`, () => world.cannotPlay(screen, fill));
      }
      if (screen.links.length > 0) {
        if (world.slotsLeft > 0) go(1.5, `${name} asks for a slot`, () => {
          world.slotsLeft--;
          const plan = random.pick(4) === 0;
          world.send(screen, { t: 'slot', at: world.time.now + (plan ? random.pick(48 * HOUR) : 0), plan });
        });
        if (screen.unacked.length > 0) go(1.5, `${name} reports`, () => world.report(screen, { settles: random.pick(3) === 0, isHasty: random.pick(4) === 0 }));
        bad('link', `${name} loses a connection`, () => { screen.links.splice(random.pick(screen.links.length), 1); });
        bad('offline', `${name} goes offline`, () => { screen.links = []; screen.offlineUntil = world.time.now + random.one([MINUTE, HOUR, 30 * HOUR, 47 * HOUR, 4 * DAY]); });
      }
      bad('clock', `${name} sees its clock jump`, () => { screen.skewMs = random.one([0, HOUR, -HOUR]); });
      bad('reboot', `${name} reboots`, () => world.reboot(screen));
    }
  }

  private ingestMoves(go: Go, bad: Bad): void {
    const { world } = this;
    for (const worker of world.workers) {
      const { name } = worker.actor;
      if (worker.actor.frozen) { go(.15, `${name} goes on`, () => { worker.actor.frozen = false; }); continue; }
      if (world.time.hasDue(worker.actor)) go(2, `${name}: timers`, async () => { world.time.fireDue(worker.actor); await settleLoop(); });
      if (!worker.busy) { go(world.hasStored() ? 1.5 : .05, `${name} takes jobs`, () => world.takeJobs(worker)); continue; }
      bad('kill', `${name} is killed`, () => world.killWorker(worker));
      bad('freeze', `${name} is stopped`, () => { worker.actor.frozen = true; });
    }
  }

  private workerMoves(go: Go): void {
    const { world, random } = this;
    if (world.bossBusy) return;
    for (const [at, camp] of world.camps.entries()) {
      if (camp.handed - camp.target < camp.budget) go(.5, `handed of ${at} rises`, () => world.raiseHanded(at, 4 + random.pick(12)));
      if (camp.handed > 0) go(camp.told < camp.handed ? 1 : .05, `handed of ${at} is told`, () => world.tellHanded(at));
      if (camp.target > camp.returned) go(.5, `taken back of ${at}`, () => world.takeBack(at));
      if (this.scenario.patches > 0) go(.03, `budget of ${at} is edited`, () => { this.scenario.patches--; world.patch(at, random.one([0, Math.floor(camp.budget / 2), camp.budget + 6])); });
    }
    go(world.clickhouse.raw.length > world.settledRows() ? .5 : .05, 'workers settle', () => world.settle());
    go(.2, 'workers fence', () => world.fence());
    go(.2, 'workers lapse', () => world.lapse());
    go(.3, 'releases', () => world.release());
    go(.2, 'workers beat', () => world.beatLife());
  }

  private engineMoves(go: Go, bad: Bad): void {
    const { world, random } = this;
    const { clickhouse } = world;
    if (clickhouse.up) {
      for (const insert of clickhouse.inserts.slice(0, 3)) go(2, `clickhouse: ${insert.stage} part of ${insert.token}`, () => clickhouse.step(insert, { answered: !this.strikes('reply') }));
      bad('clickhouse', 'clickhouse is killed', () => clickhouse.kill(clickhouse.inserts.length > 0 && random.pick(2) === 1 ? random.one(clickhouse.inserts) : undefined), clickhouse.inserts.length > 0 ? 2 : .2);
    } else go(.5, 'clickhouse starts', () => { clickhouse.up = true; });
    bad('redis', 'redis is restarted', () => this.loseRedis());
    if (this.scenario.faults.redis !== undefined && !world.isLost) go(.15, 'redis is set aside', async () => {
      const snapshot = await this.setAside();
      if (this.snapshots.length < 3) this.snapshots.push(snapshot);
      else this.snapshots[random.pick(3)] = snapshot;
    });
    if (world.isPartlyLost) go(.3, 'workers see that a shard is lost', () => world.seeLoss());
    if (world.mayRebuild()) go(2, 'workers rebuild the authority', () => this.rebuild());
  }

  private async rebuild(): Promise<void> {
    this.counts.rebuild = (this.counts.rebuild ?? 0) + 1;
    await this.world.rebuild({ isCut: !this.calm && this.redis.shards > 1 && this.random.pick(4) === 0 });
  }

  private waits(go: Go): void {
    const { world, random } = this;
    const { pace } = this.scenario;
    go(2, 'wait a little', () => world.tick(random.one([20, 300, SECOND, 4 * SECOND])));
    go(.25 * pace, 'wait', () => this.wait(random.one([6 * SECOND, 20 * SECOND, 35 * SECOND, 99 * SECOND, 125 * SECOND, 10 * MINUTE])));
    go(.06 * pace, 'wait long', () => this.wait(random.one([HOUR, 10 * HOUR, 47 * HOUR, 49 * HOUR, 5 * DAY])));
  }

  /** Healthy nodes keep renewing while long times pass. */
  private async wait(ms: number): Promise<void> {
    const { world } = this;
    await world.tick(ms);
    if (world.isLost) return;
    const healthy = world.nodes.filter(node => node.running !== undefined && !node.actor.frozen && node.cutUntil <= world.time.now);
    for (const state of healthy) {
      await this.pass(state.actor);
      for (let twice = 0; twice < 2 && state.running !== undefined && !state.renewing; twice++) {
        world.beat(state);
        await this.pass(state.actor);
      }
      if (state.running !== undefined && !state.confirming) world.confirm(state);
      await this.pass(state.actor);
    }
  }

  /** Lets everything of a process arrive until it waits for nothing. */
  private async pass(actor: Actor): Promise<void> {
    const { line, time } = this.world;
    for (let rounds = 0; rounds < 500; rounds++) {
      await settleLoop();
      const call: Call | undefined = line.waiting.find(each => each.actor === actor);
      if (call !== undefined) await line.let(call, 'arrives');
      else if (time.hasDue(actor)) time.fireDue(actor);
      else return;
    }
    throw new Breach(`${actor.name} does not come to rest`);
  }

  private async setAside(): Promise<Snapshot> {
    const keys = await this.redis.keys('*');
    const values = await Promise.all(keys.map(async key => ({ key, dump: (await this.redis.dumpBuffer(key))!, ttl: Math.max(0, await this.redis.pttl(key)) })));
    return { jobs: new Set(keys.flatMap(key => (/^\{plays:\d+\}:plays:(\d+-\d+\.\d+)$/.exec(key) ?? []).slice(1))), values };
  }

  private async loseRedis(): Promise<void> {
    const { world, random } = this;
    const to = random.one<Snapshot | 'empty' | 'same'>(['same', 'empty', ...this.snapshots]);
    const only = this.redis.shards > 1 && random.pick(2) === 0 ? random.pick(this.redis.shards) : undefined;
    let snapshot = to === 'same' ? await this.setAside() : to === 'empty' ? { jobs: new Set<string>(), values: [] } : to;
    if (only !== undefined) snapshot = replaceShard(await this.setAside(), snapshot, only);
    if (!world.mayLose(snapshot.jobs)) return;
    await world.lose(async () => {
      await this.redis.flushdb();
      await Promise.all(snapshot.values.map(({ key, dump, ttl }) => this.redis.restore(key, ttl, dump, 'REPLACE')));
    }, only);
  }

  // ---------------------------------------------------------------- the end

  /** Everything is healed, all windows pass, what is free is spent, and the campaigns end. Nothing may be left over. */
  async finish(): Promise<void> {
    const { world } = this;
    this.calm = true;
    world.clickhouse.up = true;
    for (const call of world.line.echoes.slice()) await world.line.echo(call);
    for (const node of world.nodes) { node.cutUntil = 0; node.actor.frozen = false; }
    for (const worker of world.workers) worker.actor.frozen = false;
    for (const screen of world.screens) { screen.offlineUntil = 0; screen.skewMs = 0; }
    // What a clock that was ahead has noted is over by then.
    if (world.screens.some(screen => screen.unacked.some(play => play.startedAt > world.time.now))) await this.wait(HOUR);
    await this.drain();
    await this.windows();
    for (const [at, camp] of world.camps.entries()) if (camp.budget > 0) world.patch(at, 0);
    await this.windows();
    await world.checkSettled();
    await world.checkNothingStranded();
  }

  private async windows(): Promise<void> {
    for (const ms of [2 * DAY, 10 * DAY]) {
      await this.wait(ms);
      for (const state of this.world.nodes) {
        if (state.running === undefined) continue;
        for (const campaign of this.world.camps.keys()) this.world.giveBack(state, campaign);
        await this.pass(state.actor);
      }
      for (let round = 0; round < 2; round++) await this.round();
    }
  }

  private async drain(): Promise<void> {
    const busy = async (): Promise<boolean> => this.world.isLost || this.world.net.length > 0 || this.world.screens.some(screen => screen.unacked.length > 0)
      || await this.world.count('pending') > 0 || await this.world.count('unsettled') > 0;
    for (let rounds = 0; rounds < 3 || await busy(); rounds++) {
      if (rounds > 100) throw new Breach('the pipeline does not drain');
      await this.round();
    }
    await this.world.checkSettled();
  }

  private async round(): Promise<void> {
    const { world } = this;
    await world.tick(2 * SECOND);
    if (world.isPartlyLost) await world.seeLoss();
    if (world.mayRebuild()) await this.rebuild();
    for (const state of world.nodes) await this.lookAfter(state);
    for (const screen of world.screens) this.speakUp(screen);
    while (world.net.length > 0) await world.deliver(world.net[0]!);
    await world.tick(SECOND);
    for (const state of world.nodes) await this.pass(state.actor);
    while (world.net.length > 0) await world.deliver(world.net[0]!);
    if (world.isLost) return;
    for (const worker of world.workers) await this.ingest(worker);
    for (const job of [...world.camps.keys()].flatMap(at => [() => world.tellHanded(at), () => world.takeBack(at)]).concat(world.fence, world.lapse, world.release, world.beatLife)) await this.work(job);
    for (let left = await this.world.count('unsettled'); left > 0; left--) await this.work(world.settle);
    await world.check();
  }

  private async lookAfter(state: World['nodes'][number]): Promise<void> {
    const { world } = this;
    await this.pass(state.actor);
    if (state.running === undefined && !state.starting) world.startNode(state);
    await this.pass(state.actor);
    if (state.running === undefined) return;
    if (!state.renewing) world.beat(state);
    await this.pass(state.actor);
    if (state.running !== undefined && !state.confirming) world.confirm(state);
    await this.pass(state.actor);
  }

  private speakUp(screen: World['screens'][number]): void {
    const { world } = this;
    screen.links = screen.links.filter(({ node, runs }) => node.running !== undefined && node.runs === runs);
    const node = world.nodes.find(each => each.running !== undefined);
    if (screen.links.length === 0 && node !== undefined) world.connect(screen, node);
    for (const fill of screen.fills.slice()) if (world.mayPlay(screen, fill)) world.play(screen, fill);
    if (screen.unacked.length > 0 && screen.links.length > 0) world.report(screen, { settles: false, isHasty: false });
  }

  private async ingest(worker: World['workers'][number]): Promise<void> {
    const { world } = this;
    if (!worker.busy) world.takeJobs(worker);
    for (let rounds = 0; rounds < 40; rounds++) {
      await this.pass(worker.actor);
      const { inserts } = world.clickhouse;
      if (inserts.length === 0) return;
      while (inserts.length > 0) world.clickhouse.step(inserts[0]!, { answered: true });
    }
  }

  private async work(job: () => void): Promise<void> {
    const { world } = this;
    const finishing = async (): Promise<void> => {
      for (let rounds = 0; world.bossBusy; rounds++) {
        if (rounds > 500) throw new Breach('a job of the workers does not end');
        const call = world.line.waiting.find(each => each.actor.name === 'workers');
        if (call !== undefined) await world.line.let(call, 'arrives');
        else await settleLoop();
      }
    };
    await finishing();
    job();
    await finishing();
  }
}

type Go = (weight: number, label: string, run: Move['run']) => void;
type Bad = (kind: FaultKind, label: string, run: Move['run'], weight?: number) => void;

/** One shard as it was, the others as they are. */
function replaceShard(now: Snapshot, before: Snapshot, shard: number): Snapshot {
  const isOfShard = (key: string): boolean => key.startsWith(shardKeys(shard).tag);
  const isJobOfShard = (job: string): boolean => job.endsWith(`.${shard}`);
  return {
    jobs: new Set([...[...now.jobs].filter(job => !isJobOfShard(job)), ...[...before.jobs].filter(isJobOfShard)]),
    values: [...now.values.filter(({ key }) => !isOfShard(key)), ...before.values.filter(({ key }) => isOfShard(key))],
  };
}
