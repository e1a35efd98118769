/**
 * What settled plays earn their venues. The commission follows the screen and the venue at the settlement, seconds
 * after the plays.
 */
import type { Handle } from '#domain/id.ts';
import { commissionOf, earnedMicros } from '#domain/money/commission.ts';
import { bookOf, earning } from '#domain/money/ledger.ts';
import { apportion } from '#domain/money/money.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { localTime } from '#domain/screens/schedule.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import { noteAttested } from '#sql/screens/units.ts';
import type { Unit } from '#books/unit-of-work.ts';
import {
  addEarnings,
  readScreens,
  type Amounts,
  type Earning,
  type EarningScreen,
  type EarningTotal,
} from '#sql/payouts/settled-earnings.ts';
import type { PlaceSum } from './spend-sums.ts';

/** The plays at a place; the offset is that of the venue's zone. */
export type EarningSum = PlaceSum & { offsetMinutes: number };

/** Adds to the earnings of the day and returns the postings, one per workspace, currency and book. */
export async function recordEarnings(
  { tx, now }: Unit,
  sums: readonly EarningSum[],
  run: string,
): Promise<LedgerTransaction[]> {
  await noteMeasured(tx, sums);
  const screens = await readScreens(tx, sums);
  const earnings = sumEarnings(sums, screens);
  const totals = new Map<string, EarningTotal>();
  for (const { workspace, sandbox, currency, earnedMicros: micros } of earnings) {
    const key = `${workspace}:${currency}:${bookOf({ sandbox })}`;
    const total = totals.get(key) ?? { workspace, sandbox, currency, amountMicros: 0 };
    total.amountMicros += micros;
    totals.set(key, total);
  }
  await addEarnings(tx, { earnings, totals: [...totals.values()], now });
  return [...totals]
    .filter(([, total]) => total.amountMicros > 0)
    .map(([key, { workspace, sandbox, currency, amountMicros }]) =>
      earning({ book: bookOf({ sandbox }), currency, workspace, amountMicros, reference: `earning:${run}:${key}` }),
    );
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
  { paired_since: since, attested_until: until }: EarningScreen,
): boolean {
  return (
    isMeasured ||
    (since !== null && until !== null && slotMs + QUARTER_MS > since.getTime() && slotMs < until.getTime())
  );
}

function sumEarnings(sums: readonly EarningSum[], screens: ReadonlyMap<string, EarningScreen>): Earning[] {
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
