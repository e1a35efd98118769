/**
 * How far ahead of its curve each campaign may run. A slot that nobody gets is lost for ever, and being ahead is not.
 * So where slots would be idle, campaigns play early as far as that may save an impression later, in the order of what
 * their being early costs.
 *
 * - **What a slot is worth to a campaign** is the bid price of its demand: the share of futures in which it will not
 *   get all it asks for, so that one impression now is one more in the end. Futures differ in how much of the supply is
 *   lost to outages, wrong forecasts and campaigns that are not booked yet (`flow/attainable.ts`). Averaging the prices
 *   of a few such futures is the randomised linear programme of Talluri and van Ryzin (Transportation Science 33,
 *   1999). A campaign that has room elsewhere in all futures has the price 0, whatever segment the slot is of; and as
 *   time passes unsold there is less and less supply left to lose, so the price falls to 0.
 * - **What being early costs**: evenness is measured over the flight and by budget, so an hour ahead costs a dear
 *   campaign with a short flight more than a cheap one with a long flight.
 *
 * A lead grows with the price and falls with the cost. Who is furthest below its own lead goes first.
 */

/** The most that any campaign may be ahead, as a share of what was left of its goal. */
export const AHEAD_MAX = 1;
/**
 * The same of a campaign that will get all it asks for: enough for a new one to be shown at once and to refuse few
 * slots, and no more than a hundredth of the goal.
 */
export const LEAD_CALM = 0.01;
/**
 * The lead of a campaign of mean cost that is at risk in all futures. Found on tuning seeds (bench/notes/pacing.md).
 */
const LEAD_AT_RISK = 0.6;
/** How much more or less than the mean an hour ahead may cost: beyond that plans would follow the cheapest alone. */
const COST_MIN = 0.2;
export const COST_MAX = 5;

/** By campaign, as a share of what was left of its goal. @param worth the bid price, 0..1 */
export function leadsOf({ worth, cost }: { worth: Float64Array; cost: Float64Array }): Float64Array {
  return worth.map((price, campaign) =>
    Math.min(AHEAD_MAX, Math.max(LEAD_CALM, (LEAD_AT_RISK * price) / cost[campaign]!)),
  );
}

/** By campaign; see `PlanInput`. */
type Flights = { goal: Float64Array; price: Float64Array; days?: Float64Array };

/**
 * How much an impression that is early or late costs by campaign: its price over the length of its flight, 1 on
 * average.
 */
export function costsOfUnevenness({ goal, price, days }: Flights): Float64Array {
  const raw = price.map((one, campaign) => one / (days?.[campaign] ?? 1));
  let [sum, goals] = [0, 0];
  for (let campaign = 0; campaign < goal.length; campaign++) {
    sum += raw[campaign]! * goal[campaign]!;
    goals += goal[campaign]!;
  }
  const mean = sum > 0 ? sum / goals : 1;
  return raw.map(one => Math.min(COST_MAX, Math.max(COST_MIN, one / mean)));
}

/**
 * What is added to a campaign's lead before it is compared with others' and with `AHEAD_MAX`: so each meets the limit
 * where its own lead ends. `part` is the share of the network that counts it, 0..1.
 */
export function heldBack(lead: number, part: number): number {
  return (AHEAD_MAX - lead) * part;
}
