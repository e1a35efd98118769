/** The delivery processes of a simulated world. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePlayId, type PlayFacts } from '#domain/plays/play.ts';
import { createLog } from '#runtime/log.ts';
import { createAuthority } from '#authority/authority.ts';
import { type Redis } from '#sql/redis.ts';
import { Outbox } from '../../../../delivery/reports/outbox.ts';
import { PlanFills } from '../../../../delivery/slots/plan-fills.ts';
import { RefusedPlays } from '../../../../delivery/recording/refused-plays.ts';
import { ReportHandler, type ReportHandlerDependencies } from '../../../../delivery/reports/reports.ts';
import { ShownPlays } from '../../../../delivery/slots/shown-plays.ts';
import type { Handle } from '../../../../domain/id.ts';
import type { Batch } from '../../../../ingest/queue/batch.ts';
import type { PlayQueue } from '../../../../ingest/queue/play-queue.ts';
import { NodeUnderTest } from '../../../delivery/money/node-under-test.ts';
import { KEYS } from '../../../ingest/reports.ts';
import { handle } from '../../../support/handle.ts';
import { connectionOver } from './line.ts';
import { COST, COST_MAX, SHOW_MS, type Fill, type Life } from './plays.ts';
import { actorOf, DAY, MINUTE, type Actor } from '../virtual-time.ts';
import type { Environment } from './environment.ts';

const log = createLog('search', 'silent');
/** The name of every process, in a folder of its own. */
const NAME = 'n';
/** Modules are beside the point here: what is counted is taken. */
const TAKEN: ReportHandlerDependencies['attestation'] = { attest: (_session, { plays }) => ({ plays, unattested: 0 }) };

/** What delivery knows of a screen that asks for a slot. */
export type RequestingScreen = { handle: Handle<'screen'>; sensor: boolean };
/** The slot that it asks for: when it starts, and whether it is for a plan. */
export type SlotRequest = { at: number; plan: boolean };

export type Node = {
  name: string;
  folder: string;
  boot: number;
  runs: number;
  cutUntil: number;
  actor: Actor;
  running: { node: NodeUnderTest; outbox: Outbox; reports: ReportHandler } | undefined;
  starting: boolean;
  renewing: boolean;
  confirming: boolean;
  beatAt: number;
};

type DeliveryOptions = { nodes: number; folder: string; pretend: boolean };

/**
 * The processes of delivery: the real budget code, outbox and report handler, each behind the line and on a folder of
 * its own.
 */
export class Delivery {
  readonly nodes: Node[];
  /** Folders that are gone with their machines, of which nobody has said so yet. */
  readonly lostFolders: string[] = [];
  readonly #environment: Environment;
  /** Where screens pretend, no process knows what was reported to it: as when each report goes to another one. */
  readonly #remembersPlays: boolean;

  constructor(environment: Environment, { nodes, folder, pretend }: DeliveryOptions) {
    this.#environment = environment;
    this.#remembersPlays = !pretend;
    this.nodes = Array.from({ length: nodes }, (_, at) => ({
      name: `node${at}`,
      folder: join(folder, `disk${at}`),
      boot: 1,
      runs: 0,
      cutUntil: 0,
      actor: actorOf(`node${at}`),
      running: undefined,
      starting: false,
      renewing: false,
      confirming: false,
      beatAt: 0,
    }));
  }

  /** A process starts on the node's folder. It answers screens once its first renewal has come through. */
  start(state: Node): void {
    const { time, postgres } = this.#environment;
    const actor = (state.actor = actorOf(state.name));
    state.runs++;
    state.starting = true;
    mkdirSync(state.folder, { recursive: true });
    void time
      .as(actor, async () => {
        const playQueue = this.#playQueueOf(state);
        const authority = createAuthority(this.#connectionOf(state));
        let outbox: Outbox | undefined;
        const node = await NodeUnderTest.create({
          authority,
          folder: state.folder,
          name: NAME,
          bootId: `boot${state.boot}`,
          now: () => time.now,
          asOf: () => playQueue.asOf(),
          nextEpoch: async () => postgres.takeEpoch(state.folder),
          endEpoch: epoch => this.#lineOf(state).pass('end epoch', async () => void postgres.open.delete(epoch)),
          addAgain: async () => outbox?.addAgain(),
        });
        if (actor.dead) return;
        for (const [at, { budget }] of postgres.campaigns.entries())
          node.book({ handle: handle('campaign', at + 1), status: 'live', budgetMicros: Math.max(1, budget) });
        outbox = new Outbox({ playQueue, epoch: node.current.epoch, log });
        state.running = {
          node,
          outbox,
          reports: new ReportHandler({
            attestation: TAKEN,
            outbox,
            plays: {
              issued: node.issuedPlays,
              planFills: new PlanFills(),
              shown: this.#remembersPlays ? new ShownPlays() : undefined,
            },
            refusedPlays: new RefusedPlays(),
            keys: KEYS,
            log,
          }),
        };
      })
      .catch(() => {
        if (state.actor === actor) this.kill(state); // it could not renew: the supervisor starts another
      })
      .finally(() => {
        if (state.actor === actor) state.starting = false;
      });
  }

  /** The lives that are not over, also of those that are stopped or cut off. */
  lives({ but }: { but?: Node } = {}): Set<Life> {
    return new Set(this.nodes.filter(node => node !== but && node.running !== undefined).map(lifeOf));
  }

  /** What it alone held is lost: this may not happen to the only one that holds a promised play. */
  mayDie(state: Node): boolean {
    return this.#environment.survives({ lives: this.lives({ but: state }) });
  }

  kill(state: Node): void {
    state.actor.dead = true;
    this.#environment.time.drop(state.actor);
    this.#environment.line.drop(state.actor);
    state.running = undefined;
    state.starting = state.renewing = state.confirming = false;
  }

  /** What was not on the platter yet is gone from its logs, and the machine boots. */
  losePower(state: Node): void {
    this.kill(state);
    state.boot++;
    const folder = join(state.folder, NAME);
    for (const name of logsIn(folder)) {
      const lines = readFileSync(join(folder, name), 'latin1').split('\n').slice(0, -1);
      const kept = lines.slice(0, Math.max(1, lines.length - this.#environment.random.pick(4)));
      writeFileSync(join(folder, name), kept.map(line => `${line}\n`).join(''), 'latin1');
    }
  }

  loseMachine(state: Node): void {
    this.kill(state);
    this.lostFolders.push(state.folder);
    state.folder += 'x';
    state.boot++;
  }

  /** The beat of a node: renewal, names, idle money, the settlement of what is past. */
  beat(state: Node): void {
    const { time } = this.#environment;
    state.renewing = true;
    state.beatAt = time.now;
    void time
      .as(state.actor, () => state.running!.node.keeper.beat())
      .finally(() => {
        state.renewing = false;
      });
  }

  confirm(state: Node): void {
    state.confirming = true;
    void this.#environment.time
      .as(state.actor, () => state.running!.outbox.confirm())
      .finally(() => {
        state.confirming = false;
      });
  }

  /** Wants become grants. */
  collect(state: Node): void {
    const { leases } = state.running!.node;
    this.#environment.time.as(state.actor, () => leases.collect());
  }

  /** Whether a want waits to be collected. */
  wants(state: Node): boolean {
    return state.running!.node.reservations.hasWants();
  }

  /** The money of a campaign goes back, as when it is paused for a moment. */
  giveBack(state: Node, campaign: number): void {
    const { node } = state.running!;
    if (node.reservations.isWanted(campaign)) return;
    const facts = node.facts[campaign]!;
    facts.status = 'paused'; // read before the first await
    // a lost answer is asked for again
    void this.#environment.time.as(state.actor, () => node.leases.giveBackIdle()).catch(() => undefined);
    facts.status = 'live';
  }

  /** Campaigns of which the node could fill a slot now. */
  fillable(state: Node): number[] {
    const { reservations } = state.running?.node ?? {};
    return reservations === undefined
      ? []
      : [...this.#environment.postgres.campaigns.keys()].filter(campaign => reservations.available(campaign) >= COST);
  }

  /** No node has money that it could issue: a report may become final. */
  holdsNothing(): boolean {
    return this.nodes.every(
      ({ running }) =>
        running === undefined ||
        this.#environment.postgres.campaigns.every((_, campaign) => running.node.reservations.held(campaign) === 0),
    );
  }

  /** The answer to a screen that asks for a slot; undefined: no ad. */
  fill(state: Node, screen: RequestingScreen, { at, plan }: SlotRequest): Fill | undefined {
    const { time, random, plays, postgres } = this.#environment;
    const { node } = state.running!;
    const ready = this.fillable(state);
    const campaign = ready.length > 0 ? random.one(ready) : random.pick(postgres.campaigns.length);
    const costMicros = screen.sensor ? COST_MAX : COST;
    if (at < time.now - MINUTE || at > time.now + 2 * DAY) return undefined;
    const facts: PlayFacts = {
      campaign: handle('campaign', campaign + 1),
      creative: handle('creative', 1),
      screen: screen.handle,
      venue: handle('venue', 1),
      sandbox: false,
      plan,
      sensor: screen.sensor,
      startsAt: at,
      durationMs: SHOW_MS,
      rateMicros: 1,
      impressionsEst: COST * 1_000,
      impressionsMax: costMicros * 1_000,
      audience: 0,
      epoch: node.current.epoch,
      issueNumber: 0,
    };
    facts.issueNumber = time.as(state.actor, () =>
      node.take(campaign, { costMicros, startsAtMs: at, screen: screen.handle, plan }),
    );
    if (facts.issueNumber === 0) return undefined;
    const fill = { playId: encodePlayId(facts, KEYS.current), facts };
    plays.issued(fill);
    return fill;
  }

  #lineOf(state: Node) {
    return this.#environment.line.over(() => state.cutUntil > this.#environment.time.now);
  }

  #connectionOf(state: Node): Redis {
    return connectionOver(this.#environment.redis, this.#lineOf(state));
  }

  #playQueueOf(state: Node): PlayQueue {
    const { playQueue, plays } = this.#environment;
    const line = this.#lineOf(state);
    const life = lifeOf(state);
    return {
      ...playQueue,
      add: (batch: Batch, firstAddedAt?: number) =>
        line.pass('add', async () => {
          const added = await playQueue.add(batch, firstAddedAt);
          plays.stored(batch, life, added.addedAt);
          return added;
        }),
      completed: ids => line.pass('completed', () => playQueue.completed(ids)),
      asOf: () => line.pass('as_of', () => playQueue.asOf()),
    };
  }
}

export const lifeOf = ({ name, runs }: Pick<Node, 'name' | 'runs'>): Life => `${name}.${runs}`;

function logsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.log'));
  } catch {
    return []; // no process was here yet
  }
}
