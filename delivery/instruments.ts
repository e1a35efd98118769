/** The metrics of delivery. What is counted on the way of a decision is kept as plain numbers there and read here. */
import { NO_FILL_REASONS } from '#domain/decision.ts';
import { counter, gauge, histogram } from '#runtime/metrics.ts';
import type { LeaseCounts } from './budget/leases.ts';
import type { Trace } from './decision/trace.ts';
import type { OutboxCounts } from './outbox.ts';

const MS_PER_SECOND = 1_000;

const decisionSeconds = histogram({
  name: 'delivery_decision_seconds',
  help: 'Time of one decision in process (a sample)',
  buckets: [1e-6, 2e-6, 3e-6, 5e-6, 7e-6, 1e-5, 1.5e-5, 2e-5, 3e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2],
});
const reports = counter({ name: 'delivery_reports_total', help: 'Reported plays by what became of them', labels: ['outcome'] });
const messages = counter({ name: 'delivery_messages_total', help: 'Messages of screens by type', labels: ['type'] });
const closes = counter({ name: 'delivery_closes_total', help: 'Connections closed by the server, by code', labels: ['code'] });

export function observeDecision(ms: number): void {
  decisionSeconds.observe(ms / MS_PER_SECOND);
}

export function countReport(outcome: 'accepted' | 'refused' | 'handed_back' | 'acknowledged', count: number): void {
  if (count > 0) reports.inc({ outcome }, count);
}

/** `slot` is counted by its decisions. */
export function countMessage(type: 'hello' | 'plays' | 'cannot_play' | 'bad'): void {
  messages.inc({ type });
}

export function countClose(code: number): void {
  closes.inc({ code: String(code) });
}

/** Publishes what others count as plain numbers: read when somebody asks for the metrics. */
export function publishCounts({ trace, outbox, leases, keeper, sessions, revision }: {
  trace: Trace; outbox: Readonly<OutboxCounts>; leases: Readonly<LeaseCounts>; keeper: { epochs: number; nodes: number }; sessions: () => number; revision: () => number;
}): void {
  gauge({ name: 'delivery_fills', help: 'Slots that got an ad since the start', read: () => trace.fills });
  gauge({
    name: 'delivery_slots',
    help: 'Slots decided since the start',
    read() {
      // Metrics are collected in the order of their declaration, so the reasons below are of the same moment.
      NO_FILL_REASONS.forEach((reason, number) => noFills.set({ reason }, trace.noFills[number]!));
      return trace.noFills.reduce((sum, count) => sum + count, trace.fills);
    },
  });
  const noFills = gauge({ name: 'delivery_no_fills', help: 'Slots without an ad since the start, by reason', labels: ['reason'] });
  gauge({ name: 'delivery_sessions', help: 'Screens connected', read: sessions });
  gauge({ name: 'delivery_snapshot_revision', help: 'Last revision of the change log that is applied', read: revision });
  gauge({ name: 'delivery_outbox_waiting_events', help: 'Reports not stored yet', read: () => outbox.waitingEvents });
  gauge({ name: 'delivery_outbox_kept_batches', help: 'Stored batches whose insert is not confirmed', read: () => outbox.keptBatches });
  gauge({ name: 'delivery_batches_stored', help: 'Batches stored since the start', read: () => outbox.batchesStored });
  gauge({ name: 'delivery_batch_retries', help: 'Failed attempts to store a batch', read: () => outbox.retries });
  gauge({ name: 'delivery_batches_added_again', help: 'Batches that Redis had lost', read: () => outbox.addedAgain });
  gauge({ name: 'delivery_batch_copies_dropped', help: 'Copies let go before their insert was confirmed', read: () => outbox.copiesDropped });
  gauge({ name: 'delivery_grants', help: 'Grants answered by the authority', read: () => leases.grants });
  gauge({ name: 'delivery_grants_short', help: 'Grants that did not cover one play', read: () => leases.short });
  gauge({ name: 'delivery_leases_given_back', help: 'Idle leases that went back to the authority', read: () => leases.givenBack });
  gauge({ name: 'delivery_epochs', help: 'Epochs that this process has begun', read: () => keeper.epochs });
  gauge({ name: 'delivery_epochs_live', help: 'Epochs that live in all processes', read: () => keeper.nodes });
  gauge({ name: 'delivery_grants_failed', help: 'Grants without an answer', read: () => leases.failed });
}
