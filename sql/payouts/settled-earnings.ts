/**
 * The earnings of venues, by venue, day at the venue, currency and commission, as settlement adds to them. Each row is
 * the sum of its lines by screen and category, and a day's rows of a workspace are the sum of its postings.
 */
import type { Handle } from '#domain/id.ts';
import type { Commission } from '#domain/money/commission.ts';
import { ATTESTED_MS } from '#domain/screens/sensor.ts';
import type { Micros } from '#domain/unit.ts';
import type { Transaction } from '#sql/postgres.ts';

/** What the commission of plays on a screen follows from. */
export type EarningScreen = {
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  workspace: Handle<'workspace'>;
  ad_ratio: number;
  daily_visitors: number;
  dwell_minutes: number;
  /**
   * Since when a sensing module is paired (in the sandbox: declared), and until when its last attested audience lasts;
   * null: none.
   */
  paired_since: Date | null;
  attested_until: Date | null;
};

/** Screens, by `screen venue`, with the venue of the plays, which differs from the current one after a move. */
export async function readScreens(
  tx: Transaction,
  places: readonly Pick<EarningScreen, 'screen' | 'venue'>[],
): Promise<Map<string, EarningScreen>> {
  const pairs = new Map(places.map(({ screen, venue }) => [`${screen} ${venue}`, { screen, venue }]));
  const rows = await tx<EarningScreen[]>`
    select s.handle as screen, v.handle as venue, v.workspace_handle as workspace, ad_ratio_of(s.handle) as ad_ratio,
      v.daily_visitors, v.dwell_minutes,
      coalesce(k.paired_at, case when s.sandbox and s.sensor_paired then s.created_at end) as paired_since,
      s.audience_attested_at + ${ATTESTED_MS} * interval '1 millisecond' as attested_until
    from unnest(${[...pairs.values()].map(pair => pair.screen)}::bigint[],
      ${[...pairs.values()].map(pair => pair.venue)}::bigint[]) as pair (screen, venue)
    join screens s on s.handle = pair.screen join venues v on v.handle = pair.venue
    left join sensors k on k.screen_handle = s.handle`;
  return new Map(rows.map(row => [`${row.screen} ${row.venue}`, row]));
}

export type Amounts = { plays: number; impressionsThousandths: number; grossMicros: Micros; earnedMicros: Micros };
type Line = Amounts & { screen: Handle<'screen'>; category: string };
export type Earning = Commission &
  Amounts & {
    workspace: Handle<'workspace'>;
    venue: Handle<'venue'>;
    sandbox: boolean;
    currency: string;
    day: string;
    lines: Map<string, Line>;
  };

/** What one posting adds to the earnings of a workspace. */
export type EarningTotal = { workspace: Handle<'workspace'>; sandbox: boolean; currency: string; amountMicros: Micros };

/**
 * Adds to earnings, their lines and the sums of the day. Rows are locked in the order of their key, as withdrawals lock
 * them, so that they never deadlock.
 */
export async function addEarnings(
  tx: Transaction,
  { earnings, totals, now }: { earnings: readonly Earning[]; totals: readonly EarningTotal[]; now: Date },
): Promise<void> {
  await addLines(tx, await addRows(tx, earnings, now), now);
  await addDays(tx, totals, now);
}

/** Adds to the sums of the day, which equal the postings. */
async function addDays(tx: Transaction, totals: readonly EarningTotal[], now: Date): Promise<void> {
  if (totals.length === 0) return;
  const column = <T>(pick: (total: EarningTotal) => T) => totals.map(pick);
  await tx`
    insert into earnings_days (workspace_handle, sandbox, currency, settled_on, earned_micros)
    select workspace, sandbox, currency, ${now.toISOString().slice(0, 10)}::date, micros
    from unnest(${column(t => t.workspace)}::bigint[], ${column(t => String(t.sandbox))}::text[]::boolean[],
      ${column(t => t.currency)}::text[], ${column(t => t.amountMicros)}::bigint[]) as t (workspace, sandbox, currency,
      micros)
    order by 1, 2, 3
    on conflict (workspace_handle, sandbox, currency, settled_on) do update
    set earned_micros = earnings_days.earned_micros + excluded.earned_micros`;
}

type StoredLine = Line & { earning: Handle<'earning'> };

/** Returns the lines of the earnings with their rows. */
async function addRows(tx: Transaction, earnings: readonly Earning[], now: Date): Promise<StoredLine[]> {
  if (earnings.length === 0) return [];
  const column = <T>(pick: (earning: Earning) => T) => earnings.map(pick);
  const settledOn = now.toISOString().slice(0, 10);
  const rows = await tx<{ handle: Handle<'earning'>; name: string }[]>`
    insert into venue_earnings (workspace_handle, venue_handle, sandbox, currency, day, tier, share_millionths,
      settled_on, plays, impressions_thousandths, gross_micros, earned_micros)
    select workspace, venue, sandbox, currency, day, tier, share, ${settledOn}::date, plays, impressions, gross, earned
    from unnest(${column(e => e.workspace)}::bigint[], ${column(e => e.venue)}::bigint[],
      ${column(e => String(e.sandbox))}::text[]::boolean[], ${column(e => e.currency)}::text[],
      ${column(e => e.day)}::date[],
      ${column(e => e.tier)}::text[], ${column(e => e.shareMillionths)}::integer[], ${column(e => e.plays)}::bigint[], ${column(e => e.impressionsThousandths)}::bigint[],
      ${column(e => e.grossMicros)}::bigint[], ${column(e => e.earnedMicros)}::bigint[]) as e (workspace, venue, sandbox, currency, day, tier, share, plays, impressions, gross, earned)
    order by venue, currency, sandbox, day, tier, share
    on conflict (venue_handle, currency, sandbox, day, tier, share_millionths) do update
    set settled_on = greatest(venue_earnings.settled_on, excluded.settled_on),
      plays = venue_earnings.plays + excluded.plays, impressions_thousandths = venue_earnings.impressions_thousandths + excluded.impressions_thousandths,
      gross_micros = venue_earnings.gross_micros + excluded.gross_micros, earned_micros = venue_earnings.earned_micros + excluded.earned_micros
    returning handle, concat_ws(' ', venue_handle, currency, sandbox, to_char(day, 'YYYY-MM-DD'), tier,
      share_millionths) as name`;
  const handles = new Map(rows.map(row => [row.name, row.handle]));
  return earnings.flatMap(({ lines, ...earning }) =>
    [...lines.values()].map(line => ({ ...line, earning: handles.get(nameOf(earning))! })),
  );
}

/** In Postgres's format of the table's key: a boolean is one letter there. */
function nameOf({ venue, currency, sandbox, day, tier, shareMillionths }: Omit<Earning, 'lines'>): string {
  return [venue, currency, sandbox ? 't' : 'f', day, tier, shareMillionths].join(' ');
}

/** The rows of the earnings are locked, so no other transaction adds to their lines. */
async function addLines(tx: Transaction, lines: readonly StoredLine[], now: Date): Promise<void> {
  if (lines.length === 0) return;
  const column = <T>(pick: (line: StoredLine) => T) => lines.map(pick);
  await tx`
    insert into earning_lines (earning_handle, settled_on, screen_handle, category, plays, impressions_thousandths,
      gross_micros, earned_micros, first_settled_at, last_settled_at)
    select earning, ${now.toISOString().slice(0, 10)}::date, screen, category, plays, impressions, gross, earned,
      ${now}::timestamptz, ${now}::timestamptz
    from unnest(${column(l => l.earning)}::bigint[], ${column(l => l.screen)}::bigint[],
      ${column(l => l.category)}::text[], ${column(l => l.plays)}::bigint[],
      ${column(l => l.impressionsThousandths)}::bigint[], ${column(l => l.grossMicros)}::bigint[], ${column(l => l.earnedMicros)}::bigint[]) as l (earning, screen, category, plays, impressions, gross, earned)
    on conflict (earning_handle, settled_on, screen_handle, category) do update
    set plays = earning_lines.plays + excluded.plays,
      impressions_thousandths = earning_lines.impressions_thousandths + excluded.impressions_thousandths, gross_micros = earning_lines.gross_micros + excluded.gross_micros,
      earned_micros = earning_lines.earned_micros + excluded.earned_micros,
      first_settled_at = least(earning_lines.first_settled_at, excluded.first_settled_at), last_settled_at = greatest(earning_lines.last_settled_at, excluded.last_settled_at)`;
}
