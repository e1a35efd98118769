/**
 * The calculation of a day in hindsight, in a separate thread: seconds of work for a large network.
 * `hindsight/look-back.ts` reads its rows and stores the answer.
 */
import type { DaySlots } from '#domain/allocation/hindsight/day-graph.ts';
import type { DaySplit } from '#domain/allocation/hindsight/day-split.ts';
import { splitNetworkDay } from '#domain/allocation/hindsight/network-day.ts';
import { type CampaignRow, campaignsOf, type PlaceRow, placesOf } from '#domain/allocation/network/network-rows.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** `charged_micros` is the charges before the day. */
export type CampaignDayRow = CampaignRow & { delivered_micros: Micros; live: number; unbooked: number };
export type DayQuestion = {
  places: readonly PlaceRow[];
  campaigns: readonly CampaignDayRow[];
  slots: DaySlots;
  dayMs: Milliseconds;
};

export default function lookBack({ places, campaigns, slots, dayMs }: DayQuestion): DaySplit {
  const rowOf = new Map(campaigns.map(row => [row.handle, row]));
  return splitNetworkDay({
    places: placesOf(places),
    campaigns: campaignsOf(campaigns).map(campaign => {
      const row = rowOf.get(campaign.handle)!;
      return { ...campaign, deliveredMicros: row.delivered_micros, live: row.live, unbooked: row.unbooked };
    }),
    slots,
    dayMs,
  });
}
