import type { Handle } from '#domain/id.ts';
import type { LossReason } from '#domain/plays/decision.ts';
import { stepsOf } from '#domain/plays/decision-journal.ts';
import { Recollection } from '#domain/plays/explanation.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { readRun, type RunRange } from './journal.ts';

/** Where a decision stands in its journal. */
export type Place = { node_epoch: number; run: number; number: number };
export type Loser = { campaign: Handle<'campaign'>; category: string; reason: LossReason };

/** A run of ten minutes at a thousand slots a second; of a larger one only winners are shown. */
const RUN_BYTES_MAX = 64 * 1024 * 1024;
/** Steps without a break: a few milliseconds. */
const STEPS_MAX = 2_000;

/**
 * Why the others lost these slots, from the journals of the processes that decided them. A slot that is not in the answer cannot be
 * explained. `among` narrows it to some campaigns.
 */
export async function explain(
  clickhouse: Clickhouse,
  places: readonly Place[],
  among?: ReadonlySet<Handle<'campaign'>>,
): Promise<Map<Place, Loser[]>> {
  const explained = new Map<Place, Loser[]>();
  const runs = new Map<string, { epoch: number; run: number; wanted: Map<number, Place> }>();
  for (const place of places) {
    if (place.run === 0) continue;
    const key = `${place.node_epoch} ${place.run}`;
    const known = runs.get(key) ?? { epoch: place.node_epoch, run: place.run, wanted: new Map<number, Place>() };
    known.wanted.set(place.number, place);
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
    wanted: ReadonlyMap<number, Place>;
    among: ReadonlySet<Handle<'campaign'>> | undefined;
    explained: Map<Place, Loser[]>;
  },
): Promise<void> {
  const parts = await readRun(clickhouse, range, RUN_BYTES_MAX);
  if (parts === undefined) return;
  const recollection = new Recollection();
  let steps = 0;
  for (const step of stepsOf(parts)) {
    if (++steps % STEPS_MAX === 0) await new Promise(resolve => setImmediate(resolve));
    if ('entry' in step) {
      recollection.apply(step.entry);
      continue;
    }
    if (step.number > range.lastNumber) return;
    const place = wanted.get(step.number);
    const losses = place && recollection.lossesOf(step.record, among);
    if (place && losses)
      explained.set(
        place,
        losses.map(({ campaign, reason }) => ({
          campaign,
          reason,
          category: recollection.campaign(campaign)!.category,
        })),
      );
    recollection.decided(step.record);
  }
}
