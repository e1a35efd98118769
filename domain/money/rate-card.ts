/**
 * The rate card: what an impression costs by type of venue and daypart, gross, in the campaign's currency at par. An
 * agency's discount (domain/discount) is a separate posting with each settled charge and never part of a rate. Every
 * play is charged what this table says for its venue, and every quote is a mean of it, so the two cannot differ.
 */
import { assert } from '../assertion.ts';
import { type DaypartName, namedDayparts } from '../time/daypart.ts';
import type { Micros } from '../unit.ts';

type Row = Record<DaypartName, number>;

/**
 * Micro-units per impression = 1,000 x CPM. The sources below know no times of day, so a row has one price for all of
 * it.
 */
const allDay = (micros: Micros): Row => ({
  morning: micros,
  midday: micros,
  afternoon: micros,
  evening: micros,
  night: micros,
});

// Sources: Place Exchange, H1 2024, programmatic averages by venue (education 8.50, transit 6.83, point of care and
// health & beauty 6.28; all venues 7.16); where it names none, the floors that Trillboards published for 2026 (medical
// 8.40, fitness 6.90, lobby 6.20, hotel 5.80, food & beverage 5.10, entertainment 4.80, specialty retail 4.30). The
// longest name that is the type or an ancestor of it holds.
const RATES: Record<string, Row> = {
  transit: allDay(6830),
  retail: allDay(4300),
  health_and_beauty: allDay(6280),
  'health_and_beauty.gyms': allDay(6900),
  point_of_care: allDay(6280),
  'point_of_care.doctor_offices': allDay(8400),
  education: allDay(8500),
  office_buildings: allDay(6200),
  entertainment: allDay(4800),
  'entertainment.bars': allDay(5100),
  'entertainment.casual_dining': allDay(5100),
  'entertainment.qsr': allDay(5100),
  'entertainment.hotels': allDay(5800),
};
const RATE_DEFAULT = allDay(7160);

/** The price of a type of venue at a time of day. The name is canonical; an unknown one gets the default. */
export function rateMicros(type: string, daypart: DaypartName): Micros {
  for (let name = type; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const row = RATES[name];
    if (row !== undefined) return row[daypart];
  }
  return RATE_DEFAULT[daypart];
}

/** The rate of a type of venue at any time of day, in micro-units per impression. */
export function venueRateMicros(type: string): Micros {
  return rateMicros(type, 'morning');
}

// Decisions take the venue's one rate and sign it into the play, and forecasts weigh venues by it: a row with prices
// that differ has to wait until both ask for the daypart of the slot, or quotes and charges would part.
for (const row of [...Object.values(RATES), RATE_DEFAULT]) {
  assert(
    (Object.keys(namedDayparts) as DaypartName[]).every(daypart => row[daypart] === row.morning),
    'a row of the rate card has prices that plays are not charged',
  );
}
