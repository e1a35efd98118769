/**
 * How far ahead of its curve each campaign may run. An empty slot is lost forever, and being ahead is not. So if slots
 * would be idle, campaigns play early as far as that may save an impression later, in the order of what their being
 * early costs.
 *
 * - **What a slot is worth to a campaign** is the bid price of its demand: the share of futures in which it will not
 *   get all it asks for, so that one impression now is one more in the end. Futures differ in how much of the supply is
 *   lost to outages, wrong forecasts and campaigns that are not booked yet (`flow/attainable.ts`). Averaging the prices
 *   of a few such futures is the randomised linear programme of Talluri and van Ryzin (Transportation Science 33,
 *   1999). A campaign that has room elsewhere in all futures has the price 0, whatever segment the slot is of; and as
 *   time passes unsold there is less and less supply left to lose, so the price falls to 0.
 * - **What the network has to spare**: expected supply less what is booked and what it usually sells beside, where days
 *   that sold less are made up for (`flow/late-bookings.ts`). Whatever the futures say, all may run ahead where that is
 *   little, and less the more there is. The futures open and close leads at once, for whole hours; this share moves
 *   slowly, and each slot that is left idle lessens it.
 * - **What being early costs**: evenness is measured over the flight and by budget, so an hour ahead costs a dear
 *   campaign with a short flight more than a cheap one with a long flight.
 *
 * A lead grows with the price, or with what is not to spare, and falls with the cost. Who is furthest below its own
 * lead goes first.
 */
import { meanByGoal } from './demand.ts';

/**
 * The most that any campaign may be ahead, as a share of what was left of its goal. Above 1 it is no limit of amounts:
 * it leaves room for the order of the cheapest.
 */
export const AHEAD_MAX = 3;
/**
 * The same of a campaign that will get all it asks for: enough for a new one to be shown at once and to refuse few
 * slots, and no more than a hundredth of the goal.
 */
export const LEAD_CALM = 0.01;
/**
 * The lead of a campaign of mean cost that is at risk in all futures. Found on tuning seeds (bench/notes/pacing.md).
 */
const LEAD_AT_RISK = 0.6;
/**
 * Where less of the supply is to spare than this, campaigns may run ahead, and by so much for each part that is
 * missing. Found on tuning seeds, too.
 */
const SPARE_WANTED = 0.12;
const LEAD_PER_SPARE = 5;
/**
 * With nothing to spare, no slot may be idle: leads grow so steeply with what is missing that they soon limit no
 * campaign, not even the expensive ones.
 */
const LEAD_PER_MISSING = 60;
/** How much more or less than the mean an hour ahead may cost: beyond that plans would follow the cheapest alone. */
const COST_MIN = 0.1;
export const COST_MAX = 5;

/** By campaign, `worth` is the bid price, 0..1. `spare`: as a share of all supply to come, 1 or less. */
type LeadInput = { worth: Float64Array; cost: Float64Array; spare: number };

/** By campaign, as a share of what was left of its goal. */
export function leadsOf({ worth, cost, spare }: LeadInput): Float64Array {
  const least = LEAD_PER_SPARE * (SPARE_WANTED - spare) + LEAD_PER_MISSING * Math.max(0, -spare);
  return worth.map((price, campaign) =>
    Math.min(AHEAD_MAX, Math.max(LEAD_CALM, Math.max(LEAD_AT_RISK * price, least) / cost[campaign]!)),
  );
}

/**
 * A plan in time says itself who is early. What it gives a campaign may come in other slots than it was meant for, so
 * some are left. One to which an impression now is worth this much of a lost one may take them, up to so much beyond
 * its target. Found on tuning seeds, too.
 */
export const WORTH_MIN = 0.02;
const LEAD_BEYOND_TARGET = 0.02;

/**
 * Leads of a plan in time. Whose impressions save nothing now may be ahead of its curve by the calm lead alone.
 * @param worth by campaign, what an impression now saves, beside a lost one
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

/**
 * How much an impression that is early or late costs by campaign: its price over the length of its flight, 1 on
 * average.
 */
export function costsOfUnevenness({ goal, price, days }: Flights): Float64Array {
  const raw = price.map((one, campaign) => one / (days?.[campaign] ?? 1));
  const mean = meanByGoal(raw, goal);
  return raw.map(one => Math.min(COST_MAX, Math.max(COST_MIN, one / mean)));
}

/**
 * What is added to a campaign's lead before it is compared with others' and with `AHEAD_MAX`: so each meets the limit
 * where its own lead ends. `part` is the share of the network that counts it, 0..1.
 */
export function heldBack(lead: number, part: number): number {
  return (AHEAD_MAX - lead) * part;
}
