/**
 * The decision in process. G2: decisions per CPU-second with many campaigns against 100, in rounds that go through the
 * sizes forth and back; a round's reference is its own run with 100. G1b: the time of each single decision with 10,000
 * campaigns, with the clock's own time in it.
 */
import { makeDecisionWorld, type DecisionWorld, type Mix } from './decision-world.ts';
import { boundFigure, partOf, ratioFigure, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';

const SIZES = [100, 1_000, 10_000, 100_000];
const MIXES: readonly Mix[] = ['targeted', 'untargeted'];
const FLAT_GOAL = 0.8;
const P99_US_MAX = 10;
const P999_US_MAX = 100;
/** Decisions in one batch, which takes a few milliseconds. */
const BATCH = 5_000;
const WARM_UP_DECISIONS = 100_000;
const TIMED_DECISIONS = 500_000;
const TIMED_CAMPAIGNS = 10_000;
const REFRESH_STEPS = 500;
const ROUNDS_PER_PAIR = 4;
const US_PER_MS = 1_000;

/** A run of one size: its world, and the position of its screens and of its clock. */
type Arm = {
  campaigns: number;
  world: DecisionWorld;
  slot: { screen: number; atMs: number; maxDurationMs: number };
  rates: number[];
};

export const decide: Bench = {
  about: 'decisions per CPU-second in process at 100 to 100,000 campaigns, and the time of one',
  run: options => runDecide(options, SIZES),
};

/** The benchmark with other sizes, the first of which is the reference; tests run it small. */
export function runDecide({ forSeconds, pairs, say }: BenchOptions, sizes: readonly number[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  const share = Math.min(1, forSeconds); // for work without a time limit; a run of a test is shorter than a second
  for (const mix of MIXES) {
    say(`decide: ${mix}, making worlds of ${sizes.join(', ')} campaigns`);
    const arms = sizes.map(campaigns => armOf(campaigns, mix, WARM_UP_DECISIONS * share));
    measureRounds(arms, { forSeconds, pairs });
    figures.push(...arms.slice(1).map(arm => flatFigure(mix, arm, arms[0]!)));
    const timed = arms.find(({ campaigns }) => campaigns === TIMED_CAMPAIGNS) ?? arms[0]!;
    figures.push(timeFigure(mix, timed, Math.ceil(TIMED_DECISIONS * share)));
  }
  return Promise.resolve(figures);
}

/** Rounds through all sizes, forth and back. */
function measureRounds(arms: readonly Arm[], { forSeconds, pairs }: { forSeconds: number; pairs: number }): void {
  for (let turn = 0; turn < pairs * ROUNDS_PER_PAIR; turn++) {
    const order = turn % 2 === 0 ? arms : arms.toReversed();
    for (const arm of order) arm.rates.push(rateOf(arm, forSeconds / (pairs * ROUNDS_PER_PAIR)));
  }
}

function armOf(campaigns: number, mix: Mix, warmUpDecisions: number): Arm {
  const nowMs = Date.now();
  const arm: Arm = {
    campaigns,
    world: makeDecisionWorld(campaigns, mix, nowMs),
    slot: { screen: 0, atMs: nowMs, maxDurationMs: 15_000 },
    rates: [],
  };
  decideMany(arm, warmUpDecisions);
  return arm;
}

/** Decides for the screens in turn; the clock moves on by a millisecond with each slot. */
function decideMany({ world: { engine, screens }, slot }: Arm, decisions: number): void {
  for (let decision = 0; decision < decisions; decision++) {
    slot.screen = (slot.screen + 1) % screens;
    slot.atMs++;
    engine.decide(slot);
  }
}

/**
 * Decisions per CPU-second. The upkeep of short lists is included: some of its steps run after each batch, as often as
 * in the service.
 */
function rateOf(arm: Arm, seconds: number): number {
  const until = performance.now() + seconds * 1_000;
  const from = process.cpuUsage();
  let decisions = 0;
  do {
    decideMany(arm, BATCH);
    arm.world.engine.refresh(arm.slot.atMs, REFRESH_STEPS);
    decisions += BATCH;
  } while (performance.now() < until);
  const { user, system } = process.cpuUsage(from);
  return (decisions * 1e6) / (user + system);
}

function flatFigure(mix: Mix, arm: Arm, reference: Arm): Figure {
  const figure = ratioFigure({
    bench: 'decide',
    figure: 'G2',
    unit: 'decisions/CPU-s',
    goal: FLAT_GOAL,
    better: 'more',
    variant: `${mix}, ${arm.campaigns} campaigns`,
    samples: { ours: arm.rates, reference: reference.rates },
    details: { mix, campaigns: arm.campaigns, reference_campaigns: reference.campaigns, rounds: arm.rates.length },
  });
  return partOf(figure, `of the rate with ${reference.campaigns} campaigns`);
}

function timeFigure(mix: Mix, arm: Arm, decisions: number): Figure {
  const { engine, screens } = arm.world;
  const { slot } = arm;
  const times = new Float64Array(decisions);
  for (let decision = 0; decision < decisions; decision++) {
    slot.screen = (slot.screen + 1) % screens;
    slot.atMs++;
    const from = performance.now();
    engine.decide(slot);
    times[decision] = performance.now() - from;
  }
  times.sort();
  const percentileUs = (share: number): number =>
    round(times[Math.min(times.length - 1, Math.floor(times.length * share))]! * US_PER_MS);
  const [p50, p99, p999] = [percentileUs(0.5), percentileUs(0.99), percentileUs(0.999)];
  return boundFigure({
    bench: 'decide',
    figure: 'G1b',
    unit: 'us',
    ours: p99,
    goal: P99_US_MAX,
    better: 'less',
    met: p99 <= P99_US_MAX && p999 <= P999_US_MAX,
    variant: `${mix}, ${arm.campaigns} campaigns`,
    details: {
      mix,
      campaigns: arm.campaigns,
      p50_us: p50,
      p99_us: p99,
      p999_us: p999,
      p999_us_wanted: P999_US_MAX,
      decisions_timed: decisions,
    },
  });
}
