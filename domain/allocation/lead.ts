/**
 * How far ahead of its curve each campaign may run. An empty slot is lost forever, and being ahead is not. So if slots
 * would be idle, campaigns play early if that may save an impression later, in the order of the cost of a lead.
 *
 * - **The value of a slot to a campaign** is the bid price of its demand: the share of futures in which it will not get
 *   all its demand, so that one impression now is one more in the end. Futures differ in how much supply is lost to
 *   outages, wrong forecasts and future bookings (`flow/attainable.ts`). Averaging the prices of a few such futures is
 *   the randomized linear program of Talluri and van Ryzin (Transportation Science 33, 1999). A campaign that has room
 *   elsewhere in all futures has the price 0, whatever the segment of the slot; and as time passes unsold, less and
 *   less supply can be lost, so the price falls to 0.
 * - **The spare supply of the network**: expected supply less bookings and usual further sales, corrected for days with
 *   low sales (`flow/late-bookings.ts`). Whatever the futures say, all may run ahead if it is small, and less if it is
 *   large. The futures open and close leads at once, for whole hours; this share moves slowly, and each idle slot
 *   reduces it.
 * - **The cost of being early**: evenness is measured over the flight and by budget, so an hour ahead costs an
 *   expensive campaign with a short flight more than a cheap one with a long flight.
 *
 * A lead grows with the price, or with the lack of spare supply, and falls with the cost. The campaign furthest below
 * its lead goes first.
 */
import { meanByGoal } from './demand.ts';

/**
 * The most that any campaign may be ahead, as a share of the rest of its goal. Above 1 it does not limit amounts: it
 * only leaves room to order the cheapest.
 */
export const AHEAD_MAX = 3;
/**
 * The same for a campaign that will get all its demand: enough for a new one to play at once and refuse few slots, and
 * at most a hundredth of the goal.
 */
export const LEAD_CALM = 0.01;
/**
 * The lead of a campaign of mean cost that is at risk in all futures. Found on tuning seeds (bench/notes.md).
 */
const LEAD_AT_RISK = 0.6;
/**
 * If less spare supply than this is left, campaigns may run ahead, by this much for each missing part. Also found on
 * tuning seeds.
 */
const SPARE_WANTED = 0.12;
const LEAD_PER_SPARE = 5;
/**
 * Without spare supply no slot may be idle: leads grow so steeply with the missing part that they soon limit no
 * campaign, not even an expensive one.
 */
const LEAD_PER_MISSING = 60;
/** The range of the cost of an hour ahead around the mean: beyond it plans would follow only the cheapest. */
const COST_MIN = 0.1;
export const COST_MAX = 5;

/** By campaign, `worth` is the bid price, 0..1. `spare`: as a share of future supply, 1 or less. */
type LeadInput = { worth: Float64Array; cost: Float64Array; spare: number };

/** By campaign, as a share of the rest of its goal. */
export function leadsOf({ worth, cost, spare }: LeadInput): Float64Array {
  const least = LEAD_PER_SPARE * (SPARE_WANTED - spare) + LEAD_PER_MISSING * Math.max(0, -spare);
  return worth.map((price, campaign) =>
    Math.min(AHEAD_MAX, Math.max(LEAD_CALM, Math.max(LEAD_AT_RISK * price, least) / cost[campaign]!)),
  );
}

/**
 * A plan over time already decides who is early. A campaign may get its amount in other slots than planned, so some are
 * left. A campaign for which an impression now saves this share of a lost one may take them, up to this much beyond its
 * target. Also found on tuning seeds.
 */
export const WORTH_MIN = 0.02;
const LEAD_BEYOND_TARGET = 0.02;

/**
 * Leads of a plan over time. A campaign whose impressions save nothing now may only be ahead of its curve by the calm
 * lead.
 * @param worth by campaign, the saving of an impression now, relative to a lost one
 * @param beyondCurve impressions by which each is ahead of its curve
 */
export function leadsInTime(
  worth: Float64Array,
  beyondCurve: Float64Array,
): { ahead: Float64Array; lead: Float64Array } {
  return {
    ahead: beyondCurve.map((impressions, campaign) => (worth[campaign]! > WORTH_MIN ? 0 : impressions)),
    lead: worth.map(one => (one > WORTH_MIN ? LEAD_BEYOND_TARGET : LEAD_CALM)),
  };
}

/** By campaign; see `PlanInput`. */
type Flights = { goal: Float64Array; price: Float64Array; days?: Float64Array };

/** The cost of an early or late impression by campaign: its price over the length of its flight, 1 on average. */
export function costsOfUnevenness({ goal, price, days }: Flights): Float64Array {
  const raw = price.map((one, campaign) => one / (days?.[campaign] ?? 1));
  const mean = meanByGoal(raw, goal);
  return raw.map(one => Math.min(COST_MAX, Math.max(COST_MIN, one / mean)));
}

/**
 * The offset of a campaign's lead for comparisons with others and with `AHEAD_MAX`, so that each meets the limit at the
 * end of its own lead. `part` is the share of the network that counts it, 0..1.
 */
export function heldBack(lead: number, part: number): number {
  return (AHEAD_MAX - lead) * part;
}
