/** Metrics from plain numbers in the parts of delivery: read when the metrics are requested. */
import { NO_FILL_REASONS } from '#domain/plays/decision.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import type { MessageCounts } from './conversation/conversation.ts';
import type { Parts } from './parts.ts';
import type { AnswerCounts } from './recording/answer-counts.ts';
import type { DecisionRecorder } from './recording/recorder.ts';
import type { OutboxCounts } from './reports/outbox.ts';
import type { ChangeFeed } from './snapshot/change-feed.ts';
import type { Listener } from './sockets/listener.ts';

const MS_PER_SECOND = 1_000;

type Started = { feed: ChangeFeed; listener: Listener };

export function publishGauges(parts: Parts, { feed, listener }: Started): void {
  publishDecisions(parts.decisions.engine.answers);
  publishRecording(parts.decisions.recorder);
  publishSockets(parts, listener);
  publishMessages(parts.conversation.counts);
  publishOutbox(parts.outbox.counts);
  publishBudget(parts);
  publishPlays(parts);
  publishSnapshot(parts, feed);
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

function publishSockets({ registry, entry }: Parts, listener: Listener): void {
  gauge({ name: 'delivery_sessions', help: 'Screens connected', read: () => registry.size });
  gauge({
    name: 'delivery_sockets',
    help: 'Connections open, also those that said no hello yet',
    read: listener.sockets,
  });
  gauge({
    name: 'delivery_sockets_before_hello',
    help: 'Connections whose screen is not known yet',
    read: () => entry.limits.pendingCount,
  });
  gauge({
    name: 'delivery_hellos_waiting',
    help: 'Screens that said hello and wait for their turn',
    read: () => entry.admission.waiting,
  });
  gauge({
    name: 'delivery_screens_max',
    help: 'Screens that this process takes at most',
    read: () => entry.screensMax,
  });
}

function publishMessages(counts: Readonly<MessageCounts>): void {
  counter({
    name: 'delivery_messages_total',
    help: 'Messages of screens by type',
    labels: ['type'],
    recount(messages) {
      for (const [type, count] of Object.entries(counts)) messages.inc({ type }, count);
    },
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
    help: 'Copies dropped for want of room while they were still needed, complete ones first',
    read: () => outbox.copiesDropped,
  });
}

function publishBudget({ budget, decisions, current }: Parts): void {
  const { leases, keeper } = budget;
  gauge({ name: 'delivery_grants', help: 'Grants answered by the authority', read: () => leases.counts.grants });
  gauge({ name: 'delivery_grants_short', help: 'Grants that did not cover one play', read: () => leases.counts.short });
  gauge({
    name: 'delivery_leases_given_back',
    help: 'Idle leases that went back to the authority',
    read: () => leases.counts.givenBack,
  });
  gauge({ name: 'delivery_epochs', help: 'Epochs that this process has begun', read: () => keeper.counts.epochs });
  gauge({ name: 'delivery_epochs_live', help: 'Epochs that live in all processes', read: () => current.liveEpochs });
  gauge({ name: 'delivery_grants_failed', help: 'Grants without an answer', read: () => leases.counts.failed });
  gauge({ name: 'delivery_grants_waiting', help: 'Campaigns that wait for a grant', read: () => leases.waiting() });
  gauge({
    name: 'delivery_lease_micros',
    help: 'Money that is held and not issued, in micro-units of all currencies',
    read: () => leases.unissuedMicros(),
  });
  gauge({
    name: 'delivery_fill_seconds_left',
    help: 'For how long slots may still be filled without another renewal of the epoch; 0: none is filled',
    read: () => Math.max(0, decisions.reservations.fillUntilMs - performance.now()) / MS_PER_SECOND,
  });
}

function publishPlays({ plays, presence }: Parts): void {
  gauge({
    name: 'delivery_plays_remembered',
    help: 'Issued plays that are looked after until they are counted',
    read: () => plays.issued.size,
  });
  gauge({
    name: 'delivery_plan_fills_open',
    help: 'Fills of offline plans that are out',
    read: () => plays.planFills.size,
  });
  gauge({
    name: 'delivery_screens_that_hold',
    help: 'Screens that hold more ad time of this process than is usual: fills that they did not report',
    read: () => plays.held?.size ?? 0,
  });
  gauge({
    name: 'delivery_shows_remembered',
    help: 'Reported plays whose time on their screen is remembered, so that no other takes it',
    read: () => plays.shown?.size ?? 0,
  });
  gauge({
    name: 'delivery_presence_waiting',
    help: 'Screens whose coming or going is not written yet',
    read: presence.waiting,
  });
}

function publishSnapshot({ store }: Parts, feed: ChangeFeed): void {
  gauge({
    name: 'delivery_snapshot_revision',
    help: 'Last revision of the change log that is applied',
    read: () => store.revision,
  });
  gauge({
    name: 'delivery_changes_age_seconds',
    help: 'Time since the change log was read last',
    read: () => feed.ageMs() / MS_PER_SECOND,
  });
}

function publishRecording({ counts }: DecisionRecorder): void {
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
