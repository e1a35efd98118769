/** Whether a screen is connected, in SQL: it waits to be connected for the first time, it is online, or it is not. */
import { SILENT_MS_MAX } from '#domain/screens/screen.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Fragment, Queryable } from '#sql/postgres.ts';

/** The status of a screen `s` with its presence `p`, if it has one. */
export function statusColumn(sql: Queryable, now: Milliseconds): Fragment {
  return sql`case when s.token_hash is null then 'paired_idle'
    when p.online and p.last_seen_at > ${new Date(now - SILENT_MS_MAX)} then 'online' else 'offline' end`;
}
