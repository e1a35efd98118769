/**
 * The reservation of a play at each place, and whether a campaign's money suffices for one. A play reserves its cost
 * for the most people that it may count. With a sensing module that is up to twice the mean, so money that would pay
 * for a play before the mean audience may still be too little.
 */
import { costMicros } from '../money/money.ts';
import { venueRateMicros } from '../money/rate-card.ts';
import { openMinutesPerDay } from '../screens/schedule.ts';
import type { Orientation } from '../screens/screen.ts';
import { audienceFiguresOf, audienceMost, impressionsThousandths, meanAudience } from '../screens/venue.ts';
import { fewestPeople } from './network/hourly-audience.ts';
import { placesOf, type PlaceRow } from './network/network-rows.ts';
import { allowsPlace, type NetworkCampaign, type NetworkPlace } from './network/network.ts';
import type { Micros, Milliseconds } from '../unit.ts';

export type PricedPlace = NetworkPlace & {
  rateMicros: Micros;
  /** The most people that a play here may count. */
  people: number;
};

/** A campaign's targets and its shortest ready creative by orientation, in ms. */
export type Buyer = NetworkCampaign & { shortestMs: Partial<Record<Orientation, number>> };

export type PricedPlaceRow = PlaceRow & { sensor: boolean };

/** Places that show ads. */
export function pricedPlacesOf(rows: readonly PricedPlaceRow[]): PricedPlace[] {
  const places = placesOf(rows);
  return rows.flatMap((row, at) => {
    const place = places[at]!;
    if (row.ad_share <= 0) return [];
    const figures = audienceFiguresOf(row);
    const own = meanAudience(figures, openMinutesPerDay(place.hours));
    // The cheapest play decides whether money is enough for one.
    const mean = fewestPeople(row, { own, hours: place.hours });
    return [
      { ...place, rateMicros: venueRateMicros(row.type), people: audienceMost(mean, figures.audienceMax, row.sensor) },
    ];
  });
}

/** The reservation of a play there, in micros. */
export function playPriceMicros({ rateMicros, people }: PricedPlace, durationMs: Milliseconds): Micros {
  return costMicros(rateMicros, impressionsThousandths(people, durationMs));
}

/**
 * Whether `restMicros` pays for the shortest creative at any place that the campaign wants and may have; undefined
 * without such a place, because there is no price. Opening hours count, the rest of the schedule does not.
 */
export function buysAnyPlay(campaign: Buyer, restMicros: Micros, places: readonly PricedPlace[]): boolean | undefined {
  const { shortestMs, flight } = campaign;
  let isWanted = false;
  for (const place of places) {
    const durationMs = shortestMs[place.orientation];
    if (durationMs === undefined) continue;
    const isCheap = playPriceMicros(place, durationMs) <= restMicros;
    if ((!isCheap && isWanted) || !allowsPlace(campaign, place) || openMinutesPerDay(place.hours, flight) === 0)
      continue;
    if (isCheap) return true;
    isWanted = true;
  }
  return isWanted ? false : undefined;
}
