/** The parts of delivery, in the order of their dependencies: each gets everything it needs at its creation. */
import type { Log } from '#runtime/log.ts';
import { createAuthority } from '#authority/authority.ts';
import { createPlayQueue } from '#ingest/queue/play-queue.ts';
import { createBudget } from './money/budget.ts';
import { CurrentEpoch } from './money/current-epoch.ts';
import { createEpochSource } from './money/epoch-source.ts';
import { CLOCKS as clocks } from './clocks.ts';
import type { Configuration } from './configuration.ts';
import { Conversation } from './conversation/conversation.ts';
import { createEntry } from './conversation/entry.ts';
import { Handshake } from './conversation/handshake.ts';
import type { Engines } from './engines.ts';
import { DecisionRows } from './recording/decision-rows.ts';
import { createDecisions } from './recording/decisions.ts';
import { Attestation } from './reports/attestation.ts';
import { Outbox } from './reports/outbox.ts';
import { ReportHandler } from './reports/reports.ts';
import { startPresence } from './screens/presence.ts';
import { SessionRegistry } from './screens/session-registry.ts';
import { createPlays } from './slots/plays.ts';
import { SlotHandler } from './slots/slots.ts';
import { createLoader } from './snapshot/loader.ts';
import { Store } from './snapshot/store.ts';

/** Creates the parts; takes this process's first epoch, which serves as its unique name. */
export async function createParts(config: Configuration, { sql, commands, producer, subscriber }: Engines, log: Log) {
  const { SIGNING_KEYS: keys, DELIVERY_NODE, SCREEN_PLAYS_OVERLAP: mayOverlap } = config;
  const folder = `${config.DATA_DIR}/delivery`;
  const authority = createAuthority(commands);
  const playQueue = createPlayQueue({ redis: producer });
  const epochs = createEpochSource({ sql, authority, folder, node: DELIVERY_NODE, log });
  const rows = new DecisionRows();
  const current = new CurrentEpoch(await epochs.take(), rows);
  const node = current.epoch;
  const loader = createLoader({ sql, publicUrl: config.PUBLIC_URL, log });
  const store = new Store(clocks.now());
  const decisions = createDecisions({ store, rows, current, clocks });
  const plays = createPlays({ mayOverlap, screens: store.screens, authority, current, log, clocks });
  const outbox = new Outbox({ playQueue, epoch: node, log });
  const budget = createBudget({
    authority,
    epochs,
    current,
    index: store.index,
    reservations: decisions.reservations,
    issuedPlays: plays.issued,
    playQueue,
    addAgain: () => outbox.addAgain(),
    onMoney: campaign => decisions.recorder.moneyChanged(campaign),
    onRestart: () => decisions.recorder.begin(clocks.now()),
    log,
    clocks,
  });
  const registry = new SessionRegistry({ commands, subscriber, log });
  const presence = startPresence({ sql, log });
  const entry = createEntry(config, log, clocks);
  const attestation = new Attestation(store);
  const { engine, refusedPlays } = decisions;
  const { now } = clocks;
  const conversation = new Conversation({
    limits: entry.limits,
    handshake: new Handshake({ store, loader, engine, registry, presence, entry, keys, log, now }),
    slots: new SlotHandler({ store, decisions, plays, current, signingKey: keys.current }),
    reports: new ReportHandler({ attestation, plays, refusedPlays, outbox, keys, log }),
    registry,
    presence,
    messagesPerSecondMax: config.SCREEN_MESSAGES_PER_SECOND_MAX,
    now,
  });
  return {
    node,
    current,
    playQueue,
    loader,
    store,
    decisions,
    plays,
    outbox,
    budget,
    registry,
    presence,
    entry,
    conversation,
  };
}

export type Parts = Awaited<ReturnType<typeof createParts>>;
