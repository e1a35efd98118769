/**
 * The steps of a group of batches of decisions: decode, to rows, write, finish. They become rows of three tables: the
 * decisions, for people; the journal of the runs, with the same records as bytes and the facts behind them, for
 * replays; and the sums of reports that delivery refused.
 */
import { reasonOf } from '#domain/plays/decision.ts';
import { OF_PLAN, OF_SANDBOX } from '#domain/plays/decision-record.ts';
import { labelInForce } from '#domain/plays/traffic/invalid-traffic.ts';
import type { DeadLetters } from './dead-letter.ts';
import type { Group, Groups } from './groups.ts';
import type { DeadLetter } from './outcome.ts';
import { type DecodedDecisions, decodeDecisions } from './steps/decode-decisions.ts';
import { createSpelling, type Spelling } from './steps/spelling.ts';
import { decimalSeconds, escapeField, textBody, writeRows } from './steps/to-row.ts';
import type { Writer } from './rows/writer.ts';

export type DecisionDependencies = { groups: Groups; writer: Writer; deadLetters: DeadLetters; now: () => Date };

const DECISION_COLUMNS = [
  'decided_at',
  'starts_at',
  'screen_id',
  'campaign_id',
  'creative_id',
  'reason',
  'max_duration_ms',
  'duration_ms',
  'offline_plan',
  'sandbox',
  'node_epoch',
  'run',
  'number',
  'revision',
  'plan_version',
  'group_id',
] as const;
const JOURNAL_COLUMNS = ['at', 'node_epoch', 'run', 'part', 'number', 'body', 'group_id'] as const;

const REFUSED_COLUMNS = [
  'bucket',
  'campaign_id',
  'creative_id',
  'screen_id',
  'venue_id',
  'rule',
  'sandbox',
  'plays',
  'group_id',
] as const;

type JournalRow = {
  at: Date;
  epoch: number;
  run: number;
  part: 'state' | 'changes' | 'decisions';
  number: number;
  body: string;
};

/** Processes one group to its end. @throws if an engine is down; the group can be repeated unchanged. */
export async function processDecisions(
  group: Group,
  dependencies: DecisionDependencies,
  { signal, known }: { signal: AbortSignal; known: ReadonlyMap<string, string> },
): Promise<void> {
  const payloads = await dependencies.groups.payloads(group, known);
  const letters: DeadLetter[] = [];
  const batches: DecodedDecisions[] = [];
  for (const [index, payload] of payloads.entries()) {
    const batch = decodeDecisions(payload);
    if (typeof batch === 'string')
      letters.push({ job: group.jobs[index]!, kind: 'batch', position: -1, step: 'decode', reason: batch, payload });
    else batches.push(batch);
  }
  await dependencies.deadLetters.keep(letters, dependencies.now());
  await writeDecisions(group.name, batches, { writer: dependencies.writer, signal });
  await writeJournal(group.name, batches, { writer: dependencies.writer, signal, now: dependencies.now() });
  await writeRefused(group.name, batches, { writer: dependencies.writer, signal });
  await dependencies.groups.finish(group.name, { jobsWithDuplicates: [], releases: [], settle: false });
}

async function writeDecisions(
  group: string,
  batches: readonly DecodedDecisions[],
  { writer, signal }: { writer: Writer; signal: AbortSignal },
): Promise<void> {
  const spell = createSpelling();
  const rows = batches.flatMap(batch => batch.records.map((_, at) => ({ batch, at })));
  if (rows.length === 0) return;
  const text = writeRows(rows, ({ batch, at }) => decisionRow(batch, at, { spell, group }));
  await writer.insert({ group, table: 'decisions', rows: rows.length, body: textBody(DECISION_COLUMNS, text) }, signal);
}

function decisionRow(
  { epoch, run, first, records }: DecodedDecisions,
  at: number,
  { spell, group }: { spell: Spelling; group: string },
): string {
  const record = records[at]!;
  const isFill = record.answer < 0;
  return (
    `\t${decimalSeconds(record.decidedAtMs)}\t${decimalSeconds(record.startsAtMs)}\t${spell('screen', record.screen)}` +
    `\t${isFill ? spell('campaign', record.campaign) : ''}\t${isFill ? spell('creative', record.creative) : ''}\t${isFill ? '' : reasonOf(record.answer)}` +
    `\t${record.maxDurationMs}\t${record.durationMs}\t${(record.flags & OF_PLAN) !== 0}\t${(record.flags & OF_SANDBOX) !== 0}` +
    `\t${epoch}\t${run}\t${first + at}\t${record.revision}\t${record.planVersion}\t${group}\n`
  );
}

async function writeJournal(
  group: string,
  batches: readonly DecodedDecisions[],
  { writer, signal, now }: { writer: Writer; signal: AbortSignal; now: Date },
): Promise<void> {
  const rows = batches.flatMap(({ epoch, run, first, bytes, journal }): JournalRow[] => {
    if (run === 0) return []; // those cannot be replayed
    const parts: JournalRow[] = journal.map(({ part, number, text }) => ({
      at: now,
      epoch,
      run,
      part,
      number,
      body: text,
    }));
    if (bytes.length > 0)
      parts.push({
        at: now,
        epoch,
        run,
        part: 'decisions',
        number: first,
        body: Buffer.from(bytes).toString('base64'),
      });
    return parts;
  });
  if (rows.length === 0) return;
  const text = writeRows(
    rows,
    row =>
      `\t${decimalSeconds(row.at.getTime())}\t${row.epoch}\t${row.run}\t${row.part}\t${row.number}\t${escapeField(row.body)}\t${group}\n`,
  );
  await writer.insert(
    { group, table: 'private_decision_journal', rows: rows.length, body: textBody(JOURNAL_COLUMNS, text) },
    signal,
  );
}

async function writeRefused(
  group: string,
  batches: readonly DecodedDecisions[],
  { writer, signal }: { writer: Writer; signal: AbortSignal },
): Promise<void> {
  const spell = createSpelling();
  const sums = batches.flatMap(({ refused }) => refused);
  if (sums.length === 0) return;
  const text = writeRows(
    sums,
    ({ campaign, creative, screen, venue, sandbox, bucketMs, rule, plays }) =>
      `\t${bucketMs / 1_000}\t${spell('campaign', campaign)}\t${spell('creative', creative)}\t${spell('screen', screen)}\t${spell('venue', venue)}\t${labelInForce(rule)}\t${sandbox}\t${plays}\t${group}\n`,
  );
  await writer.insert(
    { group, table: 'plays_not_counted', rows: sums.length, body: textBody(REFUSED_COLUMNS, text) },
    signal,
  );
}
