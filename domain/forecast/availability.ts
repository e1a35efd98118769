/** The availability of venues for a range of days: the forecast impressions, and the unbooked part of them. */
import type { Handle } from '../id.ts';
import { flightHours } from './bookings.ts';
import { HORIZON_HOURS, supplyAt } from './supply/supply.ts';
import { laterWeeks } from './plan-supply.ts';
import type { Prepared } from './preparation.ts';

/** Forecast impressions of venues in some days, and the unbooked ones. */
export type Availability = { impressions: number; free: number };
export type AvailabilityQuestion = {
  sandbox: boolean;
  venues: ReadonlySet<Handle<'venue'>>;
  startsOn: number;
  endsOn: number;
};

/**
 * The supply of each venue: its share of its kinds of place, hour by hour, and the share that bookings leave free.
 * Venues without screens are omitted.
 */
export function availabilityOf(
  prepared: Prepared,
  { sandbox, venues, startsOn, endsOn }: AvailabilityQuestion,
): Map<Handle<'venue'>, Availability> {
  const {
    supply: { kinds, memberStart, venue, part, firstDay },
  } = prepared;
  const rule = { startsOn, endsOn };
  const within = flightHours(rule, firstDay);
  const weeks = laterWeeks(rule, firstDay).sum;
  const hours = within.map((share, hour) => share + weeks[hour]!);
  const found = new Map<Handle<'venue'>, Availability>();
  kinds.forEach((kind, number) => {
    if (kind.sandbox !== sandbox) return;
    let whole: Availability | undefined;
    for (let member = memberStart[number]!; member < memberStart[number + 1]!; member++) {
      const handle = venue[member] as Handle<'venue'>;
      if (!venues.has(handle)) continue;
      whole ??= availableOfKind(prepared, number, hours);
      const known = found.get(handle) ?? { impressions: 0, free: 0 };
      found.set(handle, {
        impressions: known.impressions + part[member]! * whole.impressions,
        free: known.free + part[member]! * whole.free,
      });
    }
  });
  return found;
}

function availableOfKind(
  { supply, bookings: { pieces, pieceOf }, freePart }: Prepared,
  kind: number,
  hours: Float32Array,
): Availability {
  const all = { impressions: 0, free: 0 };
  for (let hour = 0; hour < HORIZON_HOURS; hour++) {
    const impressions = hours[hour]! * supplyAt(supply, kind, hour);
    all.impressions += impressions;
    all.free += impressions * freePart[kind * pieces + pieceOf[hour]!]!;
  }
  return all;
}
