/**
 * What a slot costs at the pace of life: thousands of screens ask once in the length of an ad and report what they were
 * given before, each play in a separate message. So no campaign is far ahead of its plan, plays are counted and not
 * named to the authority, and bounds of held ads and of overlap hold, all of which `decisions` leaves out because it
 * asks a thousand times as often. `asked`: the screens ask and report nothing; `played`: they report too. The
 * difference is the cost of a report. The reference is the same build of uWebSockets.js that answers the same messages,
 * at the same pace, with as many bytes.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { pack } from 'msgpackr';
import { cpuSecondsOf } from '../cpu-time.ts';
import { CLIENT_CORE, SERVER_CORE, canPin, pinTo } from '../pinning.ts';
import {
  type Arm,
  type Bench,
  type BenchOptions,
  type Figure,
  figureOf,
  measurePairs,
  median,
  type Pair,
  round,
  type Sample,
} from '../protocol.ts';
import { startEcho } from '../sockets/echo.ts';
import { type LoadClient, startLoad } from '../sockets/load.ts';
import { deliveryOf, openStage, type Stage } from '../stage.ts';
import { probeFills } from './decisions.ts';

/** `everyMs`: the length of an ad, and how often a screen asks. */
type Size = { campaigns: number; screens: number; everyMs: number };

/** 600 slots and as many reports a second: some seconds of CPU in a sample, and a tenth of a core. */
const SIZE: Size = { campaigns: 10_000, screens: 6_000, everyMs: 10_000 };
/** The goal of G1, for slots without a report. */
const GOAL = 0.6;
const REGIMES = [
  { regime: 'asked', reports: false },
  { regime: 'played', reports: true },
] as const;
type Regime = (typeof REGIMES)[number];

export const slots: Bench = {
  about: 'a slot and its report at the pace of life, over sockets, against an echo of the same bytes',
  published: { pairs: 3, forSeconds: 6 },
  run: options => runSlots(options, SIZE),
};

/** The benchmark with another size; tests run it small. */
export async function runSlots(options: BenchOptions, size: Size): Promise<Figure[]> {
  const { campaigns, screens } = size;
  options.say(`slots: starting an instance with ${campaigns} campaigns and ${screens} screens`);
  const stage = await openStage(
    { campaigns, screens, creativeMs: size.everyMs },
    { env: { SCREEN_PLAYS_OVERLAP: '0' } },
  );
  try {
    return await measure(stage, options, size);
  } finally {
    await stage.close();
  }
}

async function measure(stage: Stage, { forSeconds, pairs, say }: BenchOptions, size: Size): Promise<Figure[]> {
  const { answer } = await probeFills({ ...stage.screens, tokens: stage.screens.tokens.slice(0, 1) });
  const echo = await startEcho(answer, size.screens, { ack: Buffer.from(pack({ t: 'ack', id: 2, refused: [] })) });
  const delivery = deliveryOf(stage);
  if (canPin()) pinTo(SERVER_CORE, [delivery, echo.server.pid]);
  const client = (target: typeof echo.server.target) => startLoad(target, canPin() ? { core: CLIENT_CORE } : {});
  const arms = {
    ours: { pid: delivery, client: await client(stage.screens) },
    reference: { pid: echo.server.pid, client: await client(echo.server.target) },
  };
  try {
    const figures: Figure[] = [];
    for (const regime of REGIMES) {
      const measured = await measurePairs(pairs, arm => {
        say(`slots: ${arm === 'ours' ? 'ours' : 'the reference'}, ${regime.regime}, ${forSeconds} s`);
        return sampleOf(arms[arm], { regime, forSeconds, size });
      });
      figures.push(slotFigure(regime, measured, { ...size, candidates_mean: round(stage.candidatesMean) }));
    }
    return figures;
  } finally {
    for (const { client: each } of Object.values(arms)) await each.close();
    await echo.end();
  }
}

type SampleOptions = { regime: Regime; forSeconds: number; size: Size };

/** Screens play for as long as an ad before the sample, so that all have something to report. */
async function sampleOf(
  { pid, client }: { pid: number; client: LoadClient },
  { regime: { reports }, forSeconds, size }: SampleOptions,
): Promise<Sample> {
  await client.call('play', { everyMs: size.everyMs, reports });
  await wait(size.everyMs + 1_000);
  const read = async () => ({ at: performance.now(), cpu: cpuSecondsOf([pid]), ...(await client.call('played')) });
  const from = await read();
  await wait(1_000 * forSeconds);
  const to = await read();
  await client.call('rest');
  return {
    amount: to.answers - from.answers,
    seconds: (to.at - from.at) / 1_000,
    cpuSeconds: to.cpu - from.cpu,
    details: { fills: to.fills - from.fills, acks: to.acks - from.acks, refused: to.refused, noFills: to.noFills },
  };
}

function slotFigure({ regime }: Regime, measured: readonly Pair[], size: Record<string, number>): Figure {
  const usPerSlot = (arm: Arm) => round(median(measured.map(pair => (1e6 * pair[arm].cpuSeconds) / pair[arm].amount)));
  const last = measured.at(-1)!.ours;
  const sum = (key: string) => measured.reduce((total, { ours }) => total + Number(ours.details?.[key]), 0);
  const answers = measured.reduce((total, { ours }) => total + ours.amount, 0);
  return {
    ...figureOf(
      {
        bench: 'slots',
        figure: 'slot',
        unit: 'slots/CPU-s',
        goal: GOAL,
        details: {
          ...size,
          us_ours: usPerSlot('ours'),
          us_reference: usPerSlot('reference'),
          filled: round(sum('fills') / answers),
          acknowledged: round(sum('acks') / answers),
          refused: last.details?.['refused'],
          no_fills: last.details?.['noFills'],
        },
      },
      measured,
    ),
    variant: regime,
  };
}
