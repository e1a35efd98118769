/** Outcomes of delivery attempts, for the metrics. Many attempts are added at once. */
import { isSuccess, type AttemptOutcome } from '#domain/webhook.ts';
import { counter, histogram } from '#runtime/metrics.ts';
import type { Milliseconds } from '#domain/unit.ts';

const attemptsMade = counter({
  name: 'workers_webhook_attempts_total',
  help: 'Attempts to deliver an event, by what came of them',
  labels: ['outcome'],
});
const exchangeSeconds = histogram({
  name: 'workers_webhook_exchange_seconds',
  help: 'Time of an exchange with a receiver',
  buckets: [0.01, 0.05, 0.2, 1, 5],
});

export class OutcomeCounts {
  readonly #unpublished = new Map<string, number>();

  count(outcome: AttemptOutcome, ms: Milliseconds): void {
    const label = labelOf(outcome);
    this.#unpublished.set(label, (this.#unpublished.get(label) ?? 0) + 1);
    exchangeSeconds.observe(ms / 1_000);
  }

  publish(): void {
    for (const [outcome, count] of this.#unpublished) attemptsMade.inc({ outcome }, count);
    this.#unpublished.clear();
  }
}

function labelOf(outcome: AttemptOutcome): string {
  if (isSuccess(outcome)) return 'delivered';
  return 'error' in outcome ? outcome.error : `${Math.floor(outcome.status / 100)}xx`;
}
