/** Past supply: slots by class of places and hour. */
import type { Orientation } from '../../screens/screen.ts';

/** Equal places: of one city, type and orientation. */
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
  /** The promise of opening hours and ad ratios, and the actual supply. Any unit, the same for both. */
  promised: Float64Array;
  seen: Float64Array;
};
