/** Facts that wait for their mail. A fact is written once for each reader, however often it is found. */
import type { AlertFact } from '#domain/alerts/words.ts';
import { jsonb, type Queryable } from '../postgres.ts';
import type { ChoiceHandle } from './choices.ts';

/** Facts that may wait for one choice: twenty mails. Facts beyond them are dropped, so a flood stays bounded. */
const WAITING_MAX = 1_000;
/** A fact is not repeated for as long as it is kept: longer than any key or outage lasts. */
const KEPT_MS = 400 * 86_400_000;
const FORGOTTEN_AT_ONCE = 1_000;

export type NewFact = AlertFact & { choice: ChoiceHandle; key: string; dueAt: Date };

/** @returns how many of these facts are new */
export async function insertFacts(sql: Queryable, facts: readonly NewFact[], now: Date): Promise<number> {
  if (facts.length === 0) return 0;
  const written = await sql`
    insert into alert_facts (choice_handle, kind, key, detail, found_at, due_at, state)
    select choice, kind, key, detail, ${now}, "dueAt",
      case when waiting < ${WAITING_MAX} then 'waiting' else 'dropped' end
    from jsonb_to_recordset(${jsonb(sql, facts)})
        as fact (choice bigint, kind text, key text, detail jsonb, "dueAt" timestamptz),
      lateral (select count(*) as waiting from alert_facts w
        where w.choice_handle = fact.choice and w.state = 'waiting') queue
    on conflict (choice_handle, key) do nothing`;
  return written.count;
}

export async function forgetFacts(sql: Queryable, now: Date): Promise<number> {
  const gone = await sql`
    delete from alert_facts where handle in (select handle from alert_facts
      where found_at < ${new Date(now.getTime() - KEPT_MS)} and state <> 'waiting'
      order by found_at limit ${FORGOTTEN_AT_ONCE})`;
  return gone.count;
}
