/**
 * OpenOOH venue taxonomy 1.2.1 (2 February 2026). The enumeration ids are immutable and are the key; the taxonomy's own
 * string values are deprecated and repeat themselves, so the names here are ours: one segment per level, readable, unique.
 * A row is [id, segment, other spellings of the segment]. The id of a parent has 1 or 2 digits, a child adds two digits, a
 * grandchild two more. Singular and plural of a segment are both accepted without being listed.
 */
export const OPENOOH_VERSION = '1.2.1';

export type OpenOohRow = readonly [id: number, segment: string, ...otherSegments: string[]];

const SHOP = ['entrance', 'check_out', 'aisles', 'exterior'] as const;
const shop = (child: number): OpenOohRow[] => SHOP.map((segment, index) => [child * 100 + index + 1, segment]);

export const OPENOOH_ROWS: readonly OpenOohRow[] = [
  [1, 'transit'],
  [101, 'airports'], [10101, 'arrivals_hall'], [10102, 'baggage_claim'], [10103, 'departures_hall'], [10104, 'food_court'],
  [10105, 'gates'], [10106, 'lounges'], [10107, 'shopping_area'], [10108, 'bar'],
  [102, 'buses', 'bus'], [10201, 'interior', 'bus_interior'], [10202, 'terminal'], [10203, 'exterior', 'bus_exterior', 'bus_outside'],
  [103, 'taxi_rideshare_tv'],
  [104, 'taxi_rideshare_top'],
  [105, 'subway'], [10501, 'interior', 'train'], [10502, 'platform'], [10503, 'station'], [10504, 'exterior'],
  [106, 'train', 'train_stations'], [10601, 'interior', 'train_interior'], [10602, 'platform'], [10603, 'exterior', 'train_exterior'], [10604, 'station'],
  [107, 'ferry', 'ferries'], [10701, 'interior'], [10702, 'exterior'], [10703, 'terminal'],
  [108, 'tram'], [10801, 'interior'], [10802, 'exterior'], [10803, 'station', 'terminal'],
  [109, 'highway_rest_area'], [10901, 'exterior'], [10902, 'concourse'], [10903, 'food_court'], [10904, 'restroom'],

  [2, 'retail'],
  [201, 'gas_stations', 'fueling_stations'], [20101, 'fuel_dispenser', 'pump', 'dispenser'], [20102, 'shop'],
  [202, 'convenience_stores'], ...shop(202),
  [203, 'grocery', 'groceries'], ...shop(203),
  [204, 'liquor_stores'], ...shop(204),
  [205, 'malls'], [20501, 'concourse'], [20502, 'food_court'], [20503, 'spectacular'],
  [206, 'dispensaries', 'dispensary'],
  [207, 'pharmacies', 'pharmacy'], ...shop(207),
  [208, 'parking_garages'],
  [209, 'furniture'],
  [210, 'apparel'], ...shop(210),
  [211, 'automotive'],
  [212, 'laundromat'],
  [213, 'vape_shops'], ...shop(213),
  [214, 'mass_merchandising'], ...shop(214),
  [215, 'consumer_electronics'], ...shop(215),
  [216, 'other'],
  [217, 'sporting_goods'], ...shop(217),
  [218, 'pet_stores'], ...shop(218),
  [219, 'office_supply', 'office_supplies'], ...shop(219),
  [220, 'home_renovation'], ...shop(220),

  [3, 'outdoor'],
  [301, 'billboards'], [30101, 'roadside'], [30102, 'highway'], [30103, 'spectacular'],
  [302, 'urban_panels'],
  [303, 'bus_shelters'],
  [304, 'spectacular'],
  [305, 'window_panels'],
  [306, 'moving_billboards'],
  [307, 'car_top'],
  [308, 'aerial'], [30801, 'banner'], [30802, 'drone'],
  [309, 'ev_charging_stations'],

  [4, 'health_and_beauty', 'health_beauty'],
  [401, 'gyms'], [40101, 'lobby'], [40102, 'equipment', 'fitness_equipment'],
  [402, 'salons'], [40201, 'unisex'], [40202, 'mens'], [40203, 'womens'], [40204, 'nail'], [40205, 'tanning'],
  [403, 'spas'],
  [404, 'tattoo'],

  [5, 'point_of_care', 'point_care'],
  [501, 'doctor_offices', 'doctors_offices'],
  [502, 'veterinary_offices'],
  [503, 'dentist_offices'],
  [504, 'hospitals'],
  [505, 'urgent_care'],
  [506, 'physiotherapy'],

  [6, 'education'],
  [601, 'schools'],
  [602, 'colleges', 'colleges_and_universities'], [60201, 'residence'], [60202, 'common', 'common_area'], [60203, 'athletic_facility'], [60204, 'dining'],

  [7, 'office_buildings'],
  [701, 'office_buildings'], [70101, 'elevator'], [70102, 'lobby'], [70103, 'gym'], [70104, 'break_room'],
  [702, 'warehouse'],

  [8, 'entertainment', 'leisure'],
  [801, 'recreational'], [80101, 'theme_park'], [80102, 'museums_gallery', 'museums_and_gallery'], [80103, 'concert_venue'], [80104, 'bowling'], [80105, 'restroom'],
  [802, 'movie_theaters'], [80201, 'lobby'], [80202, 'food_court'], [80203, 'on_screen'], [80204, 'restroom'],
  [803, 'sports'], [80301, 'arena'], [80302, 'club_house'], [80303, 'restroom'],
  [804, 'bars'], [80401, 'restroom'],
  [805, 'casual_dining'], [80501, 'restroom'],
  [806, 'qsr'], [80601, 'restroom'],
  [807, 'hotels'], [80701, 'lobby'], [80702, 'elevator'], [80703, 'room'], [80704, 'bar'], [80705, 'gym'], [80706, 'restroom'],
  [808, 'golf_carts'],
  [809, 'night_clubs'], [80901, 'restroom'],
  [810, 'high_end_dining'],
  [811, 'casinos'], [81101, 'restroom'],
  [812, 'convention_centers'], [81201, 'restroom'],

  [9, 'government'],
  [901, 'dmv'],
  [902, 'military_bases'],
  [903, 'postal', 'post_offices'],
  [904, 'first_responder_facility', 'first_responder_facilities'],

  [10, 'financial'],
  [1001, 'banks'],

  [11, 'residential'],
  [1101, 'apartments', 'apartment_buildings'], [110101, 'lobby'], [110102, 'elevator'], [110103, 'gym'],
];
