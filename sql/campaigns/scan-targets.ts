/**
 * What the code of an ad leads to: a landing page, or the notice of a political campaign. A notice is public from the
 * first moment live, for seven years after the last day.
 */
import type { Handle } from '#domain/id.ts';
import { type EarlierPolitical, noticeEndMs, type Political } from '#domain/campaigns/political.ts';
import type { ScanFacts } from '#domain/plays/play.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';

/** Dates are texts YYYY-MM-DD; `ends` is the day on which the campaign ended, if that is before its last day. */
export type Notice = {
  political: Political;
  earlier: readonly EarlierPolitical[];
  sandbox: boolean;
  starts: string;
  ends: string;
  keptUntil: string;
  currency: string;
  budgetMicros: Micros;
  chargedMicros: Micros;
  /** The price of one impression. */
  rateMicros: Micros;
  landingUrl: string | null;
  /** Name and address of the operator, in lines. */
  publisher: readonly string[];
};

type NoticeRow = {
  political: Political;
  political_earlier: EarlierPolitical[];
  sandbox: boolean;
  starts: string;
  ends: string;
  last_day: Date;
  currency: string;
  budget_micros: Micros;
  charged_micros: Micros;
  rate_micros: Micros;
  landing_url: string | null;
  publisher: string[];
};

/** The notice of a campaign, deleted or not; undefined before it was live, after seven years, and if it has none. */
export async function findNotice(
  sql: Postgres,
  { campaign, now }: { campaign: Handle<'campaign'>; now: Milliseconds },
): Promise<Notice | undefined> {
  const [row] = await sql<NoticeRow[]>`
    select political, political_earlier, sandbox, to_char(starts_on, 'YYYY-MM-DD') as starts,
      to_char(greatest(starts_on, least(ends_on, (ended_at at time zone 'UTC')::date)), 'YYYY-MM-DD') as ends,
      ends_on::timestamp at time zone 'UTC' as last_day, currency, budget_micros, charged_micros, rate_micros,
      landing_url, (select name || address_lines || array_remove(array[nullif(concat_ws(' ', postal_code, city), ''),
        country], null) from operator_settings) as publisher
    from campaigns where handle = ${campaign} and political is not null and paced_from is not null`;
  const endMs = row && noticeEndMs(row.last_day.getTime());
  if (row === undefined || endMs === undefined || now >= endMs) return undefined;
  return {
    political: row.political,
    earlier: row.political_earlier,
    sandbox: row.sandbox,
    starts: row.starts,
    ends: row.ends,
    keptUntil: new Date(endMs).toISOString().slice(0, 10),
    currency: row.currency,
    budgetMicros: row.budget_micros,
    chargedMicros: row.charged_micros,
    rateMicros: row.rate_micros,
    publisher: row.publisher,
    landingUrl: row.landing_url,
  };
}

type TargetRow = {
  landing_url: string | null;
  is_political: boolean;
  sandbox: boolean;
  venue: Handle<'venue'>;
  timezone: string;
};
/** The target of a code, and the screen that showed it. The notice of a political ad links to the landing page. */
export type ScanTarget = TargetRow & { notice: Notice | undefined };

/**
 * People keep codes on their phones, so a deleted campaign still redirects. A campaign with neither a landing page nor
 * a notice does not.
 */
export async function readTarget(
  sql: Postgres,
  { campaign, creative, screen }: ScanFacts,
  now: Milliseconds,
): Promise<ScanTarget | undefined> {
  const [row] = await sql<TargetRow[]>`
    select c.landing_url, c.political is not null as is_political, c.sandbox, v.handle as venue, v.timezone
    from campaigns c, creatives r, screens s join venues v on v.handle = s.venue_handle
    where c.handle = ${campaign} and r.handle = ${creative} and s.handle = ${screen}`;
  const notice = row?.is_political ? await findNotice(sql, { campaign, now }) : undefined;
  return row && (notice || row.landing_url !== null) ? { ...row, notice } : undefined;
}
