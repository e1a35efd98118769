/** Deletes deliveries of webhooks and dispatched events that are past their retention. */
import { DELIVERIES_KEPT_MS } from '#domain/webhook.ts';
import type { JobContext } from '../schedule.ts';

/** How many of the oldest are deleted at a time, for each subscription and from the outbox. */
const DELIVERIES_AT_ONCE = 100;
const EVENTS_AT_ONCE = 1_000;

/** Deletes deliveries and dispatched events 30 days after they were written. Returns how many. */
export async function forgetDeliveries({ sql, now }: JobContext): Promise<number> {
  const before = new Date(now().getTime() - DELIVERIES_KEPT_MS);
  const deliveries = await sql`
    delete from webhook_deliveries d using (
      select o.webhook_handle, o.handle from webhooks w cross join lateral (
        select webhook_handle, handle, created_at, state from webhook_deliveries where webhook_handle = w.handle
        order by handle limit ${DELIVERIES_AT_ONCE}) o
      where o.created_at < ${before} and o.state <> 'pending') old
    where d.webhook_handle = old.webhook_handle and d.handle = old.handle`;
  const events = await sql`
    delete from outbox where handle in (
      select handle from (select handle, created_at, dispatched_at from outbox order by handle
        limit ${EVENTS_AT_ONCE}) oldest where created_at < ${before} and dispatched_at is not null)`;
  return deliveries.count + events.count;
}
