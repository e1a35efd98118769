/**
 * Charges of a settlement by month, and the discounts of agencies' workspaces on them. The discount of a workspace on a
 * settlement (in a sandbox: on each month of it) is divided over its campaigns, venues and dayparts in proportion to
 * their charges, so that every grouping of the agency's report sums to the ledger.
 */
import { assert } from '#domain/assertion.ts';
import type { Handle } from '#domain/id.ts';
import { discountMicros } from '#domain/money/discount.ts';
import { monthAfter, monthOf } from '#domain/money/invoice.ts';
import { bookOf, discount } from '#domain/money/ledger.ts';
import { apportion } from '#domain/money/money.ts';
import { daypartName } from '#domain/time/daypart.ts';
import { localTime } from '#domain/screens/schedule.ts';
import { readDiscountFacts } from '#sql/workspaces/discount-facts.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import { addMonths, addSpendLines, type Payer as CampaignPayer } from '#sql/campaigns/spend.ts';
import { addToMonths, nameOfMonth, openMonths, type AddedToMonth } from '#sql/invoices/months.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { readFirstMonths } from '#sql/sandbox/clock.ts';
import type { Amounts } from './spend-sums.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/**
 * The charge of a campaign, or a part of it: campaigns that are discounted or in the sandbox are split by place and
 * quarter hour. The offset is that of the venue's zone; `venue` is null for an unknown venue.
 */
export type SpendPart = CampaignPayer & Amounts & { place?: Place };
type Place = { slotMs: Milliseconds; venue: Handle<'venue'> | null; offsetMinutes: number };

type Payer = {
  workspace: Handle<'workspace'>;
  sandbox: boolean;
  currency: string;
  isDiscounted: boolean;
  month: string;
  sums: readonly SpendPart[];
  discounts: readonly number[];
};

/** `invoiceMonths`: the invoice month of the charges of each campaign with real money. */
type RecordedSpend = { discounts: LedgerTransaction[]; invoiceMonths: ReadonlyMap<Handle<'campaign'>, string> };

/**
 * Writes months and report lines, and returns the discounts' postings, one per campaign and month. The campaigns'
 * totals are written before.
 */
export async function recordSpend(unit: Unit, sums: readonly SpendPart[], run: string): Promise<RecordedSpend> {
  const payers = await openPayers(unit.tx, await monthsOf(unit, sums));
  const discounted = await addDiscounts(unit, payers);
  await addMonths(unit.tx, campaignMonths(discounted));
  await addSpendLines(unit.tx, spendLines(unit.now, discounted));
  return {
    discounts: discounted.flatMap(payer => discountEntries(payer, run)),
    invoiceMonths: new Map(
      payers
        .filter(payer => !payer.sandbox)
        .flatMap(payer => payer.sums.map(({ campaign }) => [campaign, payer.month] as const)),
    ),
  };
}

type Month = { month: string; sums: readonly SpendPart[] };

/**
 * The months of the charges of each payer: the current one. In a sandbox, whose clock moves over weeks within a
 * settlement, the months of the slots; but none that had ended when its clock last stopped.
 */
async function monthsOf({ tx, now }: Unit, sums: readonly SpendPart[]): Promise<Month[]> {
  const thisMonth = monthOf(now.getTime());
  const firstMonths = await readFirstMonths(
    tx,
    sums.filter(sum => sum.sandbox).map(sum => sum.workspace),
  );
  const monthOfSlot = ({ workspace, ...part }: SpendPart): string => {
    const month = monthOf(placeOf(part).slotMs);
    const first = firstMonths.get(workspace) ?? month;
    return month < first ? first : month;
  };
  const months = groupBy(
    sums.map(sum => ({ sum, month: sum.sandbox ? monthOfSlot(sum) : thisMonth })),
    ({ sum, month }) => `${sum.workspace} ${sum.sandbox} ${month}`,
  );
  return Array.from(months.values(), own => ({ month: own[0]!.month, sums: own.map(({ sum }) => sum) }));
}

/** Locks the months of the charges, in the order of the payers: those, or the next if one was already invoiced. */
async function openPayers(tx: Unit['tx'], months: readonly Month[]): Promise<Payer[]> {
  const payers = new Map<string, Payer>();
  for (let waiting = months; waiting.length > 0;) {
    const nameOf = ({ month, sums }: Month) => nameOfMonth({ ...sums[0]!, month });
    const names = await openMonths(
      tx,
      waiting.map(({ month, sums }) => ({ ...sums[0]!, month })),
    );
    for (const own of waiting.filter(one => names.has(nameOf(one)))) {
      const { workspace, sandbox, currency, isDiscounted } = own.sums[0]!;
      // The month after an invoiced one may itself be a month of these charges.
      const before = payers.get(nameOf(own))?.sums ?? [];
      payers.set(nameOf(own), {
        workspace,
        sandbox,
        currency,
        isDiscounted,
        month: own.month,
        sums: [...before, ...own.sums],
        discounts: [],
      });
    }
    waiting = waiting
      .filter(one => !names.has(nameOf(one)))
      .map(({ month, sums }) => ({ month: monthAfter(month), sums }));
  }
  return [...payers.values()];
}

/** The discount of each payer on all its charges now, divided over the sums; the months take charges and discounts. */
async function addDiscounts({ tx, now }: Unit, payers: readonly Payer[]): Promise<Payer[]> {
  const result: Payer[] = [];
  const added: AddedToMonth[] = [];
  for (const group of groupBy(payers, payer => `${payer.sandbox} ${payer.month}`).values()) {
    const { sandbox, month } = group[0]!;
    const facts = await readDiscountFacts(
      tx,
      group.filter(payer => payer.isDiscounted).map(payer => payer.workspace),
      { sandbox, month, now },
    );
    for (const payer of group) {
      const grossMicros = payer.sums.reduce((sum, { grossMicros: micros }) => sum + micros, 0);
      const own = facts.get(payer.workspace);
      const total = own ? discountMicros(own, grossMicros) : 0;
      added.push({ workspace: payer.workspace, sandbox, month, grossMicros, discountMicros: total });
      result.push({
        ...payer,
        discounts: apportion(
          total,
          payer.sums.map(sum => sum.grossMicros),
        ),
      });
    }
  }
  await addToMonths(tx, added);
  return result;
}

function campaignMonths(payers: readonly Payer[]) {
  return payers.flatMap(({ month, sums, discounts }) =>
    [...totalsBy(sums, discounts, sum => String(sum.campaign)).values()].map(({ first, ...total }) => ({
      campaign: first.campaign,
      month,
      ...total,
    })),
  );
}

/** The day is today; for charges moved to the next month, because this one was invoiced, the first of that month. */
function spendLines(now: Date, payers: readonly Payer[]) {
  const discounted = payers.filter(payer => payer.isDiscounted);
  const today = now.toISOString().slice(0, 10);
  const dayOf = ({ sandbox, month }: Payer) => (sandbox || month < today ? today : month);
  const totals = totalsBy(
    discounted.flatMap(payer => payer.sums.map(sum => ({ ...sum, day: dayOf(payer) }))),
    discounted.flatMap(({ discounts }) => discounts),
    sum => `${sum.campaign} ${sum.day} ${placeOf(sum).venue} ${daypartOf(sum)}`,
  );
  return [...totals.values()].map(({ first, ...total }) => ({
    campaign: first.campaign,
    day: first.day,
    venue: placeOf(first).venue,
    daypart: daypartOf(first),
    ...total,
  }));
}

function placeOf({ place }: Pick<SpendPart, 'place'>): Place {
  assert(place !== undefined, 'a discount or the month of a sandbox is asked of a charge without a place');
  return place;
}

function daypartOf(part: SpendPart): string {
  const { offsetMinutes, slotMs } = placeOf(part);
  return daypartName(localTime(offsetMinutes, slotMs).minute);
}

function discountEntries(
  { workspace, sandbox, currency, month, sums, discounts }: Payer,
  run: string,
): LedgerTransaction[] {
  return [...totalsBy(sums, discounts, sum => String(sum.campaign)).values()]
    .filter(total => total.discountMicros > 0)
    .map(({ first: { campaign }, discountMicros: amountMicros }) =>
      discount({
        book: bookOf({ sandbox }),
        currency,
        workspace,
        campaign,
        amountMicros,
        reference: `discount:${run}:${campaign}:${month}`,
      }),
    );
}

type Total<Part> = Amounts & { first: Part; discountMicros: Micros };

function totalsBy<Part extends SpendPart>(
  sums: readonly Part[],
  discounts: readonly number[],
  keyOf: (sum: Part) => string,
): Map<string, Total<Part>> {
  const totals = new Map<string, Total<Part>>();
  for (const [index, sum] of sums.entries()) {
    const key = keyOf(sum);
    const total = totals.get(key) ?? {
      first: sum,
      plays: 0,
      impressionsThousandths: 0,
      grossMicros: 0,
      discountMicros: 0,
    };
    total.plays += sum.plays;
    total.impressionsThousandths += sum.impressionsThousandths;
    total.grossMicros += sum.grossMicros;
    total.discountMicros += discounts[index]!;
    totals.set(key, total);
  }
  return totals;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
