import { SLOT_DEFAULT_MS } from '#domain/creative.ts';
import { estimateSupply, type SupplyForecast, type SupplyScreen } from '#domain/forecast.ts';
import { isRefusal } from '#domain/refusal.ts';
import { openMinutesPerDay, parseOpeningHours, type OpeningHours } from '#domain/schedule.ts';
import type { Orientation } from '#domain/screen.ts';
import { foldCity, matchesPlace, type Targets } from '#domain/targeting.ts';
import { impressionsEstThousandths, venueRateMicros } from '#domain/venue.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { CampaignWarning } from './schema.ts';

/** The screens of the whole network, of one book, in groups of a venue's equal ones: what a forecast is made from. */
type SupplyRow = {
  venue: number; type: string; city: string; lat: number; lng: number; opening_hours: unknown; daily_visitors: number; dwell_minutes: number;
  orientation: Orientation; ad_ratio: number; screens: number;
};

export type Plan = { targets: Targets; startsOn: number; endsOn: number; budgetMicros: number };
export type Estimate = { forecast: SupplyForecast; rateMicros: number; warnings: CampaignWarning[] };

/** The plain estimate of a plan over the screens of today, its mean rate, and what in the plan matches nothing. */
export async function estimatePlan(sql: Queryable, { sandbox, plan }: { sandbox: boolean; plan: Plan }): Promise<Estimate> {
  const rows = await sql<SupplyRow[]>`
    select v.handle as venue, v.type, v.city, v.lat, v.lng, v.opening_hours, v.daily_visitors, v.dwell_minutes, s.orientation, s.ad_ratio, count(*)::int as screens
    from screens s join venues v on v.handle = s.venue_handle
    where s.sandbox = ${sandbox} and s.unpaired_at is null and v.deleted_at is null
    group by v.handle, s.orientation, s.ad_ratio`;
  const { targets, startsOn, endsOn, budgetMicros } = plan;
  const openMinutes = createOpenMinutes(targets);
  const screens = rows.filter(row => matchesPlace(targets, placeOf(row))).flatMap(row => Array.from({ length: row.screens }, () => supplyOf(row, openMinutes)));
  const forecast = estimateSupply({ screens, startsOn, endsOn, budgetMicros });
  const rateMicros = forecast.rateMicros > 0 ? forecast.rateMicros : targetedRate(targets);
  return { forecast, rateMicros, warnings: warningsOf(rows, targets, forecast) };
}

function placeOf(row: SupplyRow) {
  return { cityFolded: foldCity(row.city), venueType: row.type, lat: row.lat, lng: row.lng, orientation: row.orientation };
}

type OpenMinutes = (hours: unknown) => { always: number; targeted: number };

/** Open minutes by opening hours: many venues share theirs, and a week has ten thousand minutes to walk. */
function createOpenMinutes(targets: Targets): OpenMinutes {
  const known = new Map<string, { always: number; targeted: number }>();
  const within = { ...(targets.daypart && { daypart: targets.daypart }), ...(targets.days !== undefined && { days: targets.days }) };
  return json => {
    const key = JSON.stringify(json);
    const before = known.get(key);
    if (before) return before;
    const parsed = parseOpeningHours(json);
    const hours: OpeningHours | undefined = isRefusal(parsed) ? undefined : parsed;
    const minutes = { always: openMinutesPerDay(hours), targeted: openMinutesPerDay(hours, within) };
    known.set(key, minutes);
    return minutes;
  };
}

function supplyOf(row: SupplyRow, openMinutes: OpenMinutes): SupplyScreen {
  const { always, targeted } = openMinutes(row.opening_hours);
  return {
    rateMicros: venueRateMicros(row.type),
    impressionsPerSlotThousandths: impressionsEstThousandths({ dailyVisitors: row.daily_visitors, dwellMinutes: row.dwell_minutes, openMinutesPerDay: always, durationMs: SLOT_DEFAULT_MS }),
    openMinutesPerDay: targeted,
    adRatio: row.ad_ratio,
  };
}

/** Where no screen matches yet, the campaign's rate is the mean of the venue types that it asks for. */
function targetedRate({ venueTypes }: Targets): number {
  const rates = venueTypes.length === 0 ? [venueRateMicros('')] : venueTypes.map(venueRateMicros);
  return Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length);
}

function warningsOf(rows: readonly SupplyRow[], targets: Targets, forecast: SupplyForecast): CampaignWarning[] {
  const cities = new Set(rows.map(row => foldCity(row.city)));
  const warnings: CampaignWarning[] = targets.cities.flatMap((city, index) => (cities.has(foldCity(city)) ? []
    : [{ pointer: `/targets/cities/${index}`, code: 'no_venue_in_city', detail: `No screen stands in ${city}.` }]));
  if (forecast.screensEligible === 0) warnings.push({ pointer: '/targets', code: 'no_matching_screen', detail: 'No screen matches the targets now.' });
  return warnings;
}
