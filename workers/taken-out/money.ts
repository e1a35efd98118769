/**
 * The money of removed plays, in one transaction: brands are credited their payments, the venue's earnings are reversed
 * unless withdrawn, and the rest of the days is no longer held. Rows are locked in the order of withdrawals and
 * settlements: the venue's workspace, campaigns, earnings by their key.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { credit, reverseEarning } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { localTime, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import {
  creditMicros,
  outOfFailedPayouts,
  reverseEarnings,
  reverseLines,
  type EarningBack,
  type PlaysOut,
} from '#domain/plays/taken-out.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import { readZones } from '#sql/venues/rows.ts';
import type { Finding } from '#sql/findings/findings.ts';
import { beginTaking, endTaking, lockSettled } from '#sql/findings/takings.ts';
import { addCredits, lockCredited, type CreditedCampaign } from '#sql/campaigns/spend.ts';
import { lockReversible, readFailedDays, readLines, writeReversals, type EarningLine } from '#sql/payouts/reversals.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { TakenSum, TakingRound } from './plays.ts';
import type { Micros } from '#domain/unit.ts';

/** `before`: the plays removed by earlier rounds, whose earnings may have returned from a failed payout. */
type Taking = { finding: Finding; round: TakingRound; sums: readonly TakenSum[]; before: readonly TakenSum[] };
/** When plays were charged, by their group. */
type SettledAt = ReadonlyMap<string, Date>;
/** Returns the number of removed plays; undefined, without writing anything, while some of them are unsettled. */
export async function takeOut(unit: Unit, taking: Taking): Promise<number | undefined> {
  const { finding, sums, before } = taking;
  const groups = [...new Set([...sums, ...before].map(({ group }) => group))];
  const settledAt = await lockSettled(unit, finding, groups);
  if (!settledAt) return undefined;
  if (groups.length > 0) await giveBack(unit, taking, settledAt);
  await endTaking(unit, finding.handle);
  return sums.reduce((total, { plays }) => total + plays, 0);
}

async function giveBack(unit: Unit, { finding, round, sums, before }: Taking, settledAt: SettledAt): Promise<void> {
  const taking = await beginTaking(unit, round);
  const named = new Set([...sums, ...before].map(({ campaign }) => campaign));
  const campaigns = new Map((await lockCredited(unit.tx, [...named])).map(row => [row.handle, row]));
  const context = { taking, finding, round, sums, before, campaigns };
  const credits = await creditCampaigns(unit, context);
  const reversals = await reverseVenue(unit, context, settledAt);
  await unit.postAll([...credits, ...reversals]);
}

type TakingContext = Taking & {
  taking: Handle<'taking'>;
  campaigns: ReadonlyMap<Handle<'campaign'>, CreditedCampaign>;
};

/** Writes the credit of each brand, and returns the postings. */
async function creditCampaigns(
  unit: Unit,
  { taking, finding, round, sums, campaigns }: TakingContext,
): Promise<LedgerTransaction[]> {
  const credits = [...sumUp(sums, ({ campaign }) => campaign)].map(([handle, out]) => {
    const campaign = campaigns.get(handle);
    if (!campaign) throw new Error(`plays of campaign ${handle}, which does not exist, are taken out`);
    return { campaign, out, micros: creditMicros(out.grossMicros, campaign) };
  });
  const rows = credits.map(({ campaign, out, micros }) => ({
    ...out,
    campaign: campaign.handle,
    creditMicros: micros,
  }));
  await addCredits(unit.tx, taking, rows);
  for (const { campaign, out, micros } of credits) unit.audit(creditEntry(campaign, out, micros));
  return credits
    .filter(({ micros }) => micros > 0)
    .map(({ campaign: { handle, workspace, currency }, micros }) =>
      credit({
        book: 'live',
        currency,
        workspace,
        campaign: handle,
        amountMicros: micros,
        reference: `credit:${formatId('finding', finding.handle)}:${round.number}:${handle}`,
      }),
    );
}

function creditEntry(
  { handle, workspace, currency, takenOutPlays, creditedMicros }: CreditedCampaign,
  { plays }: PlaysOut,
  micros: Micros,
): Parameters<Unit['audit']>[0] {
  const amount = (value: number) => ({ amount: decimalFromMicros(value), currency });
  return {
    workspace,
    action: 'campaign.credited',
    entityType: 'campaign',
    entityHandle: handle,
    diff: {
      plays_taken_out: { from: takenOutPlays, to: takenOutPlays + plays },
      credited: { from: amount(creditedMicros), to: amount(creditedMicros + micros) },
    },
  };
}

/** Reverses the earnings of the plays by day and currency, and returns the postings. */
async function reverseVenue(
  unit: Unit,
  { taking, finding, round, sums, before, campaigns }: TakingContext,
  settledAt: SettledAt,
): Promise<LedgerTransaction[]> {
  const zoneAt = await readZones(unit.tx, [finding.venue]);
  const zoneOf = ({ group }: TakenSum) => zoneAt(finding.venue, settledAt.get(group)!)!;
  const placed = { sums: [...sums, ...before], campaigns, zoneOf };
  const earlier = await openAfterFailures(
    unit.tx,
    finding,
    sumUp(before, sum => dayOf(sum, placed)),
  );
  const days = sumUp([...sums.map(sum => ({ ...sum, name: dayOf(sum, placed) })), ...earlier], ({ name }) => name);
  const open = await lockReversible(unit.tx, finding.venue, [...days.keys()]);
  const back = [...days].flatMap(([name, out]) => {
    const currency = name.split(' ')[0]!;
    return reverseEarnings(
      open.filter(row => `${row.currency} ${row.day}` === name),
      out,
    ).map(row => ({ ...row, currency, name }));
  });
  const lines = linesBack(await readLines(unit.tx, back), back, placed);
  await writeReversals(unit.tx, taking, { back, lines });
  const totals = new Map<string, number>();
  for (const { currency, earnedMicros } of back) totals.set(currency, (totals.get(currency) ?? 0) + earnedMicros);
  const reversed = [...totals].filter(([, micros]) => micros > 0);
  for (const [currency, micros] of reversed) {
    unit.audit({
      workspace: finding.workspace,
      action: 'finding.earnings_reversed',
      entityType: 'finding',
      entityHandle: finding.handle,
      diff: { reversed: { from: null, to: { value: decimalFromMicros(micros), currency } } },
    });
  }
  return reversed.map(([currency, amountMicros]) =>
    reverseEarning({
      book: 'live',
      currency,
      workspace: finding.workspace,
      amountMicros,
      reference: `earning_reversed:${formatId('finding', finding.handle)}:${round.number}:${currency}`,
    }),
  );
}

/** The zone of a sum is the one that the venue had when its plays were charged. */
type SumsAtVenue = Pick<TakingContext, 'sums' | 'campaigns'> & { zoneOf: (sum: TakenSum) => string };

/** `currency day`, the day at the venue on which the plays earned. */
function dayOf(sum: TakenSum, { campaigns, zoneOf }: SumsAtVenue): string {
  const { campaign, slotMs } = sum;
  const { day } = localTime(zoneOffsetMinutes(zoneOf(sum), slotMs), slotMs);
  return `${campaigns.get(campaign)!.currency} ${formatDate(day)}`;
}

/** The remaining reversal of these days, after failed payouts. */
async function openAfterFailures(
  tx: Unit['tx'],
  finding: Finding,
  outs: ReadonlyMap<string, PlaysOut>,
): Promise<(PlaysOut & { name: string })[]> {
  if (outs.size === 0) return [];
  const days = await readFailedDays(tx, finding, [...outs.keys()]);
  return days.flatMap(({ name, failedMicros, ...back }) => {
    const out = outOfFailedPayouts(outs.get(name)!, back, failedMicros);
    return out === undefined ? [] : [{ name, ...out }];
  });
}

function linesBack(
  lines: readonly EarningLine[],
  back: readonly (EarningBack & { name: string })[],
  placed: SumsAtVenue,
): EarningLine[] {
  const outs = sumUp(
    placed.sums,
    sum => `${dayOf(sum, placed)} ${sum.screen} ${placed.campaigns.get(sum.campaign)!.category}`,
  );
  return back.flatMap(row =>
    reverseLines(
      lines.filter(({ earning }) => earning === row.handle),
      row,
      ({ screen, category }) => outs.get(`${row.name} ${screen} ${category}`)?.grossMicros ?? 0,
    ),
  );
}

function sumUp<Sum extends PlaysOut, Key>(sums: readonly Sum[], keyOf: (sum: Sum) => Key): Map<Key, PlaysOut> {
  const totals = new Map<Key, PlaysOut>();
  for (const sum of sums) {
    const total = totals.get(keyOf(sum)) ?? { plays: 0, impressionsThousandths: 0, grossMicros: 0 };
    totals.set(keyOf(sum), {
      plays: total.plays + sum.plays,
      impressionsThousandths: total.impressionsThousandths + sum.impressionsThousandths,
      grossMicros: total.grossMicros + sum.grossMicros,
    });
  }
  return totals;
}
