/**
 * The calculation of a delivery plan, in a separate thread. `campaigns/plan-delivery.ts` reads its rows and stores the
 * plan.
 */
import { move } from 'piscina';
import type { OverloadPolicy } from '#domain/allocation/flow/overload.ts';
import { BUCKET_MS, compileNetwork, type Expectation } from '#domain/allocation/network/network.ts';
import { frequencyCapsOf } from '#domain/allocation/network/frequency-caps.ts';
import { planNetwork, worthOf } from '#domain/allocation/network/network-plan.ts';
import { campaignsOf, placesOf, type PlannedPlace } from '#domain/allocation/network/network-rows.ts';
import { encodePlan } from '#domain/allocation/plan-codec.ts';
import { decodeSupply } from '#domain/forecast/supply-body.ts';
import { expectedParts } from '#domain/forecast/supply/supply-model.ts';
import { trendOf } from '#domain/forecast/supply/supply-trend.ts';
import { seenRatioOf } from '#domain/forecast/supply/supply-seen.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The inputs of a plan. */
export type PlanQuestion = {
  places: readonly (Parameters<typeof placesOf>[0][number] &
    Pick<PlannedPlace, 'venue' | 'sensor'> & { screens: number })[];
  campaigns: Parameters<typeof campaignsOf>[0];
  /** The newest stored supply model; null: only opening hours and ad ratios are known. */
  supply: string | null;
  atMs: Milliseconds;
  overload: OverloadPolicy;
};

/** A week ahead, and one back. */
const BUCKETS = 7 * 96;
const WEEK_MS = BUCKETS * BUCKET_MS;

/**
 * Makes the plan in a separate thread: seconds of work for a large network. Returns its bytes (a Uint8Array, moved).
 */
export default function plan({ places, campaigns: rows, supply, atMs, overload }: PlanQuestion): unknown {
  const campaigns = campaignsOf(rows);
  const planned = plannedPlaces(places);
  const knowledge = decodeSupply(supply);
  const { usualShare, latelyShare } = knowledge;
  const stage = { places: planned, campaigns, buckets: BUCKETS, expected: expectationOf(knowledge), worthOf };
  const network = compileNetwork({ ...stage, atMs });
  const past = compileNetwork({ ...stage, atMs: atMs - WEEK_MS });
  const caps = frequencyCapsOf({ network, places: planned, worthOf, campaigns });
  return move(
    encodePlan(
      planNetwork({
        network,
        past,
        campaigns,
        atMs,
        caps,
        overload,
        ...(usualShare !== undefined && { usualShare }),
        ...(latelyShare !== undefined && { latelyShare }),
      }),
    ),
  );
}

const SLOTS_PER_HOUR = 240;

function plannedPlaces(rows: PlanQuestion['places']): (PlannedPlace & { slotsPerHour: number })[] {
  return placesOf(rows).map((place, number) => ({
    ...place,
    venue: rows[number]!.venue,
    sensor: rows[number]!.sensor,
    slotsPerHour: (SLOTS_PER_HOUR * rows[number]!.ad_share) / rows[number]!.screens,
  }));
}

/** The supply model's share and audience of each place, times the ratio of the last hours. */
function expectationOf({ model, seen }: ReturnType<typeof decodeSupply>): Expectation<PlannedPlace> {
  return {
    partsOf: place => {
      const ratio = seenRatioOf(seen, place);
      return expectedParts(model, place).map(part => part * ratio);
    },
    trendAt: daysAhead => trendOf(model, daysAhead),
  };
}
