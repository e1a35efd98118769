/**
 * The earnings of venues from settled plays, by venue, day at the venue, currency and commission. The commission
 * follows the screen and the venue at the settlement, seconds after the plays. Each row is the sum of its lines by
 * screen and category.
 */
import type { Handle } from '#domain/id.ts';
import { commissionOf, earnedMicros, type Commission } from '#domain/money/commission.ts';
import { earning } from '#domain/money/ledger.ts';
import { apportion } from '#domain/money/money.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { localTime } from '#domain/screens/schedule.ts';
import { ATTESTED_MS } from '#domain/screens/sensor.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import { noteAttested } from '#sql/screens/units.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { PlaceSum } from './spend-sums.ts';
import type { Micros } from '#domain/unit.ts';

/** The plays at a place; the offset is that of the venue's zone. */
export type EarningSum = PlaceSum & { offsetMinutes: number };

type Screen = {
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
type Amounts = { plays: number; impressionsThousandths: number; grossMicros: Micros; earnedMicros: Micros };
type Line = Amounts & { screen: Handle<'screen'>; category: string };
type Earning = Commission &
  Amounts & {
    workspace: Handle<'workspace'>;
    venue: Handle<'venue'>;
    sandbox: boolean;
    currency: string;
    day: string;
    lines: Map<string, Line>;
  };

/** Adds to the earnings of the day and returns the postings, one per workspace, currency and book. */
export async function recordEarnings(
  { tx, now }: Unit,
  sums: readonly EarningSum[],
  run: string,
): Promise<LedgerTransaction[]> {
  await noteMeasured(tx, sums);
  const screens = await readScreens(tx, sums);
  const earnings = sumEarnings(sums, screens);
  await addLines(tx, await addEarnings(tx, earnings, now), now);
  const totals = new Map<string, Total>();
  for (const { workspace, sandbox, currency, earnedMicros: micros } of earnings) {
    const key = `${workspace}:${currency}:${sandbox ? 'sandbox' : 'live'}`;
    const total = totals.get(key) ?? { workspace, sandbox, currency, amountMicros: 0 };
    total.amountMicros += micros;
    totals.set(key, total);
  }
  await addDays(tx, [...totals.values()], now);
  return [...totals]
    .filter(([, total]) => total.amountMicros > 0)
    .map(([key, { workspace, sandbox, currency, amountMicros }]) =>
      earning({
        book: sandbox ? 'sandbox' : 'live',
        currency,
        workspace,
        amountMicros,
        reference: `earning:${run}:${key}`,
      }),
    );
}

type Total = { workspace: Handle<'workspace'>; sandbox: boolean; currency: string; amountMicros: Micros };

/** Adds to the sums of the day, which equal the postings. */
async function addDays(tx: Unit['tx'], totals: readonly Total[], now: Date): Promise<void> {
  if (totals.length === 0) return;
  const column = <T>(pick: (total: Total) => T) => totals.map(pick);
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

/** Stores when the modules of these screens attested an audience last. */
async function noteMeasured(tx: Unit['tx'], sums: readonly EarningSum[]): Promise<void> {
  const newest = new Map<Handle<'screen'>, number>();
  for (const { screen, slotMs, isMeasured } of sums)
    if (isMeasured) newest.set(screen, Math.max(slotMs, newest.get(screen) ?? 0));
  if (newest.size > 0) await noteAttested(tx, newest);
}

/** Sums are of 15 minutes. */
const QUARTER_MS = 900_000;

/**
 * Whether the plays of a sum earn as measured: they are measured, or the module of their screen attested others within
 * the days before.
 */
function earnsMeasured(
  { isMeasured, slotMs }: EarningSum,
  { paired_since: since, attested_until: until }: Screen,
): boolean {
  return (
    isMeasured ||
    (since !== null && until !== null && slotMs + QUARTER_MS > since.getTime() && slotMs < until.getTime())
  );
}

/** Screens with the venue of the plays, which differs from the current one after a move. */
async function readScreens(tx: Unit['tx'], sums: readonly EarningSum[]): Promise<Map<string, Screen>> {
  const pairs = new Map(sums.map(({ screen, venue }) => [`${screen} ${venue}`, { screen, venue }]));
  const rows = await tx<Screen[]>`
    select s.handle as screen, v.handle as venue, v.workspace_handle as workspace, ad_ratio_of(s.handle) as ad_ratio,
      v.daily_visitors, v.dwell_minutes,
      coalesce(k.paired_at, case when s.sandbox and s.sensor_paired then s.created_at end) as paired_since, s.audience_attested_at + ${ATTESTED_MS} * interval '1 millisecond' as attested_until
    from unnest(${[...pairs.values()].map(pair => pair.screen)}::bigint[],
      ${[...pairs.values()].map(pair => pair.venue)}::bigint[]) as pair (screen, venue)
    join screens s on s.handle = pair.screen join venues v on v.handle = pair.venue
    left join sensors k on k.screen_handle = s.handle`;
  return new Map(rows.map(row => [`${row.screen} ${row.venue}`, row]));
}

function sumEarnings(sums: readonly EarningSum[], screens: ReadonlyMap<string, Screen>): Earning[] {
  const earnings = new Map<string, Earning>();
  for (const sum of sums) {
    const screen = screens.get(`${sum.screen} ${sum.venue}`);
    if (!screen) continue; // plays of a screen without an owner earn nothing
    const commission = commissionOf({
      adRatio: screen.ad_ratio,
      hasSensor: earnsMeasured(sum, screen),
      dailyVisitors: screen.daily_visitors,
      dwellMinutes: screen.dwell_minutes,
    });
    const day = formatDate(localTime(sum.offsetMinutes, sum.slotMs).day);
    const key = [sum.venue, sum.currency, sum.sandbox, day, commission.tier, commission.shareMillionths].join(' ');
    const found = earnings.get(key) ?? {
      ...commission,
      workspace: screen.workspace,
      venue: sum.venue,
      sandbox: sum.sandbox,
      currency: sum.currency,
      day,
      lines: new Map(),
      ...NO_PLAYS,
    };
    const line = found.lines.get(`${sum.screen} ${sum.category}`) ?? {
      screen: sum.screen,
      category: sum.category,
      ...NO_PLAYS,
    };
    for (const amounts of [found, line]) addTo(amounts, sum);
    found.lines.set(`${sum.screen} ${sum.category}`, line);
    earnings.set(key, found);
  }
  for (const found of earnings.values()) shareOut(found);
  return [...earnings.values()];
}

const NO_PLAYS: Readonly<Amounts> = { plays: 0, impressionsThousandths: 0, grossMicros: 0, earnedMicros: 0 };

function addTo(amounts: Amounts, sum: EarningSum): void {
  amounts.plays += sum.plays;
  amounts.impressionsThousandths += sum.impressionsThousandths;
  amounts.grossMicros += sum.grossMicros;
}

/** The total of the plays is rounded once; the lines share it by their charges. */
function shareOut(found: Earning): void {
  found.earnedMicros = earnedMicros(found.grossMicros, found);
  const lines = [...found.lines.values()];
  const parts = apportion(
    found.earnedMicros,
    lines.map(line => line.grossMicros),
  );
  for (const [index, line] of lines.entries()) line.earnedMicros = parts[index]!;
}

type StoredLine = Line & { earning: Handle<'earning'> };

/** Returns the lines of the earnings with their rows. */
async function addEarnings(tx: Unit['tx'], earnings: readonly Earning[], now: Date): Promise<StoredLine[]> {
  if (earnings.length === 0) return [];
  const column = <T>(pick: (earning: Earning) => T) => earnings.map(pick);
  const settledOn = now.toISOString().slice(0, 10);
  // In the order of the key, as withdrawals lock them, so that they never deadlock.
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
async function addLines(tx: Unit['tx'], lines: readonly StoredLine[], now: Date): Promise<void> {
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
