/**
 * The metrics of delivery. What a decision or a report counts is kept as plain numbers where it happens, and read here
 * when somebody asks for the metrics.
 */
import { NO_FILL_REASONS } from '#domain/plays/decision.ts';
import { PLAY_REFUSALS, type PlayRefusal } from '#domain/plays/play.ts';
import { counter, gauge, histogram } from '#runtime/metrics.ts';
import type { LeaseCounts } from './budget/leases.ts';
import type { AnswerCounts } from './slots/answer-counts.ts';
import type { OutboxCounts } from './reports/outbox.ts';
import type { RecorderCounts } from './recording/recorder.ts';
import type { Milliseconds } from '#domain/unit.ts';

const MS_PER_SECOND = 1_000;

const decisionSeconds = histogram({
  name: 'delivery_decision_seconds',
  help: 'Time of one decision in process (a sample)',
  buckets: [1e-6, 2e-6, 3e-6, 5e-6, 7e-6, 1e-5, 1.5e-5, 2e-5, 3e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2],
});
const reports = counter({
  name: 'delivery_reports_total',
  help: 'Reported plays by what became of them; unattested: people were counted and no paired sensing module vouched for them',
  labels: ['outcome'],
});
for (const outcome of ['accepted', 'refused', 'handed_back', 'acknowledged', 'unattested']) reports.inc({ outcome }, 0);
const messages = counter({ name: 'delivery_messages_total', help: 'Messages of screens by type', labels: ['type'] });
const closes = counter({
  name: 'delivery_closes_total',
  help: 'Connections closed by the server, by code',
  labels: ['code'],
});
const refusedSockets = counter({
  name: 'delivery_refused_connections_total',
  help: 'Connections closed because too many screens are in (full), come in at once (busy), too many sockets say no hello (silent), or one screen comes too often (often)',
  labels: ['reason'],
});
const refusedPlays = counter({
  name: 'delivery_refused_plays_total',
  help: 'Reported plays that cannot count, by why',
  labels: ['reason'],
});
for (const reason of PLAY_REFUSALS) refusedPlays.inc({ reason }, 0); // an alert on a rise needs the zero before it
for (const reason of ['full', 'busy', 'silent', 'often']) refusedSockets.inc({ reason }, 0);
const slowReaders = counter({
  name: 'delivery_slow_readers_total',
  help: 'Connections closed because their reader left too much unread',
});

export function observeDecision(ms: Milliseconds): void {
  decisionSeconds.observe(ms / MS_PER_SECOND);
}

export function countReport(
  outcome: 'accepted' | 'refused' | 'handed_back' | 'acknowledged' | 'unattested',
  count: number,
): void {
  if (count > 0) reports.inc({ outcome }, count);
}

export function countRefusedPlay(reason: PlayRefusal): void {
  refusedPlays.inc({ reason });
}

/** Messages of type `slot` are not counted here: their decisions are. */
export function countMessage(type: 'hello' | 'plays' | 'cannot_play' | 'bad'): void {
  messages.inc({ type });
}

export function countClose(code: number): void {
  closes.inc({ code: String(code) });
}

export function countRefusedSocket(reason: 'full' | 'busy' | 'silent' | 'often'): void {
  refusedSockets.inc({ reason });
}

export function countSlowReader(): void {
  slowReaders.inc();
}

/** How full the bounded collections of this process are now. */
type Bounds = Record<
  | 'grantsWaiting'
  | 'heldMicros'
  | 'fillSecondsLeft'
  | 'playsRemembered'
  | 'planFillsOpen'
  | 'screensThatHold'
  | 'showsRemembered'
  | 'presenceWaiting'
  | 'screensMax'
  | 'changesAgeSeconds',
  () => number
>;

/** What others count as plain numbers. */
export type PublishedCounts = {
  bounds: Bounds;
  answers: AnswerCounts;
  outbox: Readonly<OutboxCounts>;
  leases: Readonly<LeaseCounts>;
  keeper: Readonly<{ epochs: number }>;
  liveEpochs: () => number;
  sessions: () => number;
  sockets: () => number;
  pendingSockets: () => number;
  hellosWaiting: () => number;
  revision: () => number;
};

/** Publishes counts as metrics: they are read when somebody asks for the metrics. */
export function publishCounts(counts: PublishedCounts): void {
  publishDecisions(counts.answers);
  publishSockets(counts);
  publishOutbox(counts.outbox);
  publishBudget(counts);
  publishBounds(counts.bounds);
}

function publishDecisions(answers: AnswerCounts): void {
  gauge({ name: 'delivery_fills', help: 'Slots that got an ad since the start', read: () => answers.fills });
  gauge({
    name: 'delivery_slots',
    help: 'Slots decided since the start',
    read() {
      // Metrics are collected in the order of their declaration, so the reasons below are of the same moment.
      NO_FILL_REASONS.forEach((reason, number) => noFills.set({ reason }, answers.noFills[number]!));
      return answers.noFills.reduce((sum, count) => sum + count, answers.fills);
    },
  });
  const noFills = gauge({
    name: 'delivery_no_fills',
    help: 'Slots without an ad since the start, by reason',
    labels: ['reason'],
  });
}

function publishSockets({ sessions, sockets, pendingSockets, hellosWaiting, revision }: PublishedCounts): void {
  gauge({ name: 'delivery_sessions', help: 'Screens connected', read: sessions });
  gauge({ name: 'delivery_sockets', help: 'Connections open, also those that said no hello yet', read: sockets });
  gauge({
    name: 'delivery_sockets_before_hello',
    help: 'Connections whose screen is not known yet',
    read: pendingSockets,
  });
  gauge({
    name: 'delivery_hellos_waiting',
    help: 'Screens that said hello and wait for their turn',
    read: hellosWaiting,
  });
  gauge({
    name: 'delivery_snapshot_revision',
    help: 'Last revision of the change log that is applied',
    read: revision,
  });
}

function publishOutbox(outbox: Readonly<OutboxCounts>): void {
  gauge({ name: 'delivery_outbox_waiting_events', help: 'Reports not stored yet', read: () => outbox.waitingEvents });
  gauge({
    name: 'delivery_outbox_kept_batches',
    help: 'Stored batches of which a copy is kept, until they are complete and as_of has passed them',
    read: () => outbox.keptBatches,
  });
  gauge({
    name: 'delivery_outbox_kept_events',
    help: 'Reports in those copies; 200,000 at most',
    read: () => outbox.keptEvents,
  });
  gauge({ name: 'delivery_batches_stored', help: 'Batches stored since the start', read: () => outbox.batchesStored });
  gauge({ name: 'delivery_batch_retries', help: 'Failed attempts to store a batch', read: () => outbox.retries });
  gauge({ name: 'delivery_batches_added_again', help: 'Batches that Redis had lost', read: () => outbox.addedAgain });
  gauge({
    name: 'delivery_batch_copies_dropped',
    help: 'Copies let go for want of room while they were still needed, complete ones first',
    read: () => outbox.copiesDropped,
  });
}

function publishBudget({ leases, keeper, liveEpochs }: PublishedCounts): void {
  gauge({ name: 'delivery_grants', help: 'Grants answered by the authority', read: () => leases.grants });
  gauge({ name: 'delivery_grants_short', help: 'Grants that did not cover one play', read: () => leases.short });
  gauge({
    name: 'delivery_leases_given_back',
    help: 'Idle leases that went back to the authority',
    read: () => leases.givenBack,
  });
  gauge({ name: 'delivery_epochs', help: 'Epochs that this process has begun', read: () => keeper.epochs });
  gauge({ name: 'delivery_epochs_live', help: 'Epochs that live in all processes', read: liveEpochs });
  gauge({ name: 'delivery_grants_failed', help: 'Grants without an answer', read: () => leases.failed });
}

function publishBounds(bounds: Bounds): void {
  gauge({ name: 'delivery_grants_waiting', help: 'Campaigns that wait for a grant', read: bounds.grantsWaiting });
  gauge({
    name: 'delivery_lease_micros',
    help: 'Money that is held and not issued, in micro-units of all currencies',
    read: bounds.heldMicros,
  });
  gauge({
    name: 'delivery_fill_seconds_left',
    help: 'For how long slots may still be filled without another renewal of the epoch; 0: none is filled',
    read: bounds.fillSecondsLeft,
  });
  gauge({
    name: 'delivery_plays_remembered',
    help: 'Issued plays that are looked after until they are counted',
    read: bounds.playsRemembered,
  });
  gauge({ name: 'delivery_plan_fills_open', help: 'Fills of offline plans that are out', read: bounds.planFillsOpen });
  gauge({
    name: 'delivery_screens_that_hold',
    help: 'Screens that hold more ad time of this process than is usual: fills that they did not report',
    read: bounds.screensThatHold,
  });
  gauge({
    name: 'delivery_shows_remembered',
    help: 'Reported plays whose time on their screen is remembered, so that no other takes it',
    read: bounds.showsRemembered,
  });
  gauge({
    name: 'delivery_presence_waiting',
    help: 'Screens whose coming or going is not written yet',
    read: bounds.presenceWaiting,
  });
  gauge({ name: 'delivery_screens_max', help: 'Screens that this process takes at most', read: bounds.screensMax });
  gauge({
    name: 'delivery_changes_age_seconds',
    help: 'Time since the change log was read last',
    read: bounds.changesAgeSeconds,
  });
}

/** Publishes what the recorder of decisions counts. */
export function publishRecording(counts: Readonly<RecorderCounts>): void {
  gauge({
    name: 'delivery_decisions_recorded',
    help: 'Decisions that were written down since the start',
    read: () => counts.recorded,
  });
  gauge({
    name: 'delivery_decisions_unrecorded',
    help: 'Decisions that were not written down, because there was no room',
    read: () => counts.dropped,
  });
  gauge({ name: 'delivery_decision_runs', help: 'Runs of the journal that were begun', read: () => counts.runs });
  gauge({
    name: 'delivery_decision_runs_broken',
    help: 'Runs of the journal that ended early, because something of them was dropped',
    read: () => counts.broken,
  });
}
