/** Groups of counted plays, each of which is settled once. */
import type { Handle } from '#domain/id.ts';
import type { Micros } from '#domain/unit.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { Queryable } from '#sql/postgres.ts';

/** When groups of plays were settled, by name; a group that was not is absent. */
export async function readSettled(sql: Queryable, groups: readonly string[]): Promise<Map<string, Date>> {
  if (groups.length === 0) return new Map();
  const rows = await sql<{ group_id: string; settled_at: Date }[]>`
    select group_id, settled_at from settled_groups where group_id = any(${[...groups]}::text[])`;
  return new Map(rows.map(row => [row.group_id, row.settled_at]));
}

/** Records groups as settled. Returns those that were not settled before. */
export async function addSettled({ tx, now }: Unit, groups: readonly string[]): Promise<string[]> {
  const rows = await tx<{ group_id: string }[]>`
    insert into settled_groups ${tx(groups.map(group => ({ group_id: group, settled_at: now })))} on conflict do nothing
    returning group_id`;
  return rows.map(row => row.group_id);
}

export type GroupCharge = { settled_at: Date; plays: number; amount_micros: Micros };

/** The charge of a campaign for a settled group. */
export async function findCharge(
  sql: Queryable,
  group: string,
  campaign: Handle<'campaign'>,
): Promise<GroupCharge | undefined> {
  const [row] = await sql<GroupCharge[]>`
    select s.settled_at, c.plays, c.amount_micros from settled_groups s join charges c using (group_id)
    where s.group_id = ${group} and c.campaign_handle = ${campaign}`;
  return row;
}
