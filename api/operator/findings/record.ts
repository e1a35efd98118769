/** Findings about traffic as the operator sees them: which there are, and the evidence of each. */
import { formatId, type Handle } from '#domain/id.ts';
import { concernOf, ruleLabel, ruleOfLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import {
  heldBy,
  listFindings,
  readFinding,
  readNames,
  takenOutBy,
  type Finding,
  type FindingNames,
} from '#sql/findings/findings.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { listed, type List, type Page } from '../../lists/paging.ts';
import { money } from '../../wire/shapes.ts';
import type { FindingEvidence, TrafficFinding } from './schema.ts';

export async function listTrafficFindings(
  sql: Postgres,
  page: Page,
  filter: Parameters<typeof listFindings>[2],
): Promise<List<TrafficFinding>> {
  const found = await listFindings(sql, page, filter);
  const records = await summariesOf(sql, found.rows);
  return listed(found, page, { recordOf: ({ handle }) => records.get(handle)! });
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

async function summariesOf(
  sql: Queryable,
  findings: readonly Finding[],
): Promise<Map<Handle<'finding'>, TrafficFinding>> {
  const handles = findings.map(({ handle }) => handle);
  const [held, names] = await Promise.all([heldBy(sql, handles), readNames(sql, handles)]);
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

function summaryOf(finding: Finding, names: FindingNames, holds: TrafficFinding['holds']): TrafficFinding {
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
