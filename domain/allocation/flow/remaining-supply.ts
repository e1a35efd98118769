/** Adds up the supply that a plan can still use, by segment. */
import type { AllocationGraph } from './graph.ts';

/** Supply by cell: groups of equal screens x buckets of time, cell = group * buckets + bucket. */
export type SupplyForecast = {
  groups: number;
  buckets: number;
  /** The first future bucket; earlier cells are not read. */
  bucketFrom: number;
  /** 4 for quarters of an hour. */
  bucketsPerHour: number;
  /** Segment of each cell; read only where the cell has supply. */
  segmentOf: Int32Array;
  /** Impressions forecast by cell, 0 or more. */
  supply: Float64Array;
  /** The part of a cell that one campaign may take under frequency and separation; null: all of it. */
  supplyPerCampaign: Float64Array | null;
  /** By group: seen over forecast supply. */
  factor: Float64Array;
};

/**
 * By segment: impressions of the rest of the horizon, and the share of them that one campaign may take (1 if there are
 * none).
 */
export type RemainingSupply = { supply: Float64Array; capShare: Float64Array };

/** Sums the cells. `weight` is the weight of an hour, by hours ahead (0 is the current one); 0..1. */
export function remainingSupply(
  graph: AllocationGraph,
  forecast: SupplyForecast,
  weight: (hoursAhead: number) => number,
): RemainingSupply {
  const { groups, buckets, bucketFrom, bucketsPerHour, segmentOf, supply, supplyPerCampaign, factor } = forecast;
  const total = new Float64Array(graph.segments);
  const capped = new Float64Array(graph.segments);
  const weights = Float64Array.from({ length: Math.max(0, buckets - bucketFrom) }, (_, bucket) =>
    weight(Math.floor(bucket / bucketsPerHour)),
  );
  for (let group = 0; group < groups; group++) {
    for (let bucket = bucketFrom; bucket < buckets; bucket++) {
      const cell = group * buckets + bucket;
      if (supply[cell]! <= 0) continue;
      const counted = factor[group]! * weights[bucket - bucketFrom]!;
      const segment = segmentOf[cell]!;
      total[segment]! += supply[cell]! * counted;
      capped[segment]! += (supplyPerCampaign === null ? supply[cell]! : supplyPerCampaign[cell]!) * counted;
    }
  }
  return {
    supply: total,
    capShare: capped.map((impressions, segment) =>
      total[segment]! > 0 ? Math.min(1, impressions / total[segment]!) : 1,
    ),
  };
}
