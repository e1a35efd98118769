/** The end of a run of the seeded search: every fault is healed, and everything comes to rest. */
import { Breach } from './breach.ts';
import type { Node } from './world/delivery.ts';
import type { IngestWorker } from './world/ingest.ts';
import type { Call } from './world/line.ts';
import type { Screen } from './world/screens.ts';
import { DAY, HOUR, MINUTE, SECOND, settleLoop, type Actor } from './virtual-time.ts';
import type { World } from './world/world.ts';

/** Rounds after which what does not come to rest never will. */
const ROUNDS_MAX = 500;
const DRAIN_ROUNDS_MAX = 100;

/** The end of a search: everything is healed, what is pending arrives, and every window passes. */
export class Healing {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Everything is healed, all windows pass, what is free is spent, and the campaigns end. Nothing may be left over. */
  async finish(): Promise<void> {
    const { clickhouse, line, delivery, ingest, screens, time, postgres, checks } = this.#world;
    clickhouse.start();
    for (const call of line.echoes.slice()) await line.echo(call);
    for (const node of delivery.nodes) {
      node.cutUntil = 0;
      node.actor.frozen = false;
    }
    for (const worker of ingest.workers) worker.actor.frozen = false;
    for (const screen of screens.list) {
      screen.offlineUntil = 0;
      screen.skewMs = 0;
    }
    // What a clock that was ahead has noted is over by then.
    if (screens.list.some(screen => screen.unacked.some(play => play.startedAt > time.now))) await this.wait(HOUR);
    await this.#drain();
    await this.#windows();
    for (const [at, { budget }] of postgres.campaigns.entries()) if (budget > 0) postgres.changeBudget(at, 0);
    await this.#windows();
    await checks.settled();
    await checks.nothingStranded();
    await this.#lastReports();
  }

  /** Healthy nodes keep renewing while long times pass. */
  async wait(ms: number): Promise<void> {
    const world = this.#world;
    const { delivery, loss, time } = world;
    await world.tick(ms);
    if (loss.isLost) return;
    const healthy = delivery.nodes.filter(
      node => node.running !== undefined && !node.actor.frozen && node.cutUntil <= time.now,
    );
    for (const node of healthy) {
      await this.pass(node.actor);
      for (let twice = 0; twice < 2 && node.running !== undefined && !node.renewing; twice++) {
        delivery.beat(node);
        await this.pass(node.actor);
      }
      if (node.running !== undefined && !node.confirming) delivery.confirm(node);
      await this.pass(node.actor);
    }
  }

  /** Lets everything of a process arrive until it waits for nothing. */
  async pass(actor: Actor): Promise<void> {
    const { line, time } = this.#world;
    for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
      await settleLoop();
      const call: Call | undefined = line.waiting.find(each => each.actor === actor);
      if (call !== undefined) await line.let(call, 'arrives');
      else if (time.hasDue(actor)) time.fireDue(actor);
      else return;
    }
    throw new Breach(`${actor.name} does not come to rest`);
  }

  /** Runs a job of the workers to its end, behind the one that is running. */
  async work(job: () => void): Promise<void> {
    await this.#workersDone();
    job();
    await this.#workersDone();
  }

  async #workersDone(): Promise<void> {
    const { workers } = this.#world;
    for (let rounds = 0; workers.busy; rounds++) {
      if (rounds > ROUNDS_MAX) throw new Breach('a job of the workers does not end');
      await this.pass(workers.actor);
    }
  }

  async #windows(): Promise<void> {
    const { delivery, postgres } = this.#world;
    for (const ms of [2 * DAY, 10 * DAY]) {
      await this.wait(ms);
      for (const node of delivery.nodes) {
        if (node.running === undefined) continue;
        for (const campaign of postgres.campaigns.keys()) delivery.giveBack(node, campaign);
        await this.pass(node.actor);
      }
      for (let round = 0; round < 2; round++) await this.#round();
    }
  }

  async #drain(): Promise<void> {
    const world = this.#world;
    const { loss, screens, delivery } = world;
    const isBusy = async (): Promise<boolean> =>
      loss.isLost ||
      delivery.lostFolders.length > 0 ||
      screens.net.length > 0 ||
      screens.list.some(screen => screen.unacked.length > 0) ||
      (await world.count('pending')) > 0 ||
      (await world.count('unsettled')) > 0;
    for (let rounds = 0; rounds < 3 || (await isBusy()); rounds++) {
      if (rounds > DRAIN_ROUNDS_MAX) throw new Breach('the pipeline does not drain');
      await this.#round();
    }
    await world.checks.settled();
  }

  async #round(): Promise<void> {
    const world = this.#world;
    const { loss, delivery, screens, ingest, workers, postgres } = world;
    await world.tick(2 * SECOND);
    if (loss.isPartlyLost) await loss.see();
    if (loss.mayResume) await loss.resume();
    if (loss.mayRebuild) await loss.rebuild();
    for (const node of delivery.nodes) await this.#lookAfter(node);
    for (const screen of screens.list) this.#speakUp(screen);
    while (screens.net.length > 0) await screens.deliver(screens.net[0]!);
    await world.tick(SECOND);
    for (const node of delivery.nodes) await this.pass(node.actor);
    while (screens.net.length > 0) await screens.deliver(screens.net[0]!);
    if (loss.isLost) return;
    for (const worker of ingest.workers) await this.#ingest(worker);
    for (const folder of delivery.lostFolders.slice()) await this.work(() => workers.giveUp(folder));
    const ofCampaigns = [...postgres.campaigns.keys()].flatMap(at => [
      () => workers.tellHanded(at),
      () => workers.takeBack(at),
    ]);
    for (const job of [...ofCampaigns, workers.fence, workers.lapse, workers.release, workers.beat])
      await this.work(job);
    for (let left = await world.count('unsettled'); left > 0; left--) await this.work(workers.settle);
    await world.checks.afterMove();
  }

  async #lookAfter(node: Node): Promise<void> {
    const { delivery } = this.#world;
    await this.pass(node.actor);
    if (node.running === undefined && !node.starting) delivery.start(node);
    await this.pass(node.actor);
    if (node.running === undefined) return;
    if (!node.renewing) delivery.beat(node);
    await this.pass(node.actor);
    if (node.running !== undefined && !node.confirming) delivery.confirm(node);
    await this.pass(node.actor);
  }

  #speakUp(screen: Screen): void {
    const { delivery, screens } = this.#world;
    screen.links = screen.links.filter(({ node, runs }) => node.running !== undefined && node.runs === runs);
    const node = delivery.nodes.find(each => each.running !== undefined);
    if (screen.links.length === 0 && node !== undefined) screens.connect(screen, node);
    for (const fill of screen.fills.slice()) if (screens.mayPlay(screen, fill)) screens.play(screen, fill);
    if (screen.unacked.length > 0 && screen.links.length > 0)
      screens.report(screen, { settles: false, isHasty: false, everywhere: this.#world.random.pick(3) === 0 });
  }

  async #ingest(worker: IngestWorker): Promise<void> {
    const { ingest, clickhouse } = this.#world;
    if (!worker.busy) ingest.takeJobs(worker);
    for (let rounds = 0; rounds < 40; rounds++) {
      await this.pass(worker.actor);
      const { inserts } = clickhouse;
      if (inserts.length === 0) return;
      while (inserts.length > 0) clickhouse.step(inserts[0]!, { parts: Infinity, isAnswered: true });
    }
  }

  /** When all is over every report is final. */
  async #lastReports(): Promise<void> {
    const { postgres, reports, time } = this.#world;
    await this.pass(reports.actor);
    for (const at of postgres.campaigns.keys()) {
      const before = reports.finalCount;
      reports.run(at, time.now - 2 * MINUTE);
      await this.pass(reports.actor);
      if (reports.finalCount === before) throw new Breach(`campaign ${at}: its report does not become final`);
    }
    reports.check();
  }
}
