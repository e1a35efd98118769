/** The delivery of campaigns, kept in memory for a second. `detail.ts` writes it into the answer. */
import type { Handle } from '#domain/id.ts';
import { deliveryKey, readDeliveries, type Delivery } from '#sql/campaigns/deliveries.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { createCachedReads } from '../joined/cached-reads.ts';
import type { Milliseconds } from '#domain/unit.ts';

/**
 * Metrics are refreshed after a second, and are at most five seconds old in an answer. So a campaign that is requested
 * every few seconds is always answered from memory. Reports promise to be at most 90 seconds late.
 */
const KEEP_MS = 1_000;
const STALE_MS = 5_000;

/** `at` (ms since 1970): `today` of the answer is the UTC day of this moment. */
export type DeliveryReads = {
  of(campaign: { handle: Handle<'campaign'>; sandbox: boolean; at: number }): Promise<Delivery>;
};

type Dependencies = { clickhouse: Clickhouse; now: () => Milliseconds };

export function createDeliveryReads({ clickhouse, now }: Dependencies): DeliveryReads {
  const read = (keys: readonly string[]) => readDeliveries(clickhouse, keys);
  const reads = createCachedReads({ keepMs: KEEP_MS, staleMs: STALE_MS, now, read });
  return { of: ({ handle, ...day }) => reads.get(deliveryKey(handle, day)) };
}
