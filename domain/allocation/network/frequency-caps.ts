/**
 * The supply of a network within a campaign's frequency cap: a screen shows it in no more slots an hour than its cap.
 * Places of one group may differ in their slots, so the shares are summed over places.
 */
import type { FrequencyCaps } from '../flow/promise.ts';
import type { Network, NetworkPlace } from './network.ts';

/** Caps with their own shares; other caps use the next one below. Customers choose round numbers. */
const CAPS_MAX = 24;

type CappedNetwork<Place extends NetworkPlace> = {
  network: Network;
  /** The places of the network, with the ad slots of one screen in an open hour. */
  places: readonly (Place & { slotsPerHour: number })[];
  /** As the network was compiled with. */
  worthOf: (place: Place) => number;
  /** In the order of the network's. */
  campaigns: readonly { frequencyPerHourMax: number }[];
};

/**
 * The share of a screen's slots that a cap leaves one campaign, 0..1: delivery shows it no more often in an hour.
 * @param perHourMax 0: no cap
 */
export function shareUnderCap(perHourMax: number, slotsPerHour: number): number {
  return perHourMax === 0 ? 1 : Math.min(1, perHourMax / slotsPerHour);
}

/** Undefined if no campaign has a cap. `frequencyPerHourMax` 0: no cap. */
export function frequencyCapsOf<Place extends NetworkPlace>({
  network,
  places,
  worthOf,
  campaigns,
}: CappedNetwork<Place>): FrequencyCaps | undefined {
  const all = [...new Set(campaigns.map(({ frequencyPerHourMax }) => frequencyPerHourMax))]
    .filter(cap => cap > 0)
    .sort((a, b) => a - b);
  if (all.length === 0) return undefined;
  const step = Math.ceil(all.length / CAPS_MAX);
  const caps = all.filter((_, at) => at % step === 0);
  const byGroup = (partOf: (slotsPerHour: number) => number): Float64Array => {
    const sums = new Float64Array(network.groups.length);
    places.forEach((place, number) => {
      const group = network.groupOf[number]!;
      if (group >= 0) sums[group]! += place.impressionsPerMinute * worthOf(place) * partOf(place.slotsPerHour);
    });
    return sums;
  };
  const whole = byGroup(() => 1);
  return {
    number: Int32Array.from(campaigns, ({ frequencyPerHourMax: cap }) => caps.findLastIndex(one => one <= cap)),
    share: caps.map(cap =>
      byGroup(slotsPerHour => shareUnderCap(cap, slotsPerHour)).map((part, group) => part / whole[group]!),
    ),
  };
}
