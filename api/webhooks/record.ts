/** How the API shows webhooks and their deliveries. */
import { formatId } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { mayHear } from '#domain/webhook.ts';
import type { DeliveryRow } from '#sql/webhooks/deliveries.ts';
import type { WebhookRow } from '#sql/webhooks/subscriptions.ts';
import type { Webhook, WebhookDelivery } from './schema.ts';

export function webhookRecord(row: WebhookRow, now: Milliseconds): Webhook {
  const overlap = row.previous_secret_until;
  return {
    id: formatId('webhook', row.handle),
    url: row.url,
    // One of before this was asked may hold others, which are never sent.
    events: row.events.filter(type => mayHear(row.surface, type)),
    status: row.status,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    client_errors: row.client_errors,
    previous_secret_expires_at: overlap && overlap.getTime() > now ? overlap.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}

export function deliveryRecord(row: DeliveryRow): WebhookDelivery {
  return {
    id: formatId('webhook_delivery', row.handle),
    event: { id: formatId('event', row.event), type: row.type },
    status: row.state,
    failure: row.reason,
    attempts: row.log.map(({ at, status, error, ms }) => ({
      at: new Date(at).toISOString(),
      status: status ?? null,
      error: error ?? null,
      duration_ms: ms,
    })),
    next_attempt_at: row.next_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
