/**
 * Decides the world's stream with one rule. The replay, not the rule, keeps budgets, frequency and separation, and
 * stops at a rule that breaks one.
 */
import { notePromises, type Promised } from './promised.ts';
import type { World } from './world/world.ts';

export type RuleState = {
  readonly world: World;
  /** Impressions left by campaign. */
  readonly remaining: Float64Array;
  /** Impressions seen by cell so far. */
  readonly seen: Float64Array;
  /** Whether the campaign may play in the slot that is being decided. */
  mayPlay: (campaign: number) => boolean;
};

export type Rule = {
  onHour?: (hour: number) => void;
  onMinute?: (minute: number) => void;
  /** The campaign for a slot of the cell on the screen, or -1. */
  pick: (cell: number, screen: number) => number;
  /** The share of its goal that this hour's plan promises a campaign; absent if a rule makes no plan. */
  promises?: (campaign: number) => number;
  onServed?: (campaign: number, impressions: number) => void;
};

export type Replay = {
  served: Float64Array;
  /** Impressions served before each hour: `progress[campaign * (hours + 1) + hour]`. */
  progress: Float64Array;
  promised: Promised;
  /** Nanoseconds per pick, sorted; those of every n-th slot. */
  pickNs: Float64Array;
};

/** Every 7th pick is timed: enough for percentiles, and out of step with minutes. */
const TIMED_EVERY = 7;

export function replay(world: World, makeRule: (state: RuleState) => Rule): Replay {
  const { hours, goal, screens, requests, groupOf, category, options } = world;
  const campaigns = goal.length;
  const lastCategory = new Int16Array(screens.length).fill(-1);
  const playsThisHour = new Int32Array(screens.length * campaigns);
  const slot = { screen: 0, impressions: 0 };
  const state: RuleState = {
    world,
    remaining: goal.slice(),
    seen: new Float64Array(world.segmentOf.length),
    mayPlay: campaign =>
      state.remaining[campaign]! >= slot.impressions &&
      !(options.separation && category[campaign] === lastCategory[slot.screen]) &&
      !(options.frequencyMax > 0 && playsThisHour[slot.screen * campaigns + campaign]! >= options.frequencyMax),
  };
  const rule = makeRule(state);
  const result: Replay = {
    served: new Float64Array(campaigns),
    progress: new Float64Array(campaigns * (hours + 1)),
    promised: { first: new Float64Array(campaigns).fill(NaN), half: new Float64Array(campaigns).fill(NaN) },
    pickNs: new Float64Array(Math.ceil(requests.screen.length / TIMED_EVERY)),
  };
  const playSlot = (at: number, hour: number) => {
    const screen = requests.screen[at]!;
    const { impressions } = screens[screen]!;
    slot.screen = screen;
    slot.impressions = impressions;
    const cell = groupOf[screen]! * hours + hour;
    state.seen[cell]! += impressions;
    const campaign =
      at % TIMED_EVERY === 0
        ? timePick(rule, { cell, screen, into: result.pickNs, place: at / TIMED_EVERY })
        : rule.pick(cell, screen);
    if (campaign >= 0 && !state.mayPlay(campaign))
      throw new Error('the rule gave a slot to a campaign that may not play in it');
    lastCategory[screen] = campaign < 0 ? -1 : category[campaign]!;
    if (campaign < 0) return;
    state.remaining[campaign]! -= impressions;
    result.served[campaign]! += impressions;
    playsThisHour[screen * campaigns + campaign]!++;
    rule.onServed?.(campaign, impressions);
  };
  for (let hour = 0; hour < hours; hour++) {
    playsThisHour.fill(0);
    rule.onHour?.(hour);
    if (rule.promises) notePromises(result.promised, world, { hour, partOf: rule.promises });
    for (let minute = hour * 60; minute < (hour + 1) * 60; minute++) {
      rule.onMinute?.(minute);
      for (let at = requests.start[minute]!; at < requests.start[minute + 1]!; at++) playSlot(at, hour);
    }
    for (let campaign = 0; campaign < campaigns; campaign++)
      result.progress[campaign * (hours + 1) + hour + 1] = result.served[campaign]!;
  }
  result.pickNs.sort();
  return result;
}

type TimePickOptions = { cell: number; screen: number; into: Float64Array; place: number };

function timePick(rule: Rule, { cell, screen, into, place }: TimePickOptions): number {
  const started = process.hrtime.bigint();
  const campaign = rule.pick(cell, screen);
  into[place] = Number(process.hrtime.bigint() - started);
  return campaign;
}
