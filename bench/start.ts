/**
 * G15: from the birth of a delivery process until it calls itself ready, with a network of 10,000 campaigns and 100,000
 * screens: Node, the modules, the leases of the process before it, the whole snapshot and its index. It is killed once
 * per pair, so it also looks after what its predecessor left behind. G16: a plan from nothing, of the goal's size;
 * `--only G16 --loads 0.85,1.05` makes one at each of these loads.
 */
import { readFileSync } from 'node:fs';
import { readMetrics, sumOf } from './metrics.ts';
import { makeScaleInput, SCALE, type ScaleOptions, timePlan } from './pacing/scale.ts';
import { boundFigure, median, round, type Bench, type BenchOptions, type Figure } from './protocol.ts';
import { killDelivery, openStage } from './stage.ts';

type Size = { campaigns: number; screens: number; scale: ScaleOptions };

const SIZE: Size = { campaigns: 10_000, screens: 100_000, scale: SCALE };
const CREATIVE_MS = 10_000;
const FIGURES = ['G15', 'G16'];
const GOALS = { readySeconds: 4, planSeconds: 5 };

export const start: Bench = {
  about: 'seconds until delivery is ready with 100,000 screens, and of a plan from nothing',
  run: options => runStart(options, SIZE),
};

/** The benchmark with another size; tests run it small. */
export async function runStart(options: BenchOptions, size: Size): Promise<Figure[]> {
  const unknown = options.only?.find(figure => !FIGURES.includes(figure));
  if (unknown !== undefined) throw new Error(`there is no figure '${unknown}': there are ${FIGURES.join(', ')}`);
  const isWanted = (figure: string) => options.only === undefined || options.only.includes(figure);
  return [
    ...(isWanted('G15') ? [await measureStarts(options, size)] : []),
    ...(isWanted('G16') ? planFigures(size, options) : []),
  ];
}

async function measureStarts(options: BenchOptions, size: Size): Promise<Figure> {
  options.say(`start: starting an instance with ${size.campaigns} campaigns and ${size.screens} screens`);
  const stage = await openStage(
    { campaigns: size.campaigns, screens: size.screens, creativeMs: CREATIVE_MS },
    { leased: false, onRestart: () => undefined },
  );
  try {
    const seconds: number[] = [];
    for (let pair = 0; pair < options.pairs; pair += 1) {
      options.say('start: the delivery process is killed');
      seconds.push(ageSeconds(await killDelivery(stage)));
    }
    const lag = await readMetrics(stage.instance.ops()['delivery']!);
    return startFigure(seconds, { size, lagSeconds: sumOf(lag, 'nodejs_eventloop_lag_max_seconds') });
  } finally {
    await stage.close();
  }
}

/**
 * How long ago a process was born: the machine's time of operation, less that at its birth (field 22, in hundredths on
 * Linux).
 */
function ageSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const bornTicks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) - bornTicks / 100;
}

type StartDetails = { size: Size; lagSeconds: number };

function startFigure(seconds: readonly number[], { size, lagSeconds }: StartDetails): Figure {
  return boundFigure({
    bench: 'start',
    figure: 'G15',
    unit: 's to ready',
    ours: median(seconds),
    goal: GOALS.readySeconds,
    better: 'less',
    samples: { ours: seconds },
    details: {
      campaigns: size.campaigns,
      screens: size.screens,
      all: seconds.map(round),
      first_look: seconds.length < 5,
      longest_turn_of_the_loop_s: round(lagSeconds),
    },
  });
}

/** One at the usual load, or one at each requested load. */
function planFigures({ scale }: Size, { loads, say }: BenchOptions): Figure[] {
  if (loads === undefined) return [planFigure(scale, say)];
  return loads.map(load => ({ ...planFigure({ ...scale, load }, say), variant: `load ${load}` }));
}

function planFigure(scale: ScaleOptions, say: BenchOptions['say']): Figure {
  say(`start: a plan of ${scale.campaigns} campaigns and ${scale.edges} edges over ${scale.hours} hours`);
  const { tookMs, cpuMs, edges, plan } = timePlan(makeScaleInput(scale));
  return boundFigure({
    bench: 'start',
    figure: 'G16',
    unit: 's per plan',
    ours: tookMs / 1_000,
    goal: GOALS.planSeconds,
    better: 'less',
    details: {
      cpu_seconds: round(cpuMs / 1_000),
      edges,
      campaigns: scale.campaigns,
      hours: scale.hours,
      demand_fits: plan.fits,
    },
  });
}
