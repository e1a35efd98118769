/**
 * Networks that a seed makes: places, campaigns and what is known of the past. The same seed gives the same network on
 * every machine, so what the rules make of it can be recorded.
 */
import type { CampaignOfDay } from '#domain/allocation/hindsight/network-day.ts';
import type { NetworkCampaign } from '#domain/allocation/network/network.ts';
import type { BookedCampaign } from '#domain/allocation/network/network-plan.ts';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import type { SupplyHistory } from '#domain/forecast/supply/supply-history.ts';
import type { AudienceRow, ScanRow } from '#domain/forecast/supply/supply-model.ts';
import type { ForecastPlace } from '#domain/forecast/supply/supply.ts';
import type { OpeningHours } from '#domain/screens/schedule.ts';
import { seededRandom } from '../../../cli/demo/seeded-random.ts';
import { handle } from '../../support/handle.ts';

export const DAY_MS = 86_400_000;
/** A Wednesday. */
export const TODAY = 20_600;

const CITIES = [
  { name: 'Berlin', timezone: 'Europe/Berlin', lat: 52.5, lng: 13.4 },
  { name: 'New York', timezone: 'America/New_York', lat: 40.7, lng: -74 },
  { name: 'Kathmandu', timezone: 'Asia/Kathmandu', lat: 27.7, lng: 85.3 },
] as const;
const VENUE_TYPES = ['entertainment.bars', 'retail.malls', 'transit.airports', 'health_and_beauty.gyms'] as const;
const CATEGORIES = ['alcohol', 'travel', 'retail', 'gambling'] as const;
const DAYPARTS = [
  { start: '07:00', end: '10:30' },
  { start: '11:15', end: '14:00' },
  { start: '17:30', end: '23:00' },
  { start: '22:00', end: '02:00' },
] as const;
const CAPS = [0, 0, 2, 4, 6, 12] as const;

export type SeededCampaign = NetworkCampaign & BookedCampaign & { frequencyPerHourMax: number };
export type SeededPlace = ForecastPlace & { slotsPerHour: number };

/** Draws from a seed. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  number(from: number, to: number): number {
    return from + (to - from) * this.#random();
  }

  whole(from: number, to: number): number {
    return Math.floor(this.number(from, to + 1));
  }

  chance(part: number): boolean {
    return this.#random() < part;
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.whole(0, values.length - 1)]!;
  }
}

export function placesOf(draw: Draw, count: number): SeededPlace[] {
  return Array.from({ length: count }, (_, number) => {
    const city = draw.of(CITIES);
    const slots = draw.of([1, 2, 4]);
    const screens = draw.whole(1, 6);
    return {
      sandbox: draw.chance(0.1),
      cityFolded: city.name.toLowerCase(),
      venueType: draw.of(VENUE_TYPES),
      lat: city.lat + draw.number(-0.1, 0.1),
      lng: city.lng + draw.number(-0.1, 0.1),
      timezone: city.timezone,
      hours: draw.chance(0.4) ? openingHours(draw) : undefined,
      orientation: draw.of(['landscape', 'portrait']),
      blockedCategories: draw.chance(0.3) ? [draw.of(CATEGORIES)] : [],
      impressionsPerMinute: screens * slots * draw.number(0.5, 6),
      venue: handle('venue', number + 1),
      screens,
      sensor: draw.chance(0.2),
      playsPerMinute: screens * slots,
      slotsPerHour: slots * 60,
    };
  });
}

function openingHours(draw: Draw): OpeningHours {
  const startMinute = 15 * draw.whole(20, 48);
  const endMinute = (startMinute + 15 * draw.whole(16, 56)) % 1440;
  return Array.from({ length: 7 }, (_, day) => (day === 6 && draw.chance(0.5) ? [] : [{ startMinute, endMinute }]));
}

export function campaignsOf(draw: Draw, count: number): SeededCampaign[] {
  return Array.from({ length: count }, (_, number) => {
    const targets = targetsOf(draw);
    const startsOn = TODAY - draw.whole(0, 9);
    const endsOn = TODAY + draw.whole(0, 12);
    const budgetMicros = Math.round(draw.number(2, 400)) * 1_000_000;
    const spentMicros = Math.round(budgetMicros * draw.number(0, 0.9) * ((TODAY - startsOn) / (endsOn - startsOn + 1)));
    const isLate = draw.chance(0.3);
    return {
      handle: handle('campaign', number + 1),
      sandbox: draw.chance(0.1),
      category: draw.of(CATEGORIES),
      targets,
      flight: {
        startsOn,
        endsOn,
        ...(targets.daypart && { daypart: targets.daypart }),
        ...(targets.days !== undefined && { days: targets.days }),
      },
      orientations: draw.chance(0.6) ? ['landscape', 'portrait'] : [draw.of(['landscape', 'portrait'])],
      sinceMs: isLate ? (TODAY - 1) * DAY_MS + 5_000_000 : startsOn * DAY_MS,
      baseMicros: isLate ? Math.round(spentMicros * 0.8) : 0,
      budgetMicros,
      spentMicros,
      frequencyPerHourMax: draw.of(CAPS),
      ...(draw.chance(0.3) && { price: draw.number(0.7, 1) }),
      ...(draw.chance(0.4) && { foreseenMicros: Math.round(budgetMicros * draw.number(0.3, 1.1)) }),
    };
  });
}

export function targetsOf(draw: Draw): Targets {
  const { name, lat, lng } = draw.of(CITIES);
  return parseTargets({
    ...(draw.chance(0.3) && { cities: [name] }),
    ...(draw.chance(0.3) && { venue_types: [draw.of([...VENUE_TYPES, 'retail', 'entertainment'])] }),
    ...(draw.chance(0.2) && { areas: [{ lat, lng, radiusKm: draw.number(3, 12) }] }),
    ...(draw.chance(0.3) && { daypart: draw.of(DAYPARTS) }),
    ...(draw.chance(0.2) && { days: ['mon', 'wed', 'thu', 'sat'] }),
  }) as Targets;
}

/** A campaign of a day that is over, with some hours before it was booked. */
export function onDay(draw: Draw, campaign: SeededCampaign): CampaignOfDay {
  const unbooked = draw.chance(0.4) ? (1 << draw.whole(1, 20)) - 1 : 0;
  return {
    ...campaign,
    deliveredMicros: draw.chance(0.3) ? 0 : Math.round(campaign.budgetMicros * draw.number(0, 0.03)),
    live: 0xff_ffff & ~unbooked & ~(draw.chance(0.2) ? 0b1111 << draw.whole(0, 20) : 0),
    unbooked,
  };
}

/** Slots of the classes of these places over `days` days until today: a network that grows, with outages. */
export function historyOf(draw: Draw, places: readonly SeededPlace[], days: number): SupplyHistory {
  const byName = new Map(
    places.map(({ cityFolded, venueType, orientation }) => [
      `${cityFolded} ${venueType} ${orientation}`,
      { cityFolded, venueType, orientation },
    ]),
  );
  const classes = [...byName.values()];
  const promised = new Float64Array(classes.length * days * 24);
  const seen = new Float64Array(promised.length);
  classes.forEach((_, number) => {
    const [size, level, growth] = [draw.number(50, 500), draw.number(0.5, 1.1), draw.number(-0.004, 0.01)];
    for (let day = 0; day < days; day++) {
      const isOut = draw.chance(0.05);
      for (let hour = 0; hour < 24; hour++) {
        const at = (number * days + day) * 24 + hour;
        promised[at] = hour < 6 ? 0 : Math.round(size * (1 + growth * day));
        seen[at] = isOut ? 0 : Math.round(promised[at]! * level * draw.number(0.8, 1.1) * (hour > 20 ? 0.7 : 1));
      }
    }
  });
  return { classes, firstDay: TODAY - days, days, promised, seen };
}

export function audienceRows(draw: Draw, places: readonly SeededPlace[]): AudienceRow[] {
  return places.slice(0, 12).flatMap(({ venue, venueType, sensor }) =>
    [8, 12, 18, 22].map(hour => {
      const estimated = draw.whole(100, 9_000);
      return { venue, venueType, sensor, hour, estimated, impressions: Math.round(estimated * draw.number(0.4, 1.6)) };
    }),
  );
}

export function scanRows(draw: Draw): ScanRow[] {
  return VENUE_TYPES.flatMap(venueType =>
    CATEGORIES.slice(0, draw.whole(1, 4)).map(category => ({
      venueType,
      category,
      scans: draw.whole(0, 90),
      impressions: draw.whole(1_000, 200_000),
    })),
  );
}
