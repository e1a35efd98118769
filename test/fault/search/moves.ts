/** The moves of the seeded search, drawn at random: each lets one thing of the world happen, or strikes a fault. */
import { nameOf, SHOW_MS } from './world/plays.ts';
import type { Node } from './world/delivery.ts';
import { Healing } from './healing.ts';
import type { Fate } from './world/line.ts';
import type { Random } from './random.ts';
import { DAY, HOUR, MINUTE, SECOND, settleLoop } from './virtual-time.ts';
import type { Config, World } from './world/world.ts';

/** Draws moves at random, with the faults of the scenario. */
export type Scenario = Config & {
  faults: Partial<Record<FaultKind, number>>;
  steps: number;
  pace: number;
  patches: number;
  warm: boolean;
  insertPace: number;
  /**
   * How likely a report goes over every connection of its screen, and how often somebody asks for a report, as a
   * factor.
   */
  repeats: number;
  reading: number;
  /** Each screen has played at the beginning, and its report is with two processes, or with one long after its slot. */
  told?: 'twice' | 'late';
};
type Move = { weight: number; label: string; run: () => void | Promise<void> };
type Go = (weight: number, label: string, run: Move['run']) => void;
type Bad = (kind: FaultKind, label: string, run: Move['run'], weight?: number) => void;

const KINDS = {
  request: 0.04,
  reply: 0.05,
  twice: 0.03,
  kill: 0.08,
  freeze: 0.08,
  power: 0.04,
  machine: 0.03,
  site: 0.03,
  cut: 0.05,
  link: 0.1,
  offline: 0.04,
  clock: 0.04,
  reboot: 0.03,
  clickhouse: 0.15,
  redis: 0.05,
};
type FaultKind = keyof typeof KINDS;

/**
 * Scenarios for breaches that need many things at once, which moves at random meet once in hundreds of seeds; each
 * begins with reported plays. Copies: a process dies with plays that it has stored, their insert is slow, another
 * process gets them, and Redis and ClickHouse are lost. Readers: all slots are over when one process gets the plays,
 * and reports are asked for while they are counted.
 */
const FOCUSES: (((random: Random) => Partial<Scenario>) | undefined)[] = [
  ({ pick }) => ({
    nodes: 2,
    screens: 1,
    workers: 2,
    slots: 1 + pick(2),
    faults: { redis: KINDS.redis, clickhouse: KINDS.clickhouse },
    budgets: [400],
    patches: 0,
    pace: 0.1,
    steps: 150,
    warm: true,
    insertPace: 0.05,
    repeats: 0.9,
    told: 'twice',
  }),
  ({ pick }) => ({
    screens: 1 + pick(2),
    workers: 1 + pick(2),
    slots: 2,
    faults: { offline: KINDS.offline, clickhouse: KINDS.clickhouse * 2, kill: KINDS.kill },
    budgets: [400],
    patches: 0,
    pace: 0.1,
    steps: 200,
    warm: true,
    insertPace: 0.1,
    reading: 6,
    told: 'late',
  }),
  undefined,
  undefined,
  undefined,
  undefined,
];

/** Each seed has its own size, its own few faults or many, and its own pace; one in three has a focus. */
export function scenarioOf(random: Random): Scenario {
  const any = anyScenario(random);
  return { ...any, ...random.one(FOCUSES)?.(random) };
}

function anyScenario(random: Random): Scenario {
  const { pick, one } = random;
  const faults: Scenario['faults'] = {};
  const kinds = Object.keys(KINDS) as FaultKind[];
  if (pick(5) > 1)
    for (let left = 1 + pick(4); left > 0; left--) {
      const kind = one(kinds);
      faults[kind] = KINDS[kind] * one([1, 3, 6]);
    }
  else for (const kind of kinds) if (pick(2) === 1) faults[kind] = KINDS[kind] * one([0.3, 1, 3]);
  return {
    budgets: Array.from({ length: 1 + pick(2) }, () => one([2, 6, 12, 30, 60, 120, 400])),
    nodes: 2 + pick(2),
    screens: 1 + pick(4),
    workers: one([1, 2, 2]),
    slots: 4 + pick(40),
    patches: pick(3) === 0 ? 3 : 0,
    faults,
    skewMs: 0,
    pace: one([0.3, 1, 3]),
    steps: one([150, 300, 450]),
    warm: pick(4) > 0,
    insertPace: one([0.15, 1, 2]),
    repeats: 0.33,
    reading: 1,
    pretend: pick(4) === 0,
  };
}

export class Search {
  readonly counts: Partial<Record<FaultKind | 'rebuild' | 'resume', number>> = {};
  readonly healing: Healing;
  readonly #world: World;
  readonly #random: Random;
  readonly #scenario: Scenario;

  constructor(world: World, { random, scenario }: { random: Random; scenario: Scenario }) {
    this.#world = world;
    this.#random = random;
    this.#scenario = scenario;
    this.healing = new Healing(world);
  }

  /** Two worlds of three begin with leases at the nodes and screens connected, so that their moves are about plays. */
  async begin(): Promise<void> {
    const { healing } = this;
    const world = this.#world;
    const scenario = this.#scenario;
    const random = this.#random;
    const { postgres, workers, delivery, screens } = world;
    await world.begin();
    if (!scenario.warm) return;
    for (const at of postgres.campaigns.keys()) postgres.raiseHanded(at, 60);
    for (const at of postgres.campaigns.keys()) await healing.work(() => workers.tellHanded(at));
    for (const node of delivery.nodes) {
      await healing.pass(node.actor);
      for (const at of postgres.campaigns.keys()) node.running!.node.reservations.want(at, 2 + 2 * random.pick(6));
      delivery.collect(node);
      await healing.pass(node.actor);
    }
    for (const screen of screens.list) {
      if (random.chance(scenario.repeats)) for (const node of delivery.nodes.slice(0, 2)) screens.connect(screen, node);
      else screens.connect(screen, random.one(delivery.nodes));
    }
    if (scenario.told !== undefined) await this.#playAndTell(scenario.told);
  }

  /** Each screen plays a fill if there is one for it, and reports. */
  async #playAndTell(told: 'twice' | 'late'): Promise<void> {
    const { screens, time } = this.#world;
    for (const screen of screens.list) screens.askSlot(screen, { at: time.now, plan: false });
    await this.#allArrive();
    for (const screen of screens.list) for (const fill of screen.fills.slice()) screens.play(screen, fill);
    await this.healing.wait(told === 'late' ? HOUR : SHOW_MS);
    if (told === 'late') await this.#giveAllBack();
    for (const screen of screens.list)
      screens.report(screen, { settles: told === 'late', isHasty: false, everywhere: told === 'twice' });
    if (told === 'twice') await this.#countFirst();
    await this.#allArrive();
  }

  /**
   * The process that gets it first stores it and dies before its acknowledgement; its rows are on their way to
   * ClickHouse when another process gets it.
   */
  async #countFirst(): Promise<void> {
    const { screens, ingest, delivery, line, time } = this.#world;
    const first = screens.net[0];
    if (first === undefined) return;
    const { actor } = first.node;
    await screens.deliver(first);
    await this.#world.tick(SECOND); // a process gathers what it hears for a moment
    if (time.hasDue(actor)) time.fireDue(actor);
    await settleLoop();
    for (const call of line.waiting.filter(each => each.actor === actor)) await line.let(call, 'reply');
    delivery.kill(first.node);
    const worker = ingest.workers[0]!;
    ingest.takeJobs(worker);
    await this.healing.pass(worker.actor);
  }

  async #giveAllBack(): Promise<void> {
    const { delivery, postgres } = this.#world;
    for (const node of delivery.nodes) {
      for (const at of postgres.campaigns.keys()) delivery.giveBack(node, at);
      await this.healing.pass(node.actor);
    }
  }

  async #allArrive(): Promise<void> {
    const { screens } = this.#world;
    while (screens.net.length > 0) await screens.deliver(screens.net[0]!);
  }

  async step(say?: (label: string) => void): Promise<void> {
    const list = this.#moves();
    const total = list.reduce((sum, move) => sum + move.weight, 0);
    let at = (this.#random.pick(1e6) / 1e6) * total;
    const move = list.find(each => (at -= each.weight) < 0) ?? list.at(-1)!;
    say?.(move.label);
    await this.#world.tick(10);
    await move.run();
    await settleLoop();
    await this.#world.checks.afterMove();
  }

  #note(kind: keyof Search['counts']): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
  }

  #strikes(kind: FaultKind): boolean {
    if (!this.#random.chance(this.#scenario.faults[kind] ?? 0)) return false;
    this.#note(kind);
    return true;
  }

  #fate(): Fate {
    for (const kind of ['request', 'reply', 'twice'] as const) if (this.#strikes(kind)) return kind;
    return 'arrives';
  }

  #moves(): Move[] {
    const list: Move[] = [];
    const go: Go = (weight, label, run) => void list.push({ weight, label, run });
    const bad: Bad = (kind, label, run, weight = 1) => {
      const likely = this.#scenario.faults[kind];
      if (likely !== undefined)
        go(likely * weight, label, () => {
          this.#note(kind);
          return run();
        });
    };
    const { line } = this.#world;
    for (const call of line.ready()) go(6, `${call.actor.name}: ${call.label}`, () => line.let(call, this.#fate()));
    if (line.echoes.length > 0) go(0.5, 'a delayed call arrives', () => line.echo(this.#random.one(line.echoes)));
    for (const node of this.#world.delivery.nodes) this.#nodeMoves(node, go, bad);
    this.#messageMoves(go);
    this.#screenMoves(go, bad);
    this.#ingestMoves(go, bad);
    this.#workerMoves(go, bad);
    this.#clickhouseMoves(go, bad);
    this.#redisMoves(go, bad);
    this.#waits(go);
    return list;
  }

  #nodeMoves(node: Node, go: Go, bad: Bad): void {
    const { time, delivery, postgres } = this.#world;
    const { running, name } = node;
    if (node.actor.frozen)
      return go(0.15, `${name} goes on`, () => {
        node.actor.frozen = false;
      });
    if (time.hasDue(node.actor))
      go(2, `${name}: timers`, async () => {
        time.fireDue(node.actor);
        await settleLoop();
      });
    if (running === undefined) {
      if (!node.starting) go(0.3, `${name} starts`, () => delivery.start(node));
      return;
    }
    if (!node.renewing)
      go(time.now - node.beatAt > 4 * SECOND ? 0.7 : 0.03, `${name} renews`, () => delivery.beat(node));
    go(delivery.wants(node) ? 1 : 0.05, `${name} asks leases`, () => delivery.collect(node));
    for (const campaign of postgres.campaigns.keys()) {
      if (running.node.reservations.held(campaign) === 0)
        go(this.#world.screens.slotsLeft > 0 ? 0.15 : 0.02, `${name} wants ${campaign}`, () => {
          running.node.reservations.want(campaign, 2 + 2 * this.#random.pick(6));
          delivery.collect(node);
        });
      else
        go(this.#world.screens.slotsLeft > 0 ? 0.05 : 0.5, `${name} gives back ${campaign}`, () =>
          delivery.giveBack(node, campaign),
        );
    }
    if (!node.confirming && running.outbox.counts.keptBatches > 0)
      go(0.3, `${name} looks after kept batches`, () => delivery.confirm(node));
    bad('freeze', `${name} is stopped`, () => {
      node.actor.frozen = true;
    });
    bad('cut', `${name} is cut off`, () => {
      node.cutUntil = time.now + this.#random.one([SECOND, 35 * SECOND, 5 * MINUTE, 3 * HOUR]);
    });
    if (!delivery.mayDie(node)) return;
    bad('kill', `${name} is killed`, () => delivery.kill(node));
    bad('power', `${name} loses power`, () => delivery.losePower(node));
    bad('machine', `${name} loses its machine`, () => delivery.loseMachine(node), 0.5);
  }

  #messageMoves(go: Go): void {
    const { screens } = this.#world;
    const heads = new Set<string>();
    for (const message of screens.net) {
      const head = `${message.link} ${message.way}`;
      if (heads.has(head) || (message.way === 'up' && message.node.actor.frozen)) continue;
      heads.add(head);
      go(5, `${String(message.body['t'])} ${message.way} ${message.screen.handle}`, () => screens.deliver(message));
    }
  }

  #screenMoves(go: Go, bad: Bad): void {
    const { screens, delivery, time } = this.#world;
    const random = this.#random;
    for (const screen of screens.list) {
      if (screen.offlineUntil > time.now) continue;
      const name = `screen ${screen.handle}`;
      const isLinked = screen.links.length > 0;
      for (const node of delivery.nodes)
        if (node.running !== undefined)
          go([1, 0.3, 0.05][screen.links.length]!, `${name} connects to ${node.name}`, () =>
            screens.connect(screen, node),
          );
      for (const fill of screen.fills.slice(0, 3)) {
        if (screens.mayPlay(screen, fill))
          go(2, `${name} plays ${nameOf(fill.facts)}`, () => screens.play(screen, fill));
        else if (this.#scenario.pretend && screens.isTimeFor(screen, fill))
          go(2, `${name} pretends to play ${nameOf(fill.facts)}`, () => screens.pretend(screen, fill));
        if (isLinked) go(0.1, `${name} cannot play ${nameOf(fill.facts)}`, () => screens.cannotPlay(screen, fill));
      }
      if (isLinked) {
        const likely = screen.links.some(({ node }) => delivery.fillable(node).length > 0) ? 1.5 : 0.1;
        if (screens.slotsLeft > 0)
          go(likely, `${name} asks for a slot`, () => {
            const plan = random.pick(5) === 0;
            screens.askSlot(screen, {
              at: time.now + (plan ? random.pick(random.one([10 * MINUTE, 48 * HOUR])) : 0),
              plan,
            });
          });
        if (screen.unacked.length > 0)
          go(screen.sent.size > 0 ? 0.4 : 1.5, `${name} reports`, () =>
            screens.report(screen, {
              settles: random.pick(3) === 0,
              isHasty: random.pick(4) === 0,
              everywhere: random.chance(this.#scenario.repeats),
            }),
          );
        bad('link', `${name} loses a connection`, () => {
          screen.links.splice(random.pick(screen.links.length), 1);
        });
        bad('offline', `${name} goes offline`, () => screens.goOffline(screen));
      }
      bad('clock', `${name} sees its clock jump`, () => {
        screen.skewMs = random.one([0, HOUR, -HOUR]);
      });
      bad('reboot', `${name} reboots`, () => screens.reboot(screen));
    }
  }

  #ingestMoves(go: Go, bad: Bad): void {
    const { time, ingest, plays, clickhouse } = this.#world;
    const hasMore = plays.storedCount() > clickhouse.rowCount();
    for (const worker of ingest.workers) {
      const { name } = worker.actor;
      if (worker.actor.frozen) {
        go(0.15, `${name} goes on`, () => {
          worker.actor.frozen = false;
        });
        continue;
      }
      if (time.hasDue(worker.actor))
        go(2, `${name}: timers`, async () => {
          time.fireDue(worker.actor);
          await settleLoop();
        });
      if (!worker.busy) {
        go(hasMore ? 1.5 : 0.05, `${name} takes jobs`, () => ingest.takeJobs(worker));
        continue;
      }
      bad('kill', `${name} is killed`, () => ingest.kill(worker));
      bad('freeze', `${name} is stopped`, () => {
        worker.actor.frozen = true;
      });
    }
  }

  #workerMoves(go: Go, bad: Bad): void {
    const { workers, postgres, clickhouse, delivery, reports, plays } = this.#world;
    const random = this.#random;
    if (!reports.busy && plays.storedCount() > 0)
      go((delivery.holdsNothing() ? 1 : 0.1) * this.#scenario.reading, 'a report is asked for', () => reports.ask());
    if (workers.busy) return bad('kill', 'workers are killed', () => workers.kill());
    for (const [at, { budget, handed, target, returned }] of postgres.campaigns.entries()) {
      if (handed - target < budget)
        go(0.5, `handed of ${at} rises`, () => postgres.raiseHanded(at, 4 + random.pick(12)));
      if (handed > 0)
        go(workers.told[at]! < handed ? 1 : 0.05, `handed of ${at} is told`, () => workers.tellHanded(at));
      if (target > returned) go(0.5, `taken back of ${at}`, () => workers.takeBack(at));
      if (this.#scenario.patches > 0)
        go(0.03, `budget of ${at} is edited`, () => {
          this.#scenario.patches--;
          postgres.changeBudget(at, random.one([0, Math.floor(budget / 2), budget + 6]));
        });
    }
    const charged = postgres.campaigns.reduce((sum, { chargedPlays }) => sum + chargedPlays, 0);
    go(clickhouse.rowCount() > charged ? 0.5 : 0.05, 'workers settle', () => workers.settle());
    go(0.1, 'workers fence', () => workers.fence());
    go(0.1, 'workers lapse', () => workers.lapse());
    go(0.2, 'releases', () => workers.release());
    go(0.1, 'workers beat', () => workers.beat());
    for (const folder of delivery.lostFolders) go(0.1, 'the operator gives a machine up', () => workers.giveUp(folder));
    if (this.#world.survives({ lives: new Set() }))
      bad('site', 'all machines lose power', () => this.#world.losePower());
  }

  #clickhouseMoves(go: Go, bad: Bad): void {
    const { clickhouse } = this.#world;
    const random = this.#random;
    const { inserts } = clickhouse;
    if (!clickhouse.up)
      return go(0.5, 'clickhouse starts', () => {
        clickhouse.start();
      });
    for (const insert of inserts.slice(0, 3))
      go(this.#scenario.insertPace, `clickhouse: part ${insert.parts} of ${insert.token}`, () =>
        clickhouse.step(insert, { parts: random.one([1, 1, 2, 5]), isAnswered: !this.#strikes('reply') }),
      );
    const weight = inserts.length > 0 ? 1 : 0.1;
    bad(
      'clickhouse',
      'clickhouse is killed',
      () => clickhouse.kill(inserts.length > 0 && random.pick(2) === 1 ? random.one(inserts) : undefined),
      weight,
    );
    bad('clickhouse', 'clickhouse loses power', () => clickhouse.losePower(random), weight);
  }

  #redisMoves(go: Go, bad: Bad): void {
    const { loss } = this.#world;
    bad('redis', 'redis is restarted', () => loss.restart(), 0.3);
    // Most is at stake while plays are counted and not written.
    bad(
      'redis',
      'redis is lost',
      () => loss.lose(),
      loss.isLost ? 0.2 : this.#world.clickhouse.inserts.length > 0 ? 6 : 1,
    );
    if (this.#scenario.faults.redis !== undefined && !loss.isLost)
      go(0.15, 'redis is set aside', () => loss.setAside());
    if (loss.isPartlyLost) go(0.3, 'workers see that a shard is lost', () => loss.see());
    if (loss.mayResume)
      go(1, 'workers resume the authority', () => {
        this.#note('resume');
        return loss.resume();
      });
    if (loss.mayRebuild)
      go(2, 'workers rebuild the authority', () => {
        this.#note('rebuild');
        return loss.rebuild({ isCut: this.#world.redis.shards > 1 && this.#random.pick(4) === 0 });
      });
  }

  #waits(go: Go): void {
    const { healing } = this;
    const world = this.#world;
    const random = this.#random;
    const { pace } = this.#scenario;
    go(1, 'wait a little', () => world.tick(random.one([20, 300, SECOND, 4 * SECOND])));
    go(0.25 * pace, 'wait', () =>
      healing.wait(random.one([6 * SECOND, 20 * SECOND, 35 * SECOND, 99 * SECOND, 125 * SECOND, 10 * MINUTE])),
    );
    go(0.06 * pace, 'wait long', () => healing.wait(random.one([HOUR, 10 * HOUR, 47 * HOUR, 49 * HOUR, 5 * DAY])));
  }
}
