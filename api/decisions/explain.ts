/**
 * Explains why campaigns lost a slot. The journal of the delivery process that decided the slot is replayed up to that
 * decision. See docs/explain.md.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Handle } from '#domain/id.ts';
import type { LossReason } from '#domain/plays/decision.ts';
import { sentenceOf } from '#domain/law/restriction.ts';
import { stepsOf } from '#domain/plays/decision-journal.ts';
import { JournalReplay } from '#domain/plays/explanation.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { readRun, type RunRange } from './journal.ts';

/** The position of a decision in the journals: the process, its run, and the number within the run. */
export type JournalPosition = { node_epoch: number; run: number; number: number };
/** `rule` is a sentence about the rule that restricts the campaign. */
export type Loser = { campaign: Handle<'campaign'>; category: string; reason: LossReason; rule?: string };

/**
 * The largest run that is replayed: ten minutes at a thousand slots a second. For larger ones only winners are shown.
 */
const RUN_BYTES_MAX = 64 * 1024 * 1024;
/** Steps between two breaks for other requests: a few milliseconds. */
const STEPS_MAX = 2_000;

/**
 * For each of these slots, why the other campaigns lost it. A slot that is missing in the answer cannot be explained.
 * `among` limits the answer to some campaigns.
 */
export async function explain(
  clickhouse: Clickhouse,
  positions: readonly JournalPosition[],
  among?: ReadonlySet<Handle<'campaign'>>,
): Promise<Map<JournalPosition, Loser[]>> {
  const explained = new Map<JournalPosition, Loser[]>();
  const runs = new Map<string, { epoch: number; run: number; wanted: Map<number, JournalPosition> }>();
  for (const position of positions) {
    if (position.run === 0) continue;
    const key = `${position.node_epoch} ${position.run}`;
    const known = runs.get(key) ?? {
      epoch: position.node_epoch,
      run: position.run,
      wanted: new Map<number, JournalPosition>(),
    };
    known.wanted.set(position.number, position);
    runs.set(key, known);
  }
  for (const { epoch, run, wanted } of runs.values()) {
    await explainRun(clickhouse, { epoch, run, lastNumber: Math.max(...wanted.keys()) }, { wanted, among, explained });
  }
  return explained;
}

async function explainRun(
  clickhouse: Clickhouse,
  range: RunRange,
  {
    wanted,
    among,
    explained,
  }: {
    wanted: ReadonlyMap<number, JournalPosition>;
    among: ReadonlySet<Handle<'campaign'>> | undefined;
    explained: Map<JournalPosition, Loser[]>;
  },
): Promise<void> {
  const parts = await readRun(clickhouse, range, RUN_BYTES_MAX);
  if (parts === undefined) return;
  const replay = new JournalReplay();
  let steps = 0;
  for (const step of stepsOf(parts)) {
    if (++steps % STEPS_MAX === 0) await nextTurn();
    if ('entry' in step) {
      replay.apply(step.entry);
      continue;
    }
    if (step.number > range.lastNumber) return;
    const position = wanted.get(step.number);
    const losses = position && replay.lossesOf(step.record, among);
    if (position && losses)
      explained.set(
        position,
        losses.map(({ campaign, reason, restriction }) => ({
          campaign,
          reason,
          category: replay.campaign(campaign)!.category,
          ...(restriction && { rule: sentenceOf(restriction) }),
        })),
      );
    replay.decided(step.record);
  }
}
