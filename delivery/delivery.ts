/** Puts the service together: engines, the snapshot, the desks, the sockets; and takes it apart in the order that loses nothing. */
import { createIntake, type Intake } from '#ingest/intake.ts';
import { readBootId } from '#runtime/boot.ts';
import type { Log } from '#runtime/log.ts';
import type { Running } from '#runtime/lifecycle.ts';
import { endEpoch, takeEpoch } from '#authority/delivery-epochs.ts';
import { CONNECTIONS, openPostgres } from '#sql/postgres.ts';
import { agreeOnShards } from '#authority/redis-shards.ts';
import { type Authority, createAuthority } from '#authority/authority.ts';
import { createPlanStore } from '#records/plan-store.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { Admission } from './sockets/admission.ts';
import { announce } from './screens/announcements.ts';
import { Attestation } from './screens/attestation.ts';
import { type CurrentEpoch, EpochKeeper } from './budget/epoch-keeper.ts';
import type { HeldTime } from './budget/held-time.ts';
import { issueLogFolder, openIssueLog } from './budget/issue-log.ts';
import { IssuedPlays } from './budget/issued-plays.ts';
import { startLeases } from './budget/leases.ts';
import { recoverLogs } from './budget/recovery.ts';
import { Reservations } from './budget/reservations.ts';
import { followCertificate } from './sockets/certificate.ts';
import { certificateOf, type Configuration } from './configuration.ts';
import { Conversation } from './screens/conversation.ts';
import { Engine } from './decision/engine.ts';
import { Trace } from './decision/trace.ts';
import { descriptorsMax, socketsWithin } from './sockets/descriptors.ts';
import { Door } from './sockets/door.ts';
import { createHandshake } from './sockets/handshake.ts';
import { HeldBound } from './slots/held-bound.ts';
import { HelloRate } from './sockets/hello-rate.ts';
import { publishCounts } from './instruments.ts';
import { Outbox } from './reports/outbox.ts';
import { followPlans } from './slots/plan-follow.ts';
import { PlanFills } from './slots/plan-fills.ts';
import { lockPort } from './sockets/port-lock.ts';
import { startPresence } from './screens/presence.ts';
import { CLOSE } from './protocol/bounds.ts';
import { DecisionRecorder } from './recording/recorder.ts';
import { startRecording } from './recording/recording.ts';
import { RefusedPlays } from './recording/refused-plays.ts';
import { startRefresh } from './snapshot/refresh.ts';
import { createReportDesk } from './reports/reports.ts';
import { startServer } from './sockets/server.ts';
import { SessionRegistry } from './screens/session-registry.ts';
import { ShownPlays } from './slots/shown-plays.ts';
import { createSlotDesk } from './slots/slots.ts';
import { startChangeFeed } from './snapshot/change-feed.ts';
import { createLoader } from './snapshot/loader.ts';
import { Store } from './snapshot/store.ts';
import { warmUp } from './warm-up.ts';

/** A listener takes one beside the pool. */
const POSTGRES_CONNECTIONS_MAX = CONNECTIONS.delivery.postgres - 1;
/** Of the 10 s of a drain: batches that cannot be stored by then stay with their screens, which were told nothing. */
const FLUSH_MS_MAX = 4_000;
/** Of the 10 s of a drain: the screens go one after another. */
const SEND_AWAY_MS_MAX = 3_000;

type Engines = ReturnType<typeof openEngines>;

function openEngines(config: Configuration, log: Log) {
  const onError = (error: Error) => log.warn({ err: error }, 'Redis');
  const shards = config.REDIS_SHARDS;
  return {
    sql: openPostgres(config.DATABASE_URL, { connectionsMax: POSTGRES_CONNECTIONS_MAX, applicationName: 'delivery' }),
    // Two connections: a batch of a megabyte must not stand before a grant.
    producer: openRedis(config.REDIS_URL, { role: 'producer', shards, onError }),
    commands: openRedis(config.REDIS_URL, { role: 'commands', shards, onError }),
    subscriber: openRedis(config.REDIS_URL, { role: 'worker', shards, onError }),
  };
}

/** The money side: a new epoch, its issue log, what may be spent, what was issued, shown and decided. */
async function openBudget(
  config: Configuration,
  {
    engines,
    store,
    intake,
    addAgain,
    log,
  }: { engines: Engines; store: Store; intake: Intake; addAgain: () => Promise<void>; log: Log },
) {
  const place = { folder: `${config.DATA_DIR}/delivery`, node: config.DELIVERY_NODE, bootId: readBootId() };
  const takeNext = async (): Promise<CurrentEpoch> => {
    const taken = await takeEpoch(engines.sql, { node: place.node, bootId: place.bootId, now: new Date() });
    return { ...taken, issueLog: openIssueLog({ ...place, epoch: taken.epoch, log }) };
  };
  const current = await takeNext();
  const monotonicMs = (): number => performance.now();
  const reservations = new Reservations(
    block => current.issueLog.openBlock({ ...block, campaign: store.index.handles[block.campaign]! }),
    monotonicMs,
  );
  store.index.onRoom = size => reservations.reserveRoom(size);
  const engine = new Engine({ index: store.index, screens: store.screens, reservations });
  const recorder = new DecisionRecorder({
    index: store.index,
    screens: store.screens,
    reservations,
    engine,
    epoch: () => current.epoch,
  });
  const authority = createAuthority(engines.commands);
  const issuedPlays = new IssuedPlays();
  const end = async (epoch: number): Promise<void> => {
    await endEpoch(engines.sql, { epoch, now: new Date() });
    await authority.life.present([epoch]);
  };
  const keeper = new EpochKeeper({
    epochs: authority.epochs,
    current,
    reservations,
    issuedPlays,
    monotonicMs,
    log,
    takeEpoch: takeNext,
    endEpoch: end,
    addAgain,
    now: Date.now,
    asOf: () => intake.asOf(),
    recover: epoch =>
      recoverLogs({
        directory: issueLogFolder(place),
        bootId: place.bootId,
        epochs: authority.epochs,
        current: epoch,
        endEpoch: end,
        log,
      }),
  });
  const leases = startLeases({
    authority,
    current,
    index: store.index,
    reservations,
    log,
    onEpochClosed: () => keeper.epochClosed(),
    processes: () => keeper.counts.nodes,
    onMoney: campaign => recorder.moneyChanged(campaign),
    onRestart: () => recorder.begin(Date.now()),
  });
  await keeper.start(leases);
  return {
    current,
    engine,
    reservations,
    recorder,
    leases,
    keeper,
    issuedPlays,
    planFills: new PlanFills(),
    shownPlays: openShownPlays(config, log),
    refusedPlays: new RefusedPlays(),
    heldBound: boundHeld(config, { held: issuedPlays.held, store, authority, current, log }),
    trace: new Trace(),
  };
}

/** What bounds sockets and hellos. */
function openDoor(config: Configuration, log: Log) {
  const { screens: screensMax, strangers: strangersMax } = socketsWithin(
    { screens: config.SCREENS_MAX, strangers: config.SOCKETS_BEFORE_HELLO_MAX },
    descriptorsMax(),
    log,
  );
  const door = new Door(
    { screensMax, strangersMax, strangersPerAddressMax: config.SOCKETS_BEFORE_HELLO_PER_ADDRESS_MAX },
    Date.now,
  );
  return { door, helloRate: new HelloRate(config.SCREEN_HELLOS_PER_MINUTE_MAX), screensMax };
}

/** None where plays of one screen may overlap. */
function openShownPlays({ SCREEN_PLAYS_OVERLAP }: Configuration, log: Log): ShownPlays | undefined {
  if (!SCREEN_PLAYS_OVERLAP) return new ShownPlays();
  log.warn('SCREEN_PLAYS_OVERLAP is set: one screen may report more than it could show');
  return undefined;
}

/** None where plays of one screen may overlap: such a screen also holds what it likes. */
function boundHeld(
  { SCREEN_PLAYS_OVERLAP }: Configuration,
  {
    held,
    store,
    authority,
    current,
    log,
  }: { held: HeldTime; store: Store; authority: Authority; current: CurrentEpoch; log: Log },
): HeldBound | undefined {
  if (SCREEN_PLAYS_OVERLAP) return undefined;
  // Its first epoch names this process for as long as it lives.
  const bound = new HeldBound({
    held,
    handleOf: screen => store.screens.handles[screen]!,
    authority: authority.heldTimes,
    process: String(current.epoch),
    log,
    now: Date.now,
  });
  bound.start();
  return bound;
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Starts delivery; resolves when it answers screens. @throws what keeps it from starting. */
export async function startDelivery(config: Configuration, log: Log): Promise<Running> {
  const certificate = certificateOf(config);
  const engines = openEngines(config, log);
  await Promise.all([
    redisReady(engines.producer),
    redisReady(engines.commands),
    agreeOnShards(engines.sql, config.REDIS_SHARDS),
  ]);
  const store = new Store(Date.now());
  const intake = createIntake({ redis: engines.producer });
  let outbox: Outbox | undefined; // named for the first epoch, which the budget brings
  const budget = await openBudget(config, { engines, store, intake, addAgain: async () => outbox?.addAgain(), log });
  const registry = new SessionRegistry({ commands: engines.commands, subscriber: engines.subscriber, log });
  await registry.start();
  const loader = createLoader({ sql: engines.sql, publicUrl: config.PUBLIC_URL, log });
  const feed = await startChangeFeed({
    sql: engines.sql,
    store,
    loader,
    log,
    onEffects: effects => announce(effects, { store, engine: budget.engine, registry, nowMs: Date.now() }),
  });
  const recording = startRecording({
    recorder: budget.recorder,
    refused: budget.refusedPlays,
    store,
    redis: engines.producer,
    revision: feed.revision,
    node: budget.current.epoch,
    log,
    now: Date.now,
  });
  // Its first epoch names the batches of this process for as long as it lives.
  const box = (outbox = new Outbox({ intake, epoch: budget.current.epoch, log }));
  const presence = startPresence({ sql: engines.sql, log });
  const keys = config.SIGNING_KEYS;
  const admission = new Admission({
    perSecond: config.SCREEN_HELLOS_PER_SECOND_MAX,
    monotonicMs: () => performance.now(),
  });
  const { door, helloRate, screensMax } = openDoor(config, log);
  const conversation = new Conversation({
    door,
    handshake: createHandshake({
      store,
      engine: budget.engine,
      loader,
      registry,
      presence,
      door,
      helloRate,
      admission,
      keys,
      log,
      now: Date.now,
    }),
    slots: createSlotDesk({ ...budget, store, signingKey: keys.current }),
    reports: createReportDesk({ ...budget, attestation: new Attestation(store), outbox: box, keys, log }),
    registry,
    presence,
    messagesPerSecondMax: config.SCREEN_MESSAGES_PER_SECOND_MAX,
    now: Date.now,
  });
  const planFollow = followPlans({
    plans: createPlanStore(engines.commands),
    index: store.index,
    recorder: budget.recorder,
    process: String(budget.current.epoch),
    screens: () => registry.size,
    log,
    now: Date.now,
  });
  warmUp(keys.current, Date.now());
  const refresh = startRefresh(budget.engine);
  const unlock = config.DELIVERY_SHARED_PORT
    ? lockPort({ port: config.DELIVERY_PORT, dataDir: config.DATA_DIR })
    : () => undefined;
  const server = await startServer({
    host: config.DELIVERY_HOST,
    port: config.DELIVERY_PORT,
    isShared: config.DELIVERY_SHARED_PORT,
    certificate,
    conversation,
  });
  const renewal =
    certificate && followCertificate({ files: certificate, use: files => server.useCertificate(files), log });
  publishCounts({
    trace: budget.trace,
    outbox: box.counts,
    leases: budget.leases.counts,
    keeper: budget.keeper.counts,
    sessions: () => registry.size,
    sockets: server.sockets,
    strangers: () => door.strangerCount,
    waiting: () => admission.waiting,
    revision: feed.revision,
    bounds: {
      grantsWaiting: () => budget.leases.waiting(),
      heldMicros: () => sumOf(budget.leases.unissued().values()),
      fillSecondsLeft: () => Math.max(0, budget.reservations.fillUntilMs - performance.now()) / 1_000,
      playsRemembered: () => budget.issuedPlays.size,
      planFillsOpen: () => budget.planFills.size,
      screensThatHold: () => budget.heldBound?.size ?? 0,
      showsRemembered: () => budget.shownPlays?.size ?? 0,
      presenceWaiting: presence.waiting,
      screensMax: () => screensMax,
      changesAgeSeconds: () => feed.ageMs() / 1_000,
    },
  });
  return {
    port: server.port,
    async close() {
      renewal?.stop();
      server.stopListening();
      conversation.drain();
      admission.close();
      await Promise.race([
        Promise.all([box.flush(), recording.flush()]),
        new Promise(resolve => setTimeout(resolve, FLUSH_MS_MAX).unref()),
      ]);
      await registry.endAll(CLOSE.draining, 'draining: reconnect elsewhere, after a random wait', {
        perSecond: config.SCREEN_HELLOS_PER_SECOND_MAX,
        withinMs: SEND_AWAY_MS_MAX,
      });
      refresh.stop();
      budget.heldBound?.stop();
      await planFollow.stop();
      box.close();
      await feed.close();
      await budget.keeper.stop();
      conversation.close();
      await presence.close();
      await Promise.all([intake.close(), recording.close()]);
      unlock();
      for (const redis of [engines.producer, engines.commands, engines.subscriber]) redis.disconnect();
      await engines.sql.end({ timeout: 1 });
    },
  };
}
