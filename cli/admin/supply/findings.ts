/**
 * `admin finding`: findings in the traffic of screens, with rule and evidence, and the operator's decision on it. If a
 * finding is cleared, the earnings that it holds are released; if it is upheld, they stay held until its plays are
 * taken out.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { concernOf, ruleLabel, ruleOfLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import { FINDING_STATES, type FindingState } from '#domain/plays/traffic/traffic-finding.ts';
import { heldBy, listFindings, readFinding, takenOutBy, type Finding } from '#sql/findings/findings.ts';
import { newest } from '#sql/lists/sorts.ts';
import type { Postgres } from '#sql/postgres.ts';
import { decideFinding } from '#sql/findings/decisions.ts';
import { NOTE_LENGTH_MAX } from '../../../api/wire/shapes.ts';
import { OPERATOR, wanted } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { idOf } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

/** As many as a person will look through. If there are more, the newest are listed. */
const LISTED_MAX = 200;

export function declareFindingCommands(program: CommandUnknownOpts, run: Runner): void {
  const finding = program.command('finding').description('suspicious traffic of screens');
  finding
    .command('list')
    .description('list the newest findings')
    .addOption(new Option('--status <status>', 'filter by status').choices(FINDING_STATES))
    .action(run(({ sql }, { status }) => showFindings(sql, { status })));
  finding
    .command('show')
    .description('show the rule, evidence and held earnings of a finding')
    .argument('<finding>', 'id of the finding', idOf('finding'))
    .action(run(({ sql }, handle) => showFinding(sql, handle)));
  finding
    .command('clear')
    .description('clear a finding and release its earnings')
    .argument('<finding>', 'id of the finding', idOf('finding'))
    .option('--note <text>', 'note for other operators')
    .action(run(({ sql }, handle, { note }) => decide(sql, new Date(), { finding: handle, decision: 'clear', note })));
  finding
    .command('uphold')
    .description('uphold a finding and reverse its plays')
    .argument('<finding>', 'id of the finding', idOf('finding'))
    .option('--note <text>', 'note for other operators')
    .action(run(({ sql }, handle, { note }) => decide(sql, new Date(), { finding: handle, decision: 'uphold', note })));
}

/** The newest findings, of one status or of all. */
export async function showFindings(sql: Postgres, { status }: { status?: FindingState | undefined }): Promise<Result> {
  const { rows } = await listFindings(sql, newest(LISTED_MAX), { statuses: status && [status] });
  return { findings: rows.map(summaryOf) };
}

/**
 * A finding with its rule, its evidence, its held earnings, and the plays removed because of it.
 * @throws UsageError if there is none
 */
export async function showFinding(sql: Postgres, handle: Handle<'finding'>): Promise<Result> {
  const finding = await readFinding(sql, handle);
  if (!finding) throw new UsageError(absent(handle));
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

type Decision = { finding: Handle<'finding'>; decision: 'clear' | 'uphold'; note: string | undefined };

/**
 * Decides an open finding.
 * @throws UsageError if there is no such finding, or it is decided already
 */
export async function decide(sql: Postgres, now: Date, { finding, decision, note }: Decision): Promise<Result> {
  if (note !== undefined && (note.trim() === '' || note.length > NOTE_LENGTH_MAX))
    throw new UsageError(`--note takes up to ${NOTE_LENGTH_MAX} characters`);
  return wanted(await decideFinding(sql, { actor: OPERATOR, now }, { finding, decision, note }), absent(finding));
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

const absent = (handle: Handle<'finding'>) => `There is no finding ${formatId('finding', handle)}`;
