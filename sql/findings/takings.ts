/** Rounds in which plays of upheld findings are taken out of the books. */
import type { Handle } from '#domain/id.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { readSettled } from '#sql/campaigns/settled-groups.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Finding } from './findings.ts';

/**
 * Locks the workspace of a finding, as withdrawals do, and reads when groups of its plays were settled. Undefined while
 * some of them are not.
 */
export async function lockSettled(
  { tx }: Unit,
  { workspace }: Finding,
  groups: readonly string[],
): Promise<Map<string, Date> | undefined> {
  await tx`select from workspaces where handle = ${workspace} for no key update`;
  const settled = await readSettled(tx, groups);
  return settled.size < groups.length ? undefined : settled;
}

/** Begins a round with something to give back. */
export async function beginTaking(
  { tx, now }: Unit,
  { finding, number }: { finding: Handle<'finding'>; number: number },
): Promise<Handle<'taking'>> {
  const [taking] = await tx<{ handle: Handle<'taking'> }[]>`
    insert into play_takings (finding_handle, number, taken_at) values (${finding}, ${number}, ${now})
    returning handle`;
  return taking!.handle;
}

/** Ends a round: the finding holds no earnings any more. */
export async function endTaking({ tx, now }: Unit, finding: Handle<'finding'>): Promise<void> {
  await tx`update findings set taken_out_at = ${now}, is_holding = false where handle = ${finding}`;
}

type TakingRow = { finding: Handle<'finding'>; number: number; at: Date; rule: string };

/** The rounds of findings, in their order; without those that are not written yet. */
export async function readTakings(sql: Queryable, findings: readonly Handle<'finding'>[]): Promise<TakingRow[]> {
  return sql<TakingRow[]>`
    select t.finding_handle as finding, t.number, t.taken_at as at, f.rule from play_takings t
    join findings f on f.handle = t.finding_handle
    where t.finding_handle = any(${[...new Set(findings)]}::bigint[])
    order by t.taken_at, t.handle`;
}
