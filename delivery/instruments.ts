/** Metrics that delivery counts and times as they happen. `gauges.ts` publishes numbers kept elsewhere. */
import { PLAY_REFUSALS, type PlayRefusal } from '#domain/plays/play.ts';
import { counter, histogram } from '#runtime/metrics.ts';
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

export function countClose(code: number): void {
  closes.inc({ code: String(code) });
}

export function countRefusedSocket(reason: 'full' | 'busy' | 'silent' | 'often'): void {
  refusedSockets.inc({ reason });
}

export function countSlowReader(): void {
  slowReaders.inc();
}
