import { commissionOf, earnedMicros, type Commission } from '#domain/commission.ts';
import { earning } from '#domain/ledger.ts';
import { formatDate, localTime } from '#domain/schedule.ts';
import { ATTESTED_MS } from '#domain/sensor.ts';
import type { LedgerEntry } from '#sql/ledger.ts';
import type { Unit } from '#sql/unit-of-work.ts';
import type { SettledSum } from './spend-sums.ts';

/**
 * What venues earn of settled plays, by venue, day at the venue, currency and commission. The commission is that of the
 * screen and the venue as they are when the plays are settled, which is seconds after the plays.
 */
type Screen = {
  screen: number; venue: number; workspace: number; ad_ratio: number; daily_visitors: number; dwell_minutes: number;
  /** Since when a sensing module is paired (in the sandbox: declared), and until when its last attested audience lasts; null: none. */
  paired_since: Date | null; attested_until: Date | null;
};
type Earning = Commission & {
  workspace: number; venue: number; sandbox: boolean; currency: string; day: string;
  plays: number; impressionsThousandths: number; grossMicros: number; earnedMicros: number;
};

/** Adds to the earnings of the day and answers the postings, one per workspace, currency and book. */
export async function recordEarnings({ tx, now }: Unit, sums: readonly SettledSum[], run: string): Promise<LedgerEntry[]> {
  await noteMeasured(tx, sums);
  const screens = await readScreens(tx, sums);
  const earnings = sumEarnings(sums, screens);
  await addEarnings(tx, earnings, now);
  const totals = new Map<string, { workspace: number; sandbox: boolean; currency: string; amountMicros: number }>();
  for (const { workspace, sandbox, currency, earnedMicros: micros } of earnings) {
    const key = `${workspace}:${currency}:${sandbox ? 'sandbox' : 'live'}`;
    const total = totals.get(key) ?? { workspace, sandbox, currency, amountMicros: 0 };
    total.amountMicros += micros;
    totals.set(key, total);
  }
  return [...totals].filter(([, total]) => total.amountMicros > 0).map(([key, { workspace, sandbox, currency, amountMicros }]) =>
    earning({ book: sandbox ? 'sandbox' : 'live', currency, workspace, amountMicros, reference: `earning:${run}:${key}` }));
}

/** Remembers when the audience of a screen was attested last, to the hour, so that a busy screen is written once in it. */
async function noteMeasured(tx: Unit['tx'], sums: readonly SettledSum[]): Promise<void> {
  const newest = new Map<number, number>();
  for (const { screen, slotMs, isMeasured } of sums) if (isMeasured) newest.set(screen, Math.max(slotMs, newest.get(screen) ?? 0));
  if (newest.size === 0) return;
  await tx`
    update screens set audience_attested_at = measured.at
    from unnest(${[...newest.keys()]}::bigint[], ${[...newest.values()].map(ms => new Date(ms).toISOString())}::timestamptz[]) as measured (screen, at)
    where handle = measured.screen and sensor_paired and coalesce(audience_attested_at < measured.at - interval '1 hour', true)`;
}

/** Sums are of 15 minutes. */
const QUARTER_MS = 900_000;

/** Whether the plays of a sum earn as measured ones: they are, or the module of their screen attested others within the days before them. */
function earnsMeasured({ isMeasured, slotMs }: SettledSum, { paired_since: since, attested_until: until }: Screen): boolean {
  return isMeasured || (since !== null && until !== null && slotMs + QUARTER_MS > since.getTime() && slotMs < until.getTime());
}

/** Screens with the venue at which the plays were, which is another one once the screen has moved. */
async function readScreens(tx: Unit['tx'], sums: readonly SettledSum[]): Promise<Map<string, Screen>> {
  const pairs = new Map(sums.map(({ screen, venue }) => [`${screen} ${venue}`, { screen, venue }]));
  const rows = await tx<Screen[]>`
    select s.handle as screen, v.handle as venue, v.workspace_handle as workspace, ad_ratio_of(s.handle) as ad_ratio, v.daily_visitors, v.dwell_minutes,
      coalesce(k.paired_at, case when s.sandbox and s.sensor_paired then s.created_at end) as paired_since, s.audience_attested_at + ${ATTESTED_MS} * interval '1 millisecond' as attested_until
    from unnest(${[...pairs.values()].map(pair => pair.screen)}::bigint[], ${[...pairs.values()].map(pair => pair.venue)}::bigint[]) as pair (screen, venue)
    join screens s on s.handle = pair.screen join venues v on v.handle = pair.venue left join sensors k on k.screen_handle = s.handle`;
  return new Map(rows.map(row => [`${row.screen} ${row.venue}`, row]));
}

function sumEarnings(sums: readonly SettledSum[], screens: ReadonlyMap<string, Screen>): Earning[] {
  const earnings = new Map<string, Earning>();
  for (const sum of sums) {
    const screen = screens.get(`${sum.screen} ${sum.venue}`);
    if (!screen) continue; // plays of a screen that nobody has: nobody earns
    const commission = commissionOf({ adRatio: screen.ad_ratio, hasSensor: earnsMeasured(sum, screen), dailyVisitors: screen.daily_visitors, dwellMinutes: screen.dwell_minutes });
    const day = formatDate(localTime(sum.offsetMinutes, sum.slotMs).day);
    const key = [sum.venue, sum.currency, sum.sandbox, day, commission.tier, commission.shareMillionths].join(' ');
    const found = earnings.get(key) ?? {
      ...commission, workspace: screen.workspace, venue: sum.venue, sandbox: sum.sandbox, currency: sum.currency, day, plays: 0, impressionsThousandths: 0, grossMicros: 0, earnedMicros: 0,
    };
    found.plays += sum.plays;
    found.impressionsThousandths += sum.impressionsThousandths;
    found.grossMicros += sum.grossMicros;
    earnings.set(key, found);
  }
  for (const found of earnings.values()) found.earnedMicros = earnedMicros(found.grossMicros, found);
  return [...earnings.values()];
}

async function addEarnings(tx: Unit['tx'], earnings: readonly Earning[], now: Date): Promise<void> {
  if (earnings.length === 0) return;
  const column = <T>(pick: (earning: Earning) => T) => earnings.map(pick);
  const settledOn = now.toISOString().slice(0, 10);
  // In the order of the key, as withdrawals lock them, so that neither ever waits for the other in a circle.
  await tx`
    insert into venue_earnings (workspace_handle, venue_handle, sandbox, currency, day, tier, share_millionths, settled_on, plays, impressions_thousandths, gross_micros, earned_micros)
    select workspace, venue, sandbox, currency, day, tier, share, ${settledOn}::date, plays, impressions, gross, earned from unnest(${column(e => e.workspace)}::bigint[], ${column(e => e.venue)}::bigint[], ${column(e => String(e.sandbox))}::text[]::boolean[], ${column(e => e.currency)}::text[], ${column(e => e.day)}::date[],
      ${column(e => e.tier)}::text[], ${column(e => e.shareMillionths)}::integer[], ${column(e => e.plays)}::bigint[], ${column(e => e.impressionsThousandths)}::bigint[],
      ${column(e => e.grossMicros)}::bigint[], ${column(e => e.earnedMicros)}::bigint[]) as e (workspace, venue, sandbox, currency, day, tier, share, plays, impressions, gross, earned)
    order by venue, currency, sandbox, day, tier, share
    on conflict (venue_handle, currency, sandbox, day, tier, share_millionths) do update set settled_on = greatest(venue_earnings.settled_on, excluded.settled_on),
      plays = venue_earnings.plays + excluded.plays, impressions_thousandths = venue_earnings.impressions_thousandths + excluded.impressions_thousandths,
      gross_micros = venue_earnings.gross_micros + excluded.gross_micros, earned_micros = venue_earnings.earned_micros + excluded.earned_micros`;
}
