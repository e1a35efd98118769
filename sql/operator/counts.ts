/** What an installation holds, for the operator's page and for its start. */
import { SILENT_MS_MAX } from '#domain/screens/screen.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';

/** `webhooks_disabled`: by errors of their receivers. */
type Counts = { online: number; offline: number; reviews: number; webhooks_disabled: number };

export async function readCounts(sql: Postgres, now: Milliseconds): Promise<Counts> {
  const since = new Date(now - SILENT_MS_MAX);
  const [counts] = await sql<Counts[]>`
    select count(*) filter (where p.online and p.last_seen_at > ${since})::int as online,
      count(*) filter (where not (p.online and p.last_seen_at > ${since}))::int as offline,
      (select count(*)::int from campaigns where review_waits_for = 'operator' and deleted_at is null
        and not sandbox) as reviews,
      (select count(*)::int from webhooks where status = 'disabled' and disabled_reason = 'client_errors'
        and deleted_at is null) as webhooks_disabled
    from screens s join screen_presence p on p.screen_handle = s.handle
    where not s.sandbox and not s.simulated and s.unpaired_at is null`;
  return counts!;
}

export type Holdings = { workspaces: number; screens: number; campaigns: number };

/** What an installation holds, in both books: workspaces, paired screens and live campaigns. */
export async function countHoldings(sql: Postgres): Promise<Holdings> {
  const [row] = await sql<Holdings[]>`
    select (select count(*) from workspaces) as workspaces,
      (select count(*) from screens where unpaired_at is null) as screens,
      (select count(*) from campaigns where status = 'live') as campaigns`;
  return row!;
}
