/** What is known of past supply: slots of classes of places, hour by hour. */
import type { Orientation } from '../../screens/screen.ts';

/** Places that are alike: of one city, type and orientation. */
export type SupplyClass = { cityFolded: string; venueType: string; orientation: Orientation };

/**
 * Slots by class and local hour of the history: `place = class * days * 24 + hour`, hour 0 being the first of
 * `firstDay`.
 */
export type SupplyHistory = {
  classes: readonly SupplyClass[];
  /** Days since 1970-01-01. */
  firstDay: number;
  days: number;
  /** What opening hours and ad ratios promised, and what was really available. Any unit, the same in both. */
  promised: Float64Array;
  seen: Float64Array;
};
