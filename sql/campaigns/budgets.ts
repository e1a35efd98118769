/** What the budget authority may use of campaigns, and what it owes back: read and raised for many at once. */
import type { Handle } from '#domain/id.ts';
import { trancheMicros } from '#domain/money/budget.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { readSettled } from './settled-groups.ts';

/** How much of a campaign's budget is handed to the authority: a total of its life. */
export type HandedRow = { handle: Handle<'campaign'>; handed_micros: Micros };
type HandableRow = HandedRow & { budget_micros: Micros; take_back_micros: Micros };
export type Want = { campaign: Handle<'campaign'>; wantMicros: Micros };

/**
 * Raises the totals in one transaction. A campaign whose row is locked by another transaction is left for the next
 * round.
 */
export async function raiseHanded(
  sql: Postgres,
  wanted: readonly Want[],
): Promise<{ handed: HandedRow[]; busy: Want[] }> {
  const wants = new Map(wanted.map(({ campaign, wantMicros }) => [campaign, wantMicros]));
  return sql.begin(async tx => {
    const live = await tx<{ handle: Handle<'campaign'> }[]>`
      select handle from campaigns where handle in ${tx([...wants.keys()])} and status = 'live' and deleted_at is null`;
    if (live.length === 0) return { handed: [], busy: [] };
    const rows = await tx<HandableRow[]>`
      select handle, budget_micros, handed_micros, take_back_micros from campaigns
      where handle in ${tx(live.map(row => row.handle))} and status = 'live' and deleted_at is null order by handle
      for update skip locked`;
    const handed = rows.map(row => {
      // Money taken back, or to be taken back, does not count as handed.
      const tranche = trancheMicros({
        budgetMicros: row.budget_micros,
        handedMicros: row.handed_micros - row.take_back_micros,
        wantMicros: wants.get(row.handle)!,
      });
      return { handle: row.handle, handed_micros: row.handed_micros + tranche, tranche };
    });
    const raised = handed.filter(row => row.tranche > 0);
    if (raised.length > 0) {
      await tx`
        update campaigns set handed_micros = raised.total
        from unnest(${raised.map(row => row.handle)}::bigint[],
          ${raised.map(row => row.handed_micros)}::bigint[]) as raised (handle, total)
        where campaigns.handle = raised.handle`;
    }
    const locked = new Set(rows.map(row => row.handle));
    return {
      handed,
      busy: live
        .filter(row => !locked.has(row.handle))
        .map(row => ({ campaign: row.handle, wantMicros: wants.get(row.handle)! })),
    };
  });
}

/** What is handed of one campaign. */
export async function readHanded(sql: Postgres, campaign: Handle<'campaign'>): Promise<HandedRow[]> {
  return sql<HandedRow[]>`select handle, handed_micros from campaigns where handle = ${campaign}`;
}

/** What is handed of each campaign whose plays may still be counted. */
export async function listHanded(sql: Postgres): Promise<HandedRow[]> {
  return sql<HandedRow[]>`
    select handle, handed_micros from campaigns
    where status in ('live', 'paused') and deleted_at is null and handed_micros > 0`;
}

/** A campaign with money to return. `take_back_micros` and `returned_micros` are totals of its life. */
export type DebtRow = HandedRow & { take_back_micros: Micros; returned_micros: Micros };

/** A page of the campaigns of which the authority owes money, after a handle. */
export async function listDebts(sql: Postgres, { after, count }: { after: number; count: number }): Promise<DebtRow[]> {
  return sql<DebtRow[]>`
    select handle, handed_micros, take_back_micros, returned_micros from campaigns
    where take_back_micros > returned_micros + case when ended_at is null then 0
      else charged_micros end and handle > ${after}
    order by handle limit ${count}`;
}

export async function findDebt(sql: Postgres, campaign: Handle<'campaign'>): Promise<DebtRow | undefined> {
  const [row] = await sql<DebtRow[]>`
    select handle, handed_micros, take_back_micros, returned_micros from campaigns where handle = ${campaign}`;
  return row;
}

/**
 * How many campaigns were charged more than their budget, or had plays that cost more.
 * @param costs of the plays of campaigns
 */
export async function countOverspent(
  sql: Queryable,
  costs: ReadonlyMap<Handle<'campaign'>, Micros> = new Map(),
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from campaigns
    left join unnest(${[...costs.keys()]}::bigint[], ${[...costs.values()]}::bigint[]) as plays (handle, cost)
      using (handle)
    where greatest(charged_micros, cost) > budget_micros`;
  return row!.count;
}

export type MoneyRow = DebtRow & { charged_micros: Micros; charged_plays: number };

/** The campaigns that were ever handed money: a page of them after a handle, or all. */
export async function listMoney(sql: Queryable, page?: { after: number; count: number }): Promise<MoneyRow[]> {
  return sql<MoneyRow[]>`
    select handle, handed_micros, returned_micros, take_back_micros, charged_micros, charged_plays from campaigns
    where handed_micros > 0 and handle > ${page?.after ?? 0} order by handle limit ${page?.count ?? null}`;
}

/** All of them, and those of these groups of plays that are not in their charges, in one snapshot. */
export async function readMoney<Group extends { group: string }>(
  sql: Postgres,
  groups: readonly Group[],
): Promise<{ unsettled: Group[]; campaigns: MoneyRow[] }> {
  return sql.begin('isolation level repeatable read read only', async tx => {
    const names = groups.map(({ group }) => group);
    const settled = await readSettled(tx, names);
    return { unsettled: groups.filter(({ group }) => !settled.has(group)), campaigns: await listMoney(tx) };
  });
}
