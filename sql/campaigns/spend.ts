/** What settled and removed plays add to campaigns: charges, months and credits, many campaigns in one statement. */
import type { Handle } from '#domain/id.ts';
import type { Micros } from '#domain/unit.ts';
import type { Queryable, Transaction } from '#sql/postgres.ts';

/** The payer of a campaign's plays. */
export type Payer = {
  campaign: Handle<'campaign'>;
  workspace: Handle<'workspace'>;
  category: string;
  currency: string;
  sandbox: boolean;
  isDiscounted: boolean;
};

/** @throws for a campaign that does not exist */
export async function readPayers(sql: Queryable, sums: readonly Pick<Payer, 'campaign'>[]): Promise<Payer[]> {
  const campaigns = new Set(sums.map(({ campaign }) => campaign));
  const payers = await sql<Payer[]>`
    select c.handle as campaign, c.workspace_handle as workspace, c.category, c.currency, c.sandbox,
      w.kind = 'agency' or w.parent_handle is not null as "isDiscounted"
    from campaigns c join workspaces w on w.handle = c.workspace_handle
    where c.handle = any(${[...campaigns]}::bigint[])`;
  for (const { campaign } of payers) campaigns.delete(campaign);
  for (const campaign of campaigns)
    throw new Error(`plays of campaign ${campaign}, which does not exist, were counted`);
  return payers;
}

/** Locks campaigns in the order of their handles, so that two transactions never wait for each other. */
export async function lockCampaigns(tx: Transaction, handles: readonly Handle<'campaign'>[]): Promise<void> {
  await tx`select from campaigns where handle = any(${[...handles]}::bigint[]) order by handle for update`;
}

type Amounts = { campaign: Handle<'campaign'>; plays: number; grossMicros: Micros };

/** Adds charges to the totals of campaigns. */
export async function addCharged(tx: Transaction, totals: readonly Amounts[]): Promise<void> {
  await tx`
    update campaigns set charged_micros = charged_micros + t.amount, charged_plays = charged_plays + t.plays
    from unnest(${totals.map(row => row.campaign)}::bigint[], ${totals.map(row => row.grossMicros)}::bigint[],
      ${totals.map(row => row.plays)}::bigint[]) as t (campaign, amount, plays)
    where handle = t.campaign`;
}

type GroupSum = Amounts & { groupId: string; impressionsThousandths: number };

/**
 * Writes the charges of settled groups.
 * @param months the invoice month of each campaign with real money
 */
export async function addCharges(
  tx: Transaction,
  sums: readonly GroupSum[],
  months: ReadonlyMap<Handle<'campaign'>, string>,
): Promise<void> {
  const column = <T>(pick: (sum: GroupSum) => T) => sums.map(pick);
  await tx`
    insert into charges (group_id, campaign_handle, plays, impressions_thousandths, amount_micros, month)
    select * from unnest(${column(s => s.groupId)}::text[], ${column(s => s.campaign)}::bigint[],
      ${column(s => s.plays)}::bigint[],
      ${column(s => s.impressionsThousandths)}::bigint[], ${column(s => s.grossMicros)}::bigint[],
      ${column(s => months.get(s.campaign) ?? null)}::date[])`;
}

type MonthRow = Amounts & { month: string; impressionsThousandths: number; discountMicros: Micros };

/** Adds charges and discounts to the months of campaigns. */
export async function addMonths(tx: Transaction, rows: readonly MonthRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <T>(pick: (row: MonthRow) => T) => rows.map(pick);
  await tx`
    insert into campaign_months (campaign_handle, month, plays, impressions_thousandths, gross_micros, discount_micros)
    select * from unnest(${column(r => r.campaign)}::bigint[], ${column(r => r.month)}::date[],
      ${column(r => r.plays)}::bigint[], ${column(r => r.impressionsThousandths)}::bigint[],
      ${column(r => r.grossMicros)}::bigint[], ${column(r => r.discountMicros)}::bigint[]) as r (campaign, month) order by campaign, month
    on conflict (campaign_handle, month) do update set plays = campaign_months.plays + excluded.plays,
      impressions_thousandths = campaign_months.impressions_thousandths + excluded.impressions_thousandths,
      gross_micros = campaign_months.gross_micros + excluded.gross_micros, discount_micros = campaign_months.discount_micros + excluded.discount_micros`;
}

/** `venue` is null for an unknown venue. */
type SpendLine = Omit<MonthRow, 'month'> & { day: string; venue: Handle<'venue'> | null; daypart: string };

/** Adds charges and discounts to the lines of the reports of agencies. */
export async function addSpendLines(tx: Transaction, rows: readonly SpendLine[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <T>(pick: (row: SpendLine) => T) => rows.map(pick);
  await tx`
    insert into spend_lines (campaign_handle, day, venue_handle, daypart, plays, impressions_thousandths, gross_micros,
      discount_micros)
    select campaign, day, venue, daypart, plays, impressions, gross, discount
    from unnest(${column(r => r.campaign)}::bigint[], ${column(r => r.day)}::date[],
      ${column(r => r.venue)}::bigint[],
      ${column(r => r.daypart)}::text[], ${column(r => r.plays)}::bigint[],
      ${column(r => r.impressionsThousandths)}::bigint[], ${column(r => r.grossMicros)}::bigint[], ${column(r => r.discountMicros)}::bigint[])
      as r (campaign, day, venue, daypart, plays, impressions, gross, discount) order by campaign, day, venue, daypart
    on conflict (campaign_handle, day, venue_handle, daypart) do update set plays = spend_lines.plays + excluded.plays,
      impressions_thousandths = spend_lines.impressions_thousandths + excluded.impressions_thousandths,
      gross_micros = spend_lines.gross_micros + excluded.gross_micros, discount_micros = spend_lines.discount_micros + excluded.discount_micros`;
}

/** The money of a campaign whose plays are removed. */
export type CreditedCampaign = {
  handle: Handle<'campaign'>;
  workspace: Handle<'workspace'>;
  category: string;
  currency: string;
  chargedMicros: Micros;
  creditedMicros: Micros;
  takenOutPlays: number;
  discountMicros: Micros;
};

/** Locks campaigns in the order of their handles, and reads their money. */
export async function lockCredited(
  tx: Transaction,
  handles: readonly Handle<'campaign'>[],
): Promise<CreditedCampaign[]> {
  return tx<CreditedCampaign[]>`
    select handle, workspace_handle as workspace, category, currency, charged_micros as "chargedMicros",
      credited_micros as "creditedMicros", taken_out_plays as "takenOutPlays",
      coalesce((select sum(discount_micros) from campaign_months m where m.campaign_handle = handle),
        0)::bigint as "discountMicros"
    from campaigns where handle = any(${[...handles]}::bigint[]) order by handle for update`;
}

type CreditRow = Amounts & { impressionsThousandths: number; creditMicros: Micros };

/** Writes the credits of a round of removed plays, and adds them to the totals of their campaigns. */
export async function addCredits(
  tx: Transaction,
  taking: Handle<'taking'>,
  credits: readonly CreditRow[],
): Promise<void> {
  const column = (pick: (row: CreditRow) => number) => credits.map(pick);
  await tx`
    with credited as (
      insert into campaign_credits (taking_handle, campaign_handle, plays, impressions_thousandths, gross_micros,
        credit_micros)
      select ${taking}::bigint, * from unnest(${column(row => row.campaign)}::bigint[],
        ${column(row => row.plays)}::bigint[], ${column(row => row.impressionsThousandths)}::bigint[],
        ${column(row => row.grossMicros)}::bigint[], ${column(row => row.creditMicros)}::bigint[]) returning *)
    update campaigns as c set taken_out_plays = taken_out_plays + credited.plays,
      credited_micros = credited_micros + credited.credit_micros
    from credited where c.handle = credited.campaign_handle`;
}
