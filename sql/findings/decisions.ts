/** What the operator decides about findings. */
import { inUnitOfWork, type Decider, type UnitOptions } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { decideFinding as stateAfter, type FindingState } from '#domain/plays/traffic/traffic-finding.ts';
import { isRefusal, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readFinding } from './findings.ts';

type DecidedFinding = { id: string; status: Exclude<FindingState, 'open'> };
type Decision = { finding: Handle<'finding'>; decision: 'clear' | 'uphold'; note: string | undefined; by?: Decider };

/**
 * Decides an open finding: a cleared one releases the earnings that it holds, an upheld one holds them until the
 * workers have taken its plays out. The venue's audit has the decision; the note is in the operator's alone.
 */
export async function decideFinding(
  sql: Postgres,
  options: UnitOptions,
  { finding, decision, note, by }: Decision,
): Promise<DecidedFinding | Refusal> {
  return inUnitOfWork<DecidedFinding | Refusal>(sql, options, async unit => {
    // The workspace is locked first, as in withdrawals.
    await unit.tx`select from workspaces where handle = (select workspace_handle from findings
        where handle = ${finding}) for no key update`;
    const before = await readFinding(unit.tx, finding, { isLocked: true });
    if (!before) return refuseAbsent();
    const after = stateAfter(before.status, decision);
    if (isRefusal(after)) return after;
    const status = after as Exclude<FindingState, 'open'>; // no decision leads back to it
    await unit.tx`update findings set status = ${status}, is_holding = ${status === 'upheld'},
        decided_at = ${options.now}, note = ${note ?? null} where handle = ${finding}`;
    const entry = { action: `finding.${status}`, entityType: 'finding', entityHandle: finding };
    const diff = { status: { from: before.status, to: status } };
    unit.audit({ ...entry, workspace: before.workspace, diff });
    if (by)
      unit.audit({ ...entry, ...by, diff: { ...diff, ...(note !== undefined && { note: { from: null, to: note } }) } });
    return { id: formatId('finding', finding), status };
  });
}
