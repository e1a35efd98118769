/** The options of a seeded world of the pacing benchmark, and their defaults. */
export type WorldOptions = {
  seed: number;
  screens: number;
  campaigns: number;
  days: number;
  /** Demand over expected supply. */
  load: number;
  /** Log-normal sigma of a city's day, of the forecast by city and kind. */
  noise: number;
  forecastError: number;
  /** 1 is a forecast twice too high. */
  bias: number;
  /** Chance of an outage per screen and day. */
  outage: number;
  lateShare: number;
  /** No two ads of one category in a row on a screen. */
  separation: boolean;
  /** Plays of one campaign per screen and hour; 0 is without limit. */
  frequencyMax: number;
  /**
   * Venues have the rates of the card, and amounts are in micro-units instead of impressions: budgets are money, and a
   * play costs its venue's price.
   */
  rated: boolean;
};

export const WORLD: WorldOptions = {
  seed: 1,
  screens: 300,
  campaigns: 80,
  days: 5,
  load: 0.9,
  noise: 0.15,
  forecastError: 0.15,
  bias: 0,
  outage: 0.04,
  lateShare: 0.2,
  separation: false,
  frequencyMax: 0,
  rated: false,
};
