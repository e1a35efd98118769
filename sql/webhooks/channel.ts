/** Notifies the workers that deliveries to webhooks are due, with the commit of the API that causes them. */
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';

/** The channel of Postgres on which the workers hear for which endpoints something is due now. */
export const WEBHOOKS_CHANNEL = 'marquee_webhooks';
/** Postgres takes 8,000 bytes at a time, and a handle has 16 digits and a comma at most. */
const HANDLES_MAX = 400;

/** Tells the workers, with the commit of the transaction, that these endpoints have something due. */
export async function tellWebhooks(tx: Queryable, webhooks: readonly Handle<'webhook'>[]): Promise<void> {
  if (webhooks.length === 0) return;
  await tx`select pg_notify(${WEBHOOKS_CHANNEL}, ${webhooks.length > HANDLES_MAX ? '' : webhooks.join(',')})`;
}
