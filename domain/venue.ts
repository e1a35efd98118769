import { assert } from './assertion.ts';
import { SLOT_DEFAULT_MS } from './creative.ts';

/**
 * What a play at a venue costs and how many people it reaches, until the rate card and the supply model replace both.
 * Rates are quoted per thousand impressions of a 15 s slot, in the campaign's currency at par.
 */

// Micro-units per impression = 1,000 x CPM. Sources: Place Exchange, H1 2024, programmatic averages by venue (education
// 8.50, transit 6.83, point of care and health & beauty 6.28; all venues 7.16); where it names none, the floors that
// Trillboards published for 2026 (medical 8.40, fitness 6.90, lobby 6.20, hotel 5.80, food & beverage 5.10,
// entertainment 4.80, specialty retail 4.30). The longest name that is the type or an ancestor of it holds.
const RATES_MICROS: Record<string, number> = {
  transit: 6830,
  retail: 4300,
  health_and_beauty: 6280,
  'health_and_beauty.gyms': 6900,
  point_of_care: 6280,
  'point_of_care.doctor_offices': 8400,
  education: 8500,
  office_buildings: 6200,
  entertainment: 4800,
  'entertainment.bars': 5100,
  'entertainment.casual_dining': 5100,
  'entertainment.qsr': 5100,
  'entertainment.hotels': 5800,
};
const RATE_DEFAULT_MICROS = 7160;

/** The rate of a venue type in micro-units per impression. The name is canonical; an unknown one gets the default. */
export function venueRateMicros(type: string): number {
  for (let name = type; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const rate = RATES_MICROS[name];
    if (rate !== undefined) return rate;
  }
  return RATE_DEFAULT_MICROS;
}

// Two million people: more than the largest square holds, and twice it still fits the 32 bits of a play id.
const IMPRESSIONS_EST_MAX = 2_000_000_000;

/**
 * Estimated impressions of one play, in thousandths, 1 .. 2 x 10^9. Visitors x dwell / open minutes is the mean number of
 * people present while the venue is open (Little's law; the dwell form of Broadsign's audience formula), times the
 * slot's share: 1 for 15 s and more, since audiences are quoted for the 15 s slot.
 * @param options.dailyVisitors >= 0 · dwellMinutes > 0 · openMinutesPerDay 0 .. 1440 (below 1 counts as 1) · durationMs > 0
 */
export function impressionsEstThousandths(options: { dailyVisitors: number; dwellMinutes: number; openMinutesPerDay: number; durationMs: number }): number {
  const { dailyVisitors, dwellMinutes, openMinutesPerDay, durationMs } = options;
  assert(dailyVisitors >= 0 && dwellMinutes > 0 && openMinutesPerDay >= 0 && durationMs > 0, 'visitors, dwell, open minutes and duration are amounts');
  return impressionsOfPresence(dailyVisitors * dwellMinutes, openMinutesPerDay, durationMs);
}

/** The same of visitors x dwell. Positional and without checks: it runs for every decision. */
export function impressionsOfPresence(visitorMinutes: number, openMinutesPerDay: number, durationMs: number): number {
  const slotShare = Math.min(1, durationMs / SLOT_DEFAULT_MS);
  const people = (visitorMinutes * slotShare) / Math.max(1, openMinutesPerDay);
  return Math.min(IMPRESSIONS_EST_MAX, Math.max(1, Math.round(people * 1000)));
}
