/**
 * Plausible figures for a venue of each type: visitors a day, minutes of dwell, and people who can see one screen at
 * the same moment. A row is [type, visitors, dwell, people, visitors of a small one, its dwell]; the longest name that
 * is the type or an ancestor of it applies. The first three are limits: venues above them need the operator. The last
 * two replace unconfirmed figures.
 *
 * The source of the numbers. No public table has them by type of venue, so they are derived:
 * - People: the floor area from which a screen is visible over the floor area of a person. A screen of 55 to 75 inches
 *   is watched from up to some 10 m, which is a half circle of 157 m2; in halls from 15 m, 353 m2. Floor per person as
 *   building codes have it (International Building Code, table 1004.5, in square feet): tables and chairs 15 (1.4 m2),
 *   standing 5 (0.46), waiting 15 (1.4), gaming 11 (1.0), exercise 50 (4.6), shops 60 (5.6), malls 30 (2.8), concourses
 *   100 (9.3), classrooms 20 (1.9). So a bar has 157 / 1.4 = 110. For formats with passing traffic: published
 *   multipliers (billboards 5 to 60, shelters 2 to 15, spectaculars 100 to 1,000), at their upper end.
 * - Dwell: three to four times what is published for the type (bars 40 to 90 minutes, fast food 25, gyms 45 to 60,
 *   groceries 40, convenience 3, lifts under 1, shelters 5 to 15, billboards under 1; Onspot, Trillboards, Fliphound),
 *   because the mean of a venue is never that of its longest-staying guests.
 * - Visitors: the daily turnover of a large venue of its kind: a bar of 200 places filled seven times, a gym of ten
 *   thousand members of whom a quarter comes, a station or a mall of a city. None is below 1,000, where the commission
 *   stops rising, except in vehicles and small rooms.
 */
export type VenueLimitsRow = readonly [
  type: string,
  visitorsMax: number,
  dwellMinutesMax: number,
  audienceMax: number,
  visitorsSmall: number,
  dwellMinutesSmall: number,
];

export const VENUE_LIMITS_ROWS: readonly VenueLimitsRow[] = [
  ['transit', 50_000, 60, 250, 1_000, 5],
  ['transit.airports', 100_000, 240, 250, 2_000, 30],
  ['transit.airports.bar', 3_000, 180, 110, 150, 40],
  ['transit.buses', 3_000, 90, 60, 300, 15],
  ['transit.buses.terminal', 30_000, 60, 250, 500, 10],
  ['transit.taxi_rideshare_tv', 80, 60, 4, 20, 15],
  ['transit.taxi_rideshare_top', 50_000, 5, 30, 2_000, 0.2],
  ['transit.highway_rest_area', 10_000, 90, 60, 500, 15],

  ['retail', 3_000, 120, 30, 150, 15],
  ['retail.gas_stations', 3_000, 30, 15, 300, 4],
  ['retail.convenience_stores', 3_000, 60, 30, 300, 3],
  ['retail.grocery', 10_000, 120, 65, 600, 30],
  ['retail.malls', 60_000, 240, 125, 1_000, 40],
  ['retail.mass_merchandising', 10_000, 120, 65, 600, 30],
  ['retail.home_renovation', 10_000, 120, 65, 600, 30],
  ['retail.parking_garages', 5_000, 30, 10, 200, 3],
  ['retail.laundromat', 1_000, 120, 30, 60, 40],

  ['outdoor', 150_000, 10, 60, 2_000, 0.2],
  ['outdoor.urban_panels', 50_000, 15, 30, 1_000, 0.5],
  ['outdoor.bus_shelters', 20_000, 30, 15, 300, 5],
  ['outdoor.window_panels', 30_000, 15, 30, 500, 0.5],
  ['outdoor.spectacular', 400_000, 60, 1_000, 5_000, 1],
  ['outdoor.billboards.spectacular', 400_000, 60, 1_000, 5_000, 1],
  ['outdoor.ev_charging_stations', 1_000, 90, 10, 30, 25],

  ['health_and_beauty', 1_000, 180, 30, 40, 40],
  ['health_and_beauty.gyms', 2_500, 180, 75, 150, 50],

  ['point_of_care', 1_500, 180, 60, 60, 20],
  ['point_of_care.hospitals', 10_000, 480, 110, 500, 40],

  ['education', 5_000, 600, 110, 300, 60],
  ['education.schools', 3_000, 600, 110, 300, 60],
  ['education.colleges', 30_000, 600, 110, 500, 60],

  ['office_buildings', 10_000, 600, 60, 200, 3],
  ['office_buildings.office_buildings.elevator', 10_000, 10, 20, 200, 0.5],

  ['entertainment', 5_000, 300, 110, 200, 60],
  ['entertainment.recreational', 50_000, 600, 250, 500, 90],
  ['entertainment.recreational.concert_venue', 20_000, 300, 330, 300, 120],
  ['entertainment.sports', 80_000, 300, 330, 500, 120],
  ['entertainment.movie_theaters', 5_000, 240, 330, 200, 20],
  ['entertainment.bars', 1_500, 240, 110, 120, 45],
  ['entertainment.casual_dining', 1_500, 180, 110, 120, 45],
  ['entertainment.high_end_dining', 1_000, 240, 110, 60, 90],
  ['entertainment.qsr', 4_000, 90, 110, 300, 15],
  ['entertainment.night_clubs', 3_000, 360, 330, 200, 120],
  ['entertainment.hotels', 5_000, 600, 110, 100, 15],
  ['entertainment.hotels.elevator', 5_000, 10, 20, 100, 0.5],
  ['entertainment.hotels.room', 1_000, 720, 10, 2, 120],
  ['entertainment.golf_carts', 1_000, 300, 4, 10, 240],
  ['entertainment.casinos', 20_000, 600, 150, 500, 120],
  ['entertainment.convention_centers', 60_000, 600, 330, 500, 120],

  ['government', 3_000, 240, 110, 150, 20],
  ['financial', 2_000, 90, 60, 100, 8],
  ['residential', 3_000, 60, 30, 100, 2],
  ['residential.apartments.elevator', 3_000, 10, 20, 100, 0.5],
  ['residential.apartments.gym', 1_000, 180, 35, 30, 45],
];
