/**
 * The objects that delivery is made of, in the order in which they need each other. Each gets all it needs when it is
 * made. What follows something outside (the change log, plans) or listens is started by `delivery.ts`.
 */
import { createPlayQueue, type PlayQueue } from '#ingest/queue/play-queue.ts';
import type { Log } from '#runtime/log.ts';
import { type Authority, createAuthority } from '#authority/authority.ts';
import { CurrentEpoch } from './budget/current-epoch.ts';
import { EpochKeeper } from './budget/epoch-keeper.ts';
import { createEpochSource, type EpochSource } from './budget/epoch-source.ts';
import { IssuedPlays } from './budget/issued-plays.ts';
import { Leases } from './budget/leases.ts';
import { Reservations } from './decision/reservations.ts';
import type { Configuration } from './configuration.ts';
import { Engine } from './decision/engine.ts';
import { AnswerCounts } from './slots/answer-counts.ts';
import type { Engines } from './engines.ts';
import { DecisionRecorder } from './recording/recorder.ts';
import { RefusedPlays } from './recording/refused-plays.ts';
import { Outbox } from './reports/outbox.ts';
import { ReportHandler } from './reports/reports.ts';
import { Attestation } from './reports/attestation.ts';
import { Conversation } from './conversation/conversation.ts';
import { type Presence, startPresence } from './screens/presence.ts';
import { SessionRegistry } from './screens/session-registry.ts';
import { HeldBound } from './slots/held-bound.ts';
import { PlanFills } from './slots/plan-fills.ts';
import { ShownPlays } from './slots/shown-plays.ts';
import { SlotHandler } from './slots/slots.ts';
import { createLoader, type Loader } from './snapshot/loader.ts';
import { Store } from './snapshot/store.ts';
import { Admission } from './conversation/admission.ts';
import { ConnectionLimits } from './conversation/connection-limits.ts';
import { descriptorsMax, socketsWithin } from './sockets/descriptors.ts';
import { Handshake } from './conversation/handshake.ts';
import { HelloRate } from './conversation/hello-rate.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** What decides: the money that may be spent, the engine over it, and what is written down of its decisions. */
type Decisions = { reservations: Reservations; engine: Engine; recorder: DecisionRecorder; answers: AnswerCounts };

/**
 * What is known of plays that were issued, shown or refused. The last two are absent where plays of one screen may
 * overlap.
 */
type Plays = {
  issuedPlays: IssuedPlays;
  planFills: PlanFills;
  refusedPlays: RefusedPlays;
  shownPlays: ShownPlays | undefined;
  heldBound: HeldBound | undefined;
};

/** What bounds the sockets and those that say hello. */
type SocketBounds = { limits: ConnectionLimits; admission: Admission; helloRate: HelloRate; screensMax: number };

/** What is made first, and needed by most. */
type Base = {
  config: Configuration;
  engines: Engines;
  log: Log;
  authority: Authority;
  epochs: EpochSource;
  current: CurrentEpoch;
  store: Store;
  loader: Loader;
  playQueue: PlayQueue;
};

export type Components = Base &
  Decisions &
  Plays &
  SocketBounds & {
    outbox: Outbox;
    leases: Leases;
    keeper: EpochKeeper;
    registry: SessionRegistry;
    presence: Presence;
    conversation: Conversation;
  };

/** Makes everything; takes this process's first epoch, which names it wherever a name of its own is needed. */
export async function createComponents(config: Configuration, engines: Engines, log: Log): Promise<Components> {
  const authority = createAuthority(engines.commands);
  const folder = `${config.DATA_DIR}/delivery`;
  const epochs = createEpochSource({ sql: engines.sql, authority, folder, node: config.DELIVERY_NODE, log });
  const base: Base = {
    config,
    engines,
    log,
    authority,
    epochs,
    current: new CurrentEpoch(await epochs.take()),
    store: new Store(Date.now()),
    loader: createLoader({ sql: engines.sql, publicUrl: config.PUBLIC_URL, log }),
    playQueue: createPlayQueue({ redis: engines.producer }),
  };
  const outbox = new Outbox({ playQueue: base.playQueue, epoch: base.current.epoch, log });
  const decisions = createDecisions(base);
  const plays = createPlays(base);
  const { leases, keeper } = createBudget({ ...base, ...decisions, ...plays, outbox });
  const bounds = createSocketBounds(config, log);
  const registry = new SessionRegistry({ commands: engines.commands, subscriber: engines.subscriber, log });
  const presence = startPresence({ sql: engines.sql, log });
  const made = { ...base, ...decisions, ...plays, ...bounds, outbox, leases, keeper, registry, presence };
  return { ...made, conversation: createConversation(made) };
}

function createDecisions({ store: { index, screens }, current }: Base): Decisions {
  const reservations = new Reservations({
    campaigns: index.campaigns,
    openBlock: block => current.issueLog.openBlock(block),
    monotonicMs,
  });
  const engine = new Engine({ index, screens, reservations });
  const recorder = new DecisionRecorder({ index, screens, reservations, engine, epoch: () => current.epoch });
  return { reservations, engine, recorder, answers: new AnswerCounts() };
}

function createPlays({ config, store, authority, current, log }: Base): Plays {
  const issuedPlays = new IssuedPlays();
  const plays = { issuedPlays, planFills: new PlanFills(), refusedPlays: new RefusedPlays() };
  if (config.SCREEN_PLAYS_OVERLAP) {
    log.warn('SCREEN_PLAYS_OVERLAP is set: one screen may report more than it could show');
    return { ...plays, shownPlays: undefined, heldBound: undefined };
  }
  const heldBound = new HeldBound({
    held: issuedPlays.held,
    handleOf: screen => store.screens.handleAt(screen),
    authority: authority.heldTimes,
    process: String(current.epoch),
    log,
    now: Date.now,
  });
  return { ...plays, shownPlays: new ShownPlays(), heldBound };
}

type BudgetDependencies = Base & Decisions & Plays & { outbox: Outbox };

function createBudget(dependencies: BudgetDependencies): { leases: Leases; keeper: EpochKeeper } {
  const { authority, epochs, current, store, playQueue, reservations, recorder, issuedPlays, outbox, log } =
    dependencies;
  const leases = new Leases({
    authority,
    current,
    index: store.index,
    reservations,
    log,
    onMoney: campaign => recorder.moneyChanged(campaign),
    onRestart: () => recorder.begin(Date.now()),
  });
  const keeper = new EpochKeeper({
    epochs: authority.epochs,
    current,
    leases,
    reservations,
    issuedPlays,
    takeEpoch: epochs.take,
    endEpoch: epochs.end,
    recover: epochs.recover,
    addAgain: () => outbox.addAgain(),
    asOf: () => playQueue.asOf(),
    monotonicMs,
    now: Date.now,
    log,
  });
  return { leases, keeper };
}

function createSocketBounds(config: Configuration, log: Log): SocketBounds {
  const { screens: screensMax, pending: pendingMax } = socketsWithin(
    { screens: config.SCREENS_MAX, pending: config.SOCKETS_BEFORE_HELLO_MAX },
    descriptorsMax(),
    log,
  );
  const pendingPerAddressMax = config.SOCKETS_BEFORE_HELLO_PER_ADDRESS_MAX;
  return {
    limits: new ConnectionLimits({ screensMax, pendingMax, pendingPerAddressMax }, Date.now),
    admission: new Admission({ perSecond: config.SCREEN_HELLOS_PER_SECOND_MAX, monotonicMs }),
    helloRate: new HelloRate(config.SCREEN_HELLOS_PER_MINUTE_MAX),
    screensMax,
  };
}

function createConversation(components: Omit<Components, 'conversation'>): Conversation {
  const { config, store, limits, registry, presence } = components;
  const keys = config.SIGNING_KEYS;
  return new Conversation({
    limits,
    handshake: new Handshake({ ...components, keys, now: Date.now }),
    slots: new SlotHandler({ ...components, signingKey: keys.current }),
    reports: new ReportHandler({ ...components, attestation: new Attestation(store), keys }),
    registry,
    presence,
    messagesPerSecondMax: config.SCREEN_MESSAGES_PER_SECOND_MAX,
    now: Date.now,
  });
}

/** Never set back or forth, as the time of day may be. */
function monotonicMs(): Milliseconds {
  return performance.now();
}
