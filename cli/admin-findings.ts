import { formatId } from '#domain/id.ts';
import { concernOf, ruleLabel, ruleOfLabel } from '#domain/plays/invalid-traffic.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import { decideFinding, FINDING_STATES } from '#domain/plays/traffic-finding.ts';
import type { Postgres } from '#sql/postgres.ts';
import { heldBy, listFindings, readFinding, takenOutBy, type Finding } from '#records/traffic-findings.ts';
import { inUnitOfWork, type Actor } from '#books/unit-of-work.ts';
import { UsageError } from './arguments.ts';

/** The operator's part of findings: what was found with its evidence, and what becomes of it. */
const OPERATOR: Actor = { type: 'operator', source: 'CLI' };
/** What a person looks through; of more, the newest, or those of one status. */
const LISTED_MAX = 200;
const NOTE_LENGTH_MAX = 2_000;

/** @throws UsageError for a status that is none */
export async function showFindings(
  sql: Postgres,
  { status }: { status: string | undefined },
): Promise<Record<string, unknown>> {
  const known = FINDING_STATES.find(state => state === status);
  if (status !== undefined && known === undefined)
    throw new UsageError(`--status takes one of ${FINDING_STATES.join(', ')}, not '${status}'`);
  return { findings: (await listFindings(sql, { status: known, rowsMax: LISTED_MAX })).map(summaryOf) };
}

/** A finding with its rule, its evidence, what it holds, and what was taken out because of it. @throws UsageError where there is none */
export async function showFinding(sql: Postgres, handle: number): Promise<Record<string, unknown>> {
  const finding = await readFinding(sql, handle);
  if (!finding) throw absent(handle);
  const rule = ruleOfLabel(labelOf(finding));
  const [held, taken] = await Promise.all([heldBy(sql, [handle]), takenOutBy(sql, [handle])]);
  return {
    ...summaryOf(finding),
    looks_at: rule?.looksAt ?? null,
    thresholds: rule?.thresholds ?? null,
    evidence: finding.evidence,
    note: finding.note,
    holds: held.map(({ currency, micros }) => ({ value: decimalFromMicros(micros), currency })),
    taken_out: taken.map(({ currency, plays, gross, credited, reversed }) => ({
      currency,
      plays,
      charged: decimalFromMicros(gross),
      credited: decimalFromMicros(credited),
      earnings_reversed: decimalFromMicros(reversed),
    })),
  };
}

type Decision = { finding: number; decision: 'clear' | 'uphold'; note: string | undefined };

/** Decides an open finding. Cleared, the earnings are released; upheld, they stay held until its plays are taken out, which `workers` do from then on. @throws UsageError where there is none, or a decision already */
export async function decide(
  sql: Postgres,
  now: Date,
  { finding, decision, note }: Decision,
): Promise<Record<string, unknown>> {
  if (note !== undefined && (note.trim() === '' || note.length > NOTE_LENGTH_MAX))
    throw new UsageError(`--note takes up to ${NOTE_LENGTH_MAX} characters`);
  return inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    await unit.tx`select from workspaces where handle = (select workspace_handle from findings where handle = ${finding}) for no key update`; // as withdrawals do
    const before = await readFinding(unit.tx, finding, { isLocked: true });
    if (!before) throw absent(finding);
    const status = decideFinding(before.status, decision);
    if (isRefusal(status)) throw new UsageError(status.detail);
    await unit.tx`update findings set status = ${status}, is_holding = ${status === 'upheld'}, decided_at = ${now}, note = ${note ?? null} where handle = ${finding}`;
    unit.audit({
      workspace: before.workspace,
      action: `finding.${status}`,
      entityType: 'finding',
      entityHandle: finding,
      diff: { status: { from: before.status, to: status } },
    });
    return { id: formatId('finding', finding), status };
  });
}

function summaryOf(finding: Finding): Record<string, unknown> {
  const { handle, status, workspace, venue, screen, fromAt, toAt, raisedAt, seenAt, decidedAt, isHolding, rule } =
    finding;
  return {
    id: formatId('finding', handle),
    status,
    rule: labelOf(finding),
    concerns: concernOf(rule),
    workspace_id: formatId('workspace', workspace),
    venue_id: formatId('venue', venue),
    screen_id: screen === null ? null : formatId('screen', screen),
    from: fromAt.toISOString(),
    to: toAt.toISOString(),
    holding: isHolding,
    raised_at: raisedAt.toISOString(),
    seen_at: seenAt.toISOString(),
    decided_at: decidedAt?.toISOString() ?? null,
  };
}

function labelOf({ rule, ruleVersion }: Finding): string {
  return ruleLabel({ name: rule, version: ruleVersion });
}

function absent(handle: number): UsageError {
  return new UsageError(`There is no finding ${formatId('finding', handle)}`);
}
