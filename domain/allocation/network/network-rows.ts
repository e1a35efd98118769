/** Rows of the database as the places and campaigns of a network. Plan and forecast are made from them. */
import type { Handle } from '../../id.ts';
import { alwaysRestricted, type Restriction, timedRestrictions, UNRESTRICTED } from '../../law/restriction.ts';
import { isRefusal } from '../../refusal.ts';
import { openMinutesPerDay, type OpeningHours, parseOpeningHours } from '../../screens/schedule.ts';
import type { Orientation } from '../../screens/screen.ts';
import { foldCity } from '../../geography.ts';
import { parseTargets } from '../../campaigns/targeting.ts';
import { parseCategory } from '../../campaigns/taxonomy.ts';
import { audienceFiguresOf, type AudienceColumns, impressionsThousandths, meanAudience } from '../../screens/venue.ts';
import { type AudienceRow, hourlyImpressions, openHoursOf, shapeOf } from './hourly-audience.ts';
import type { BookedCampaign } from './network-plan.ts';
import type { NetworkCampaign, NetworkPlace } from './network.ts';
import type { Micros } from '../../unit.ts';

/** A place with the properties by which the supply model groups venues. */
export type PlannedPlace = NetworkPlace & { venue: Handle<'venue'>; sensor: boolean };

/**
 * Rows of places and campaigns as the database gives them. A row that cannot be parsed is left out, as delivery does.
 */
export type PlaceRow = AudienceColumns &
  AudienceRow & {
    city: string;
    lat: number | null;
    lng: number | null;
    timezone: string;
    opening_hours: unknown;
    blocked_categories: readonly string[];
    /** Null or absent: no restrictions. */
    restrictions?: unknown;
    orientation: Orientation;
    sandbox: boolean;
  };
export type CampaignRow = {
  handle: Handle<'campaign'>;
  sandbox: boolean;
  category: string;
  targets: unknown;
  starts_on: number;
  ends_on: number;
  paced_from: Date;
  budget_micros: Micros;
  charged_micros: Micros;
  paced_base_micros: Micros;
  rate_micros: Micros;
  orientations: readonly Orientation[];
  /** Plays an hour on one screen; null: no cap. */
  frequency_per_hour_max: number | null;
  /** See `BookedCampaign`; absent: 1. */
  price?: number;
  /** See `BookedCampaign`; null or absent: unknown. */
  foreseen_micros?: Micros | null;
};

const SLOT_MS = 15_000;
const SLOTS_PER_MINUTE = 4;

export function placesOf(rows: readonly PlaceRow[]): NetworkPlace[] {
  const hoursOf = createOpeningHours();
  return rows.map(row => {
    // In the form of `venue_restrictions`.
    const restrictions = (row.restrictions ?? UNRESTRICTED) as readonly Restriction[];
    const { hours, openMinutes } = hoursOf(row.opening_hours);
    const own = impressionsThousandths(meanAudience(audienceFiguresOf(row), openMinutes), SLOT_MS) / 1000;
    const perHour = hourlyImpressions(row, own);
    const measured = perHour && shapeOf(perHour, openHoursOf(hours));
    return {
      sandbox: row.sandbox,
      cityFolded: foldCity(row.city),
      venueType: row.type,
      lat: row.lat,
      lng: row.lng,
      timezone: row.timezone,
      hours,
      orientation: row.orientation,
      blockedCategories: [
        ...new Set([...row.blocked_categories.map(slugOf), ...alwaysRestricted(restrictions)]),
      ].sort(),
      timed: timedRestrictions(restrictions),
      impressionsPerMinute: (measured?.mean ?? own) * SLOTS_PER_MINUTE * row.ad_share,
      ...(measured && { audienceShape: measured.shape }),
    };
  });
}

/** `rateMicros` is per impression, the mean over the venues that a campaign is eligible for. */
export function campaignsOf(
  rows: readonly CampaignRow[],
): (NetworkCampaign & BookedCampaign & { rateMicros: Micros; frequencyPerHourMax: number })[] {
  return rows.flatMap(row => {
    const targets = parseTargets(row.targets);
    if (isRefusal(targets)) return [];
    const { daypart, days } = targets;
    return [
      {
        handle: row.handle,
        sandbox: row.sandbox,
        category: slugOf(row.category),
        targets,
        orientations: row.orientations,
        flight: {
          startsOn: row.starts_on,
          endsOn: row.ends_on,
          ...(daypart && { daypart }),
          ...(days !== undefined && { days }),
        },
        sinceMs: row.paced_from.getTime(),
        baseMicros: row.paced_base_micros,
        budgetMicros: row.budget_micros,
        spentMicros: row.charged_micros,
        rateMicros: row.rate_micros,
        frequencyPerHourMax: row.frequency_per_hour_max ?? 0,
        ...(row.price !== undefined && { price: row.price }),
        ...(typeof row.foreseen_micros === 'number' && { foreseenMicros: row.foreseen_micros }),
      },
    ];
  });
}

/** `hours` is undefined if a place is always open. */
export type KnownHours = { hours: OpeningHours | undefined; openMinutes: number };

/** Opening hours and the open minutes of an average day, cached by text: many venues share theirs. */
export function createOpeningHours(): (json: unknown) => KnownHours {
  const known = new Map<string, KnownHours>();
  return json => {
    const key = JSON.stringify(json ?? null);
    const before = known.get(key);
    if (before !== undefined) return before;
    const parsed = parseOpeningHours(json);
    const hours = isRefusal(parsed) ? undefined : parsed;
    const made = { hours, openMinutes: Math.max(1, openMinutesPerDay(hours)) };
    known.set(key, made);
    return made;
  };
}

function slugOf(category: string): string {
  return parseCategory(category)?.slug ?? category;
}
