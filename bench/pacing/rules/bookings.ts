/**
 * The world's screens and campaigns in the product's terms. A screen's city is the name of its group, so that the
 * world's reach of campaigns is exact.
 */
import type { NetworkCampaign } from '../../../domain/allocation/network/network.ts';
import type { BookedCampaign } from '../../../domain/allocation/network/network-plan.ts';
import { parseTargets, type Targets } from '../../../domain/campaigns/targeting.ts';
import type { Handle } from '../../../domain/id.ts';
import { isRefusal } from '../../../domain/refusal.ts';
import { type FlightRule, type OpeningHours, parseOpeningHours } from '../../../domain/screens/schedule.ts';
import { handle } from '../../../test/support/handle.ts';
import type { World } from '../world/world.ts';

/** Hour 0 of the world: 4 October 2024, in UTC. */
export const FIRST_DAY = 20_000;
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
const MINUTES_PER_DAY = 1_440;

export type Booked = NetworkCampaign & BookedCampaign & { workspace: Handle<'workspace'> };

/** A campaign without spend. @param unitMicros the price of one of the world's impressions */
export function campaignOf(world: World, campaign: number, unitMicros: number): Booked {
  const booking = world.bookings[campaign]!;
  const flight: FlightRule = {
    startsOn: FIRST_DAY + booking.startDay,
    endsOn: FIRST_DAY + booking.endDay - 1,
    ...(booking.fromHour !== 0 || booking.toHour !== 24
      ? { daypart: { startMinute: booking.fromHour * 60, endMinute: booking.toHour * 60 } }
      : {}),
  };
  return {
    handle: handle('campaign', campaign + 1),
    // One owner for all if there is no separation.
    workspace: handle('workspace', world.options.separation ? campaign + 1 : 1),
    sandbox: false,
    category: `category ${booking.category}`,
    targets: targetsOf(world, campaign),
    flight,
    orientations: ['landscape'],
    sinceMs: (FIRST_DAY + booking.startDay) * DAY_MS,
    budgetMicros: world.goal[campaign]! * unitMicros,
    spentMicros: 0,
    price: world.price[campaign]!,
  };
}

function targetsOf(world: World, campaign: number): Targets {
  const cities = new Set(
    world.screens.flatMap((_, screen) =>
      world.bookings[campaign]!.fits[screen] === true ? [cityOf(world, screen)] : [],
    ),
  );
  return { ...(parseTargets({}) as Targets), citiesFolded: [...cities] }; // without fields nothing is refused
}

export const cityOf = (world: World, screen: number): string => `g${world.groupOf[screen]!}`;

/** The zone with this many hours from UTC; the names of these count westward (tz database, `etcetera`). */
export function zoneOf(hours: number): string {
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

type Hours = { opens: number; closes: number };

export function hoursOf({ opens, closes }: Hours): OpeningHours | undefined {
  if (opens === 0 && closes === 24) return undefined;
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  const range = [{ start: clock(opens), end: clock(closes) }];
  const hours = parseOpeningHours(
    Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, range])),
  );
  if (isRefusal(hours)) throw new Error(`the hours ${opens} to ${closes} are refused`);
  return hours;
}

export const openMinutes = ({ opens, closes }: Hours): number => ((closes - opens + 24) % 24) * 60 || MINUTES_PER_DAY;
