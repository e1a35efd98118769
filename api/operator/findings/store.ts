/**
 * The findings about traffic: which there are, the evidence of each, and the operator's decision. A cleared finding
 * releases the earnings that it holds. An upheld one holds them until the workers have taken its plays out.
 */
import { inUnitOfWork, type UnitOptions, type Decider } from '#books/unit-of-work.ts';
import { formatId, readHandle, type Handle } from '#domain/id.ts';
import { concernOf, ruleLabel, ruleOfLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import { decideFinding as stateAfter, type FindingState } from '#domain/plays/traffic/traffic-finding.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import {
  countFindings,
  heldBy,
  listFindings,
  readFinding,
  takenOutBy,
  type Finding,
} from '#records/traffic-findings.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { positionIn } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../../lists/paging.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import { money } from '../../wire/shapes.ts';
import type { DecidedFinding, FindingEvidence, TrafficFinding } from './schema.ts';

type ListOptions = { page: Page; statuses?: readonly string[]; isCounted: boolean };

export async function listTrafficFindings(
  sql: Postgres,
  { page, statuses, isCounted }: ListOptions,
): Promise<List<TrafficFinding>> {
  const [findings, total] = await Promise.all([
    listFindings(sql, {
      statuses,
      after: page.after === undefined ? undefined : readHandle('finding', page.after),
      isDescending: page.isDescending,
      rowsMax: page.limit + 1,
    }),
    isCounted ? countFindings(sql, statuses) : undefined,
  ]);
  const records = await summariesOf(sql, findings);
  return {
    ...envelope(findings, page, {
      positionOf: positionIn(page, BY_CREATION),
      recordOf: ({ handle }) => records.get(handle)!,
    }),
    ...(total !== undefined && { total }),
  };
}

/** Undefined if there is no such finding. */
export async function readTrafficFinding(
  sql: Postgres,
  handle: Handle<'finding'>,
): Promise<FindingEvidence | undefined> {
  const finding = await readFinding(sql, handle);
  if (!finding) return undefined;
  const [summaries, taken] = await Promise.all([summariesOf(sql, [finding]), takenOutBy(sql, [handle])]);
  const rule = ruleOfLabel(labelOf(finding));
  return {
    ...summaries.get(handle)!,
    looks_at: rule?.looksAt ?? null,
    thresholds: rule ? { ...rule.thresholds } : null,
    evidence: finding.evidence,
    note: finding.note,
    taken_out: taken.map(({ currency, plays, gross, credited, reversed }) => ({
      plays,
      charged: money(gross, currency),
      credited: money(credited, currency),
      reversed: money(reversed, currency),
    })),
  };
}

type NamesRow = { handle: Handle<'finding'>; workspace: string; venue: string; screen: string | null };

async function summariesOf(
  sql: Queryable,
  findings: readonly Finding[],
): Promise<Map<Handle<'finding'>, TrafficFinding>> {
  const handles = findings.map(({ handle }) => handle);
  const [held, names] = await Promise.all([
    heldBy(sql, handles),
    sql<NamesRow[]>`
      select f.handle, w.name as workspace, v.name as venue, s.label as screen
      from findings f join workspaces w on w.handle = f.workspace_handle join venues v on v.handle = f.venue_handle
        left join screens s on s.handle = f.screen_handle where f.handle = any(${handles}::bigint[])`,
  ]);
  const namesOf = new Map(names.map(row => [row.handle, row]));
  return new Map(
    findings.map(finding => {
      const holds = held
        .filter(row => row.finding === finding.handle)
        .map(({ micros, currency }) => money(micros, currency));
      return [finding.handle, summaryOf(finding, namesOf.get(finding.handle)!, holds)];
    }),
  );
}

function summaryOf(finding: Finding, names: NamesRow, holds: TrafficFinding['holds']): TrafficFinding {
  const { handle, status, workspace, venue, screen, fromAt, toAt, raisedAt, seenAt, decidedAt } = finding;
  return {
    id: formatId('finding', handle),
    status,
    rule: labelOf(finding),
    concerns: concernOf(finding.rule),
    workspace: { id: formatId('workspace', workspace), name: names.workspace },
    venue: { id: formatId('venue', venue), name: names.venue },
    screen: screen === null ? null : { id: formatId('screen', screen), label: names.screen! },
    from: fromAt.toISOString(),
    to: toAt.toISOString(),
    holds,
    raised_at: raisedAt.toISOString(),
    seen_at: seenAt.toISOString(),
    decided_at: decidedAt?.toISOString() ?? null,
  };
}

function labelOf({ rule, ruleVersion }: Finding): string {
  return ruleLabel({ name: rule, version: ruleVersion });
}

type Decision = { finding: Handle<'finding'>; decision: 'clear' | 'uphold'; note: string | undefined; by?: Decider };

/** Decides an open finding. The venue's audit has the decision; the note is in the operator's alone. */
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
