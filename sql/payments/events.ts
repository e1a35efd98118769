/** Events of the payment provider: each takes effect once, and those that could not be read are listed. */
import type { Unit } from '#books/unit-of-work.ts';
import type { Queryable } from '#sql/postgres.ts';

/** As many as a person will look through; the newest are listed. */
const EVENTS_LISTED_MAX = 200;

type ArrivedEvent = { id: string; type: string };

/**
 * Writes an event, without an outcome. False for one that was taken before. Another process that has the same event
 * waits here for the end of this transaction.
 */
export async function recordEvent({ tx, now }: Unit, { id, type }: ArrivedEvent): Promise<boolean> {
  const fresh = await tx`insert into payment_events (event_id, type, outcome, received_at)
    values (${id}, ${type}, 'nothing', ${now}) on conflict do nothing returning 1`;
  return fresh.length > 0;
}

export async function recordOutcome({ tx }: Unit, id: string, outcome: string): Promise<void> {
  await tx`update payment_events set outcome = ${outcome} where event_id = ${id}`;
}

/** The newest events that could not be read. */
export async function readUnreadable(sql: Queryable): Promise<(ArrivedEvent & { at: Date })[]> {
  return sql<(ArrivedEvent & { at: Date })[]>`
    select event_id as id, type, received_at as at from payment_events where outcome = 'unreadable'
    order by received_at desc, event_id limit ${EVENTS_LISTED_MAX}`;
}

/** A provider sends an event again for days; one that comes after this time is recognised by its payment. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;
const FORGOTTEN_AT_ONCE = 1_000;

/** Deletes events, and cases that wait for a missing payment, after 90 days. Returns how many. */
export async function forgetPayments(sql: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  const events = await sql`
    delete from payment_events where event_id in (select event_id from payment_events where received_at < ${before}
      order by received_at limit ${FORGOTTEN_AT_ONCE})`;
  const cases = await sql`
    delete from payment_cases where handle in (select handle from payment_cases
      where status = 'waiting' and created_at < ${before} order by created_at limit ${FORGOTTEN_AT_ONCE})`;
  return events.count + cases.count;
}
