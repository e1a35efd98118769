/**
 * G9: from the acknowledgement of a play, as its screen hears it, to the first query that finds its row, at half of the
 * highest rate: that of plays reported as fast as they are acknowledged, from the first report until the last row is
 * there. At half of it screens send at moments of their own, whether they were answered or not. One play in 32 is
 * followed. The row and every rollup are written by one insert that is answered when all are there, so a report
 * contains the play at that moment.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { FreshnessProbe } from '../../cli/demo/measure.ts';
import { startLoad } from '../sockets/load.ts';
import type { Reported } from '../sockets/load-client.ts';
import { boundFigure, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';
import { openStage, type Stage } from '../stage.ts';

const CAMPAIGNS = 1_000;
const SCREENS = 100;
const CREATIVE_MS = 6_000;
const SLOTS_PER_MESSAGE = 9;
const SLOTS_BACK_MS = 55_000;
/** At full speed as after an outage; at half of it a message each moment, as from screens that play. */
const PLAYS_PER_MESSAGE_FULL = 200;
const PLAYS_PER_MESSAGE = 20;
/** One play in so many is followed. */
const FOLLOWED_ONE_IN = 32;
const PLAYS_FIRST = 150_000;
const PLAYS_MAX = 1_000_000;
/**
 * Each query reads the rows of fifteen seconds. More frequent queries would take much of a core from the measured work.
 */
const POLL_MS = 100;
const REST_MS = 3_000;
const STALLED_MS_MAX = 60_000;
const GOALS = { p50: 500, p99: 1_000, max: 2_000 } as const;

type Size = { campaigns: number; screens: number; playsFirst: number };

export const freshness: Bench = {
  about: 'milliseconds from acknowledgement to report, at half of the highest rate',
  run: options => runFreshness(options, { campaigns: CAMPAIGNS, screens: SCREENS, playsFirst: PLAYS_FIRST }),
};

/** The benchmark with another size; tests run it small. */
export async function runFreshness(options: BenchOptions, size: Size): Promise<Figure[]> {
  options.say(`freshness: starting an instance with ${size.campaigns} campaigns and ${size.screens} screens`);
  const stage = await openStage({ campaigns: size.campaigns, screens: size.screens, creativeMs: CREATIVE_MS });
  const clickhouse = openClickhouse(stage.instance.urls.clickhouseUrl, {
    application: 'marquee-bench',
    connectionsMax: 1,
  });
  try {
    options.say('freshness: looking for the highest rate');
    const full = await run(stage, clickhouse, { plays: size.playsFirst, playsPerMessage: PLAYS_PER_MESSAGE_FULL });
    const rate = full.acknowledged / full.seenSeconds / 2;
    const plays = Math.min(PLAYS_MAX, Math.ceil(rate * options.forSeconds));
    options.say(`freshness: ${Math.round(rate)} plays a second for ${options.forSeconds} s`);
    const half = await run(stage, clickhouse, {
      plays,
      playsPerMessage: PLAYS_PER_MESSAGE,
      everyMs: (1_000 * PLAYS_PER_MESSAGE * size.screens) / rate,
    });
    return figuresOf(half, { rate, size, forSeconds: options.forSeconds });
  } finally {
    await clickhouse.close();
    await stage.close();
  }
}

/** `seenSeconds`: from the first report until every play that is followed was seen. */
type Run = Reported & { seen: FreshnessProbe; seenSeconds: number };

type RunOptions = { plays: number; playsPerMessage: number; everyMs?: number };

/** Gathers fills, untimed, and reports them while another connection looks for their rows. */
async function run(
  stage: Stage,
  clickhouse: Clickhouse,
  { plays, playsPerMessage, everyMs }: RunOptions,
): Promise<Run> {
  const client = await startLoad(stage.screens);
  const seen = new FreshnessProbe(clickhouse, { everyMs: POLL_MS, oneIn: FOLLOWED_ONE_IN });
  try {
    await client.call('gather', {
      messages: Math.ceil(plays / (stage.screens.connections * SLOTS_PER_MESSAGE)),
      count: SLOTS_PER_MESSAGE,
      backMs: SLOTS_BACK_MS,
    });
    await client.call('prepareReports', { playsPerMessage, followOneIn: FOLLOWED_ONE_IN });
    await wait(REST_MS); // the remaining work of the preparation is done by then
    seen.start();
    const from = performance.now();
    const reported = await client.call('report', everyMs === undefined ? {} : { everyMs });
    for (const [key, ackedAtMs] of reported.sampled) seen.acknowledged(key, ackedAtMs);
    for (const until = Date.now() + STALLED_MS_MAX; seen.unseen > 0; await wait(POLL_MS)) {
      if (Date.now() > until)
        throw new Error(`${seen.unseen} of the followed plays were acknowledged and did not arrive`);
    }
    return { ...reported, seen, seenSeconds: (performance.now() - from) / 1_000 };
  } finally {
    seen.stop();
    await client.close();
  }
}

type FiguresOfOptions = { rate: number; size: Size; forSeconds: number };

function figuresOf({ seen, acknowledged, seconds }: Run, { rate, size, forSeconds }: FiguresOfOptions): Figure[] {
  const measured = { p50: seen.percentileMs(0.5), p99: seen.percentileMs(0.99), max: seen.percentileMs(1) };
  const details = {
    ...size,
    plays: acknowledged,
    followed: seen.samples,
    plays_per_s_wanted: round(rate),
    plays_per_s: round(acknowledged / seconds),
    first_look: forSeconds < 30,
  };
  return (['p50', 'p99', 'max'] as const).map(name =>
    boundFigure({
      bench: 'freshness',
      figure: `G9 ${name}`,
      unit: 'ms',
      ours: measured[name],
      goal: GOALS[name],
      better: 'less',
      details,
    }),
  );
}
