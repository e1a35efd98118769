/** The rules that ours is measured against, each as its authors describe it. */
import { remainingSupply } from '../../../domain/allocation/flow/remaining-supply.ts';
import { eligibleSupply } from '../../../domain/allocation/demand.ts';
import { createRandom } from '../world/random.ts';
import type { RuleState, Rule } from '../replay.ts';
import { eligibleCurve } from '../world/world.ts';
import { placeAll } from './high-water-mark.ts';

/** Every campaign is delivered as soon as possible, the one with the highest price first. */
export function greedy({ world: { graph, segmentOf, price }, mayPlay }: RuleState): Rule {
  return {
    pick: cell => {
      const segment = segmentOf[cell]!;
      let best = -1;
      for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++) {
        const campaign = graph.edgeCampaign[edge]!;
        if ((best < 0 || price[campaign]! > price[best]!) && mayPlay(campaign)) best = campaign;
      }
      return best;
    },
  };
}

/** The campaign furthest behind the forecast's curve, without a plan: no slot stays idle, and there is no foresight. */
export function deficit({ world, remaining, mayPlay }: RuleState): Rule {
  const { graph, segmentOf, goal, hours } = world;
  const curve = eligibleCurve(world, world.forecast);
  return {
    pick: cell => {
      const segment = segmentOf[cell]!;
      const hour = cell % hours;
      let best = -1;
      let most = -Infinity;
      for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++) {
        const campaign = graph.edgeCampaign[edge]!;
        const row = campaign * (hours + 1);
        const behind = curve[row + hour + 1]! / curve[row + hours]! - 1 + remaining[campaign]! / goal[campaign]!;
        if (!(behind > most) || !mayPlay(campaign)) continue;
        best = campaign;
        most = behind;
      }
      return best;
    },
  };
}

const THROTTLE_START = 0.1;
const THROTTLE_STEP = 0.1;
/** The lowest rate: one of 0 could never rise again, because it is multiplied. */
const THROTTLE_MIN = 0.001;
const FAST_FINISH_HOURS = 2;

/**
 * LinkedIn's throttle (KDD 2014): every minute each campaign's chance moves by a tenth towards its curve of the day;
 * the dearest that was let through wins.
 */
export function throttle({ world, remaining, mayPlay }: RuleState): Rule {
  const { graph, segmentOf, price, hours, options } = world;
  const random = createRandom(options.seed * 7919 + 17);
  const curve = eligibleCurve(world, world.forecast);
  const chance = new Float64Array(graph.campaigns).fill(THROTTLE_START);
  const budget = new Float64Array(graph.campaigns);
  const spent = new Float64Array(graph.campaigns);
  const end = new Int32Array(graph.campaigns);
  const startDay = (day: number) => {
    const last = Math.min(hours, day + 24);
    chance.fill(THROTTLE_START);
    spent.fill(0);
    for (let campaign = 0; campaign < graph.campaigns; campaign++) {
      const at = (hour: number) => curve[campaign * (hours + 1) + hour]!;
      const left = at(hours) - at(day);
      budget[campaign] =
        last === hours || left === at(last) - at(day)
          ? remaining[campaign]!
          : left > 0
            ? (remaining[campaign]! * (at(last) - at(day))) / left
            : 0;
      let live = last;
      while (live > day && at(live) === at(live - 1)) live--;
      end[campaign] = live - day > 2 * FAST_FINISH_HOURS ? live - FAST_FINISH_HOURS : live;
    }
  };
  let day = 0;
  return {
    onHour: hour => {
      if (hour % 24 !== 0) return;
      day = hour;
      startDay(hour);
    },
    onMinute: minute => {
      const until = (minute + 1) / 60;
      for (let campaign = 0; campaign < graph.campaigns; campaign++) {
        const at = (hour: number) => curve[campaign * (hours + 1) + hour]!;
        const whole = at(end[campaign]!) - at(day);
        if (whole <= 0) continue;
        const hour = Math.floor(until);
        const passed =
          hour >= end[campaign]! ? at(end[campaign]!) : at(hour) + (until - hour) * (at(hour + 1) - at(hour));
        const due = (budget[campaign]! * (passed - at(day))) / whole;
        chance[campaign] =
          spent[campaign]! <= due
            ? Math.min(1, chance[campaign]! * (1 + THROTTLE_STEP))
            : Math.max(THROTTLE_MIN, chance[campaign]! * (1 - THROTTLE_STEP));
      }
    },
    pick: cell => {
      const segment = segmentOf[cell]!;
      let best = -1;
      for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++) {
        const campaign = graph.edgeCampaign[edge]!;
        if (best >= 0 && price[campaign]! <= price[best]!) continue;
        if (spent[campaign]! < budget[campaign]! && mayPlay(campaign) && random.unit() < chance[campaign]!)
          best = campaign;
      }
      return best;
    },
    onServed: (campaign, impressions) => {
      spent[campaign]! += impressions;
    },
  };
}

const PLAN_HOURS = 2;
const FEEDBACK_HOURS = 4;
/**
 * A campaign four hours behind counts with half as much demand again; one four hours ahead gets a tenth of the rate.
 */
const BEHIND_DEMAND = 1.5;
const AHEAD_RATE = 0.1;

/**
 * The high-water mark with feedback (EC 2012, HWM++): planned every two hours, one draw per slot, and a slot that no
 * campaign draws stays empty.
 */
export function highWaterMark({ world, remaining, mayPlay }: RuleState): Rule {
  const { graph, segmentOf, goal, hours, options } = world;
  const random = createRandom(options.seed * 7919 + 17);
  const curve = eligibleCurve(world, world.forecast);
  const constrained = options.separation || options.frequencyMax > 0;
  const rate = new Float64Array(graph.campaigns);
  const rank = new Int32Array(graph.campaigns);
  let marks: Float64Array = new Float64Array(graph.campaigns);
  let capShare: Float64Array = new Float64Array(graph.segments);
  const plan = (hour: number) => {
    const supply = remainingSupply(
      graph,
      {
        groups: world.groups,
        buckets: hours,
        bucketFrom: hour,
        bucketsPerHour: 1,
        segmentOf,
        supply: world.forecast,
        supplyPerCampaign: constrained ? world.forecastPerCampaign : null,
        factor: new Float64Array(world.groups).fill(1),
      },
      () => 1,
    );
    capShare = supply.capShare;
    const eligible = eligibleSupply({ graph, ...supply });
    const demand = remaining.map((impressions, campaign) => {
      const at = (when: number) =>
        (goal[campaign]! * curve[campaign * (hours + 1) + Math.max(0, Math.min(hours, when))]!) /
        curve[campaign * (hours + 1) + hours]!;
      const done = goal[campaign]! - impressions;
      rate[campaign] = done > at(hour + FEEDBACK_HOURS) && at(hour + FEEDBACK_HOURS) < goal[campaign]! ? AHEAD_RATE : 1;
      return world.knownFrom[campaign]! <= hour && eligible[campaign]! > 0
        ? impressions * (done < at(hour - FEEDBACK_HOURS) ? BEHIND_DEMAND : 1)
        : 0;
    });
    const order = Array.from(demand.keys())
      .filter(campaign => demand[campaign]! > 0)
      .sort((a, b) => eligible[a]! - eligible[b]! || a - b);
    order.forEach((campaign, place) => (rank[campaign] = place));
    marks = placeAll(graph, order, { ...supply, demand });
  };
  return {
    onHour: hour => {
      if (hour % PLAN_HOURS === 0) plan(hour);
    },
    pick: cell => {
      const segment = segmentOf[cell]!;
      const row = graph.edgeCampaign
        .slice(graph.edgeStart[segment], graph.edgeStart[segment + 1])
        .sort((a, b) => rank[a]! - rank[b]!);
      const drawn = random.unit();
      let left = 1;
      let sum = 0;
      for (const campaign of row) {
        const share = Math.min(left, capShare[segment]! * marks[campaign]!);
        left -= share;
        sum += share * rate[campaign]!;
        // A campaign that was drawn and may not play leaves the slot to the next.
        if (sum > drawn && mayPlay(campaign)) return campaign;
      }
      return -1;
    },
  };
}
