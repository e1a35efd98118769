/**
 * Delivery as a whole: opens the engines, makes the components, starts them in the order in which they need each other,
 * and stops them in the order that loses nothing. `main.ts` calls this; tests start the same processes.
 */
import type { Running } from '#runtime/lifecycle.ts';
import type { Log } from '#runtime/log.ts';
import { createPlanStore } from '#records/plan-store.ts';
import { type Components, createComponents } from './components.ts';
import { certificateOf, type Configuration } from './configuration.ts';
import { closeEngines, openEngines } from './engines.ts';
import { publishCounts } from './instruments.ts';
import { CLOSE } from './protocol/bounds.ts';
import { type Recording, startRecording } from './recording/recording.ts';
import { announce } from './screens/announcements.ts';
import { type FollowedPlan, followPlans } from './slots/plan-follow.ts';
import { type ChangeFeed, startChangeFeed } from './snapshot/change-feed.ts';
import { type Refresh, startRefresh } from './snapshot/refresh.ts';
import { type CertificateFiles, followCertificate } from './sockets/certificate.ts';
import { lockPort } from './sockets/port-lock.ts';
import { type Server, startServer } from './sockets/server.ts';
import { warmUp } from './warm-up.ts';

/**
 * Of the 10 s of a drain: batches that cannot be stored by then stay with their screens, which got no acknowledgement.
 */
const FLUSH_MS_MAX = 4_000;
/** Of the 10 s of a drain: the time in which all screens are sent to other processes, one after another. */
const SEND_AWAY_MS_MAX = 3_000;

/** What keeps the components up to date while they answer screens. */
type Followers = { feed: ChangeFeed; recording: Recording; plan: FollowedPlan; refresh: Refresh };
type Listener = { server: Server; close(): void; unlockPort(): void };

/** Starts delivery; resolves when it answers screens. @throws what keeps it from starting. */
export async function startDelivery(config: Configuration, log: Log): Promise<Running> {
  const certificate = certificateOf(config);
  const engines = await openEngines(config, log);
  const components = await createComponents(config, engines, log);
  const followers = await startFollowers(components);
  const listener = await listen(components, certificate);
  publish(components, followers.feed, listener.server);
  return {
    port: listener.server.port,
    async close() {
      await drain(components, followers.recording, listener);
      await stop(components, followers);
      listener.unlockPort();
      await closeEngines(engines);
    },
  };
}

/** The epoch first, so that slots may be filled; then the world and the plan that decisions are made from. */
async function startFollowers(components: Components): Promise<Followers> {
  const { config, engines, store, loader, engine, recorder, registry, log } = components;
  const node = components.current.epoch;
  const loading = loader.loadAll();
  loading.catch(() => undefined); // heard of below, unless the start ends before
  warmUp(config.SIGNING_KEYS.current, Date.now()); // while Postgres gathers the rows
  await components.keeper.start();
  components.heldBound?.start();
  await registry.start();
  const feed = await startChangeFeed({
    sql: engines.sql,
    store,
    loader,
    log,
    snapshot: await loading,
    onEffects: effects => announce(effects, { store, engine, registry, nowMs: Date.now() }),
  });
  const recording = startRecording({
    recorder,
    refused: components.refusedPlays,
    store,
    redis: engines.producer,
    revision: feed.revision,
    node,
    log,
    now: Date.now,
  });
  const plan = followPlans({
    plans: createPlanStore(engines.commands),
    index: store.index,
    recorder,
    process: String(node),
    screens: () => registry.size,
    log,
    now: Date.now,
  });
  return { feed, recording, plan, refresh: startRefresh(engine) };
}

/** Listens for screens, and follows the certificate that they are shown. */
async function listen(
  { config, conversation, log }: Components,
  certificate: CertificateFiles | undefined,
): Promise<Listener> {
  const { DELIVERY_HOST: host, DELIVERY_PORT: port, DELIVERY_SHARED_PORT: isShared } = config;
  const unlockPort = isShared ? lockPort({ port, dataDir: config.DATA_DIR }) : () => undefined;
  const server = await startServer({ host, port, isShared, certificate, conversation });
  const renewal =
    certificate && followCertificate({ files: certificate, use: files => server.useCertificate(files), log });
  return {
    server,
    close() {
      renewal?.stop();
      server.stopListening();
    },
    unlockPort,
  };
}

/** Takes nothing new, stores what was reported, and sends the screens to other processes. */
async function drain(components: Components, recording: Recording, listener: Listener): Promise<void> {
  const { config, conversation, admission, outbox, registry } = components;
  listener.close();
  conversation.drain();
  admission.close();
  await Promise.race([
    Promise.all([outbox.flush(), recording.flush()]),
    new Promise(resolve => setTimeout(resolve, FLUSH_MS_MAX).unref()),
  ]);
  await registry.endAll(CLOSE.draining, 'draining: reconnect elsewhere, after a random wait', {
    perSecond: config.SCREEN_HELLOS_PER_SECOND_MAX,
    withinMs: SEND_AWAY_MS_MAX,
  });
}

/** Followers first; then the epoch is closed, while the engines still answer. */
async function stop(components: Components, { feed, recording, plan, refresh }: Followers): Promise<void> {
  refresh.stop();
  components.heldBound?.stop();
  await plan.stop();
  components.outbox.close();
  await feed.close();
  await components.keeper.stop();
  components.conversation.close();
  await components.presence.close();
  await Promise.all([components.playQueue.close(), recording.close()]);
}

function publish(components: Components, feed: ChangeFeed, server: Server): void {
  const { leases, reservations, registry, limits, heldBound, shownPlays } = components;
  publishCounts({
    answers: components.answers,
    outbox: components.outbox.counts,
    leases: leases.counts,
    keeper: components.keeper.counts,
    liveEpochs: () => components.current.liveEpochs,
    sessions: () => registry.size,
    sockets: server.sockets,
    pendingSockets: () => limits.pendingCount,
    hellosWaiting: () => components.admission.waiting,
    revision: feed.revision,
    bounds: {
      grantsWaiting: () => leases.waiting(),
      heldMicros: () => leases.unissuedMicros(),
      fillSecondsLeft: () => Math.max(0, reservations.fillUntilMs - performance.now()) / 1_000,
      playsRemembered: () => components.issuedPlays.size,
      planFillsOpen: () => components.planFills.size,
      screensThatHold: () => heldBound?.size ?? 0,
      showsRemembered: () => shownPlays?.size ?? 0,
      presenceWaiting: components.presence.waiting,
      screensMax: () => components.screensMax,
      changesAgeSeconds: () => feed.ageMs() / 1_000,
    },
  });
}
