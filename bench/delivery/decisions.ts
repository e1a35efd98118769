/**
 * G1: slot decisions per CPU-second of the delivery process over sockets, with one pending message per screen; G1p:
 * with sixteen; G1c: the time of a round trip at half of the rate that G1 reached, sent at fixed moments. The reference
 * is the same build of uWebSockets.js that answers the same messages with as many bytes, prepared. Two clients share
 * the screens: one has the second core, the other one runs wherever there is room, because one client alone does not
 * keep a bare echo busy. The share of the time in which the server ran or waited for its core is printed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../cli/instance/free-port.ts';
import { busySecondsOf, cpuSecondsOf } from '../cpu-time.ts';
import { decisionTimes, readDecisionBuckets, type DecisionTimes } from './decision-times.ts';
import { startEcho, type Server } from '../sockets/echo.ts';
import type { SocketLibrary } from '../../delivery/sockets/socket-library.ts';
import { withEachLibrary } from './socket-libraries.ts';
import { type LoadClient, startLoad } from '../sockets/load.ts';
import type { RoundTrips, Target } from '../sockets/load-client.ts';
import { CLIENT_CORE, SERVER_CORE, canPin, pinTo } from '../pinning.ts';
import {
  armOrder,
  boundFigure,
  figureOf,
  measurePairs,
  median,
  ratioFigure,
  round,
  type Arm,
  type Bench,
  type BenchOptions,
  type Figure,
  type Sample,
} from '../protocol.ts';
import { inspectorEnv, profileProcess, profileTable } from '../profile.ts';
import { openStage, type Stage } from '../stage.ts';

const CAMPAIGNS = 10_000;
const SCREENS = 200;
const CREATIVE_MS = 10_000;
const GOALS = { alone: 0.6, pipelined: 0.22, roundTrip: 2 };
const PIPELINED = 16;
/** G1b: bounds of the decision itself. */
const DECISION_P99_US_MAX = 10;
const DECISION_P999_US_MAX = 100;
/** After this time the code is compiled. A shorter sample has a shorter warm-up. */
const WARM_UP_SECONDS_MAX = 10;
/** Messages per screen before and after the samples: they show how long a fill is and that every slot gets one. */
const PROBE_MESSAGES = 50;
const PROFILE_LINES = 15;

export const decisions: Bench = {
  about: 'slot decisions per CPU-second over sockets, against an echo of the same bytes',
  published: { pairs: 3, forSeconds: 6 },
  run: options =>
    withEachLibrary(library => runDecisions(options, { campaigns: CAMPAIGNS, screens: SCREENS, library })),
};

/** The benchmark with another size; tests run it small. */
export async function runDecisions(
  options: BenchOptions,
  { library = 'uws', ...size }: { campaigns: number; screens: number; library?: SocketLibrary },
): Promise<Figure[]> {
  options.say(
    `decisions: starting an instance with ${size.campaigns} campaigns and ${size.screens} screens on ${library}`,
  );
  const inspectorPort = await freePort();
  const stage = await openStage(
    { ...size, creativeMs: CREATIVE_MS },
    { env: { SOCKET_LIBRARY: library, ...(options.profile && inspectorEnv(inspectorPort)) } },
  );
  try {
    const figures = await measure(stage, { ...options, ...size });
    if (options.profile) await profileDelivery(stage, { ...options, inspectorPort });
    return figures;
  } finally {
    await stage.close();
  }
}

async function measure(
  stage: Stage,
  { forSeconds, pairs, say, ...size }: BenchOptions & { campaigns: number; screens: number },
): Promise<Figure[]> {
  const delivery = stage.pids()['delivery']![0]!;
  const probe = await probeFills(stage.screens);
  const echo = await startEcho(probe.answer, size.screens);
  const pinned = canPin();
  try {
    if (pinned) pinApart(stage, [delivery, echo.server.pid]);
    const servers = { ours: { pid: delivery, target: stage.screens }, reference: echo.server };
    const before = await readDecisionBuckets(stage.instance.ops()['delivery']!);
    const samplePairs = (name: string, pipelined: number) =>
      measurePairs(pairs, async arm => {
        say(`decisions: ${arm === 'ours' ? 'ours' : 'the reference'}, ${name}, ${forSeconds} s`);
        return sampleDecisions(servers[arm], { forSeconds, pinned, pipelined });
      });
    const measured = await samplePairs('one pending message', 1);
    const times = decisionTimes(before, await readDecisionBuckets(stage.instance.ops()['delivery']!));
    const pipelined = await samplePairs(`${PIPELINED} pending messages`, PIPELINED);
    const perSecondHalf = median(measured.map(({ ours }) => ours.amount / ours.seconds)) / 2;
    const trips = await sampleTrips(servers, { pairs, forSeconds, pinned, perSecond: perSecondHalf, say });
    const after = await probeFills(stage.screens);
    const details = {
      ...size,
      candidates_mean: round(stage.candidatesMean),
      pinned,
      frame: 'msgpack',
      fill_bytes: probe.answer.length,
      filled_before: probe.filled,
      filled_after: after.filled,
      no_fills: after.noFills,
      answer_bytes_ours: meanBytes(measured.map(pair => pair.ours)),
      answer_bytes_reference: meanBytes(measured.map(pair => pair.reference)),
      closed_connections: measured.reduce((sum, pair) => sum + Number(pair.ours.details?.['closed'] ?? 0), 0),
    };
    return [
      figureOf({ bench: 'decisions', figure: 'G1', unit: 'decisions/CPU-s', goal: GOALS.alone, details }, measured),
      figureOf(
        {
          bench: 'decisions',
          figure: 'G1p',
          unit: 'decisions/CPU-s',
          goal: GOALS.pipelined,
          details: { pipelined: PIPELINED },
        },
        pipelined,
      ),
      decisionFigure(times),
      tripFigure(trips, perSecondHalf),
    ];
  } finally {
    await echo.end();
  }
}

/** Prints where delivery spends its time under the same load. */
async function profileDelivery(
  stage: Stage,
  { forSeconds, say, inspectorPort }: BenchOptions & { inspectorPort: number },
): Promise<void> {
  const client = await startLoad(stage.screens, canPin() ? { core: CLIENT_CORE } : {});
  await client.call('drive', 1);
  say(`decisions: self time of delivery over ${forSeconds} s, while it was not idle`);
  say(
    profileTable(
      await profileProcess({ pid: stage.pids()['delivery']![0]!, port: inspectorPort, seconds: forSeconds }),
      PROFILE_LINES,
    ),
  );
  await client.close();
}

const meanBytes = (samples: readonly Sample[]): number =>
  round(median(samples.map(({ details }) => Number(details?.['answerBytes']))));

/** Asks for some slots on every screen and picks an answer of the middle length. */
export async function probeFills(target: Target) {
  const client = await startLoad(target);
  const probe = { messages: PROBE_MESSAGES, count: 1, backMs: 0 };
  const { fills, noFills, samples } = await client.call('gather', probe);
  await client.close();
  const answers = samples.map(text => Buffer.from(text, 'base64')).sort((a, b) => a.length - b.length);
  const missed = Object.values(noFills).reduce((sum, count) => sum + count, 0);
  return { answer: answers[Math.floor(answers.length / 2)]!, filled: round(fills / (fills + missed)), noFills };
}

/** The servers under test share one core, one at a time; everything else of the instance has the other one. */
function pinApart(stage: Stage, servers: readonly number[]): void {
  const others = Object.values(stage.pids())
    .flat()
    .filter(pid => !servers.includes(pid));
  pinTo(SERVER_CORE, servers);
  pinTo(CLIENT_CORE, others);
}

/** Two clients, each with half of the screens. */
async function startClients(target: Target, pinned: boolean): Promise<LoadClient[]> {
  const half = (part: number): Target => {
    const tokens = target.tokens?.filter((_, index) => index % 2 === part);
    return { ...target, ...(tokens && { tokens }), connections: Math.ceil((target.connections - part) / 2) };
  };
  return [await startLoad(half(0), pinned ? { core: CLIENT_CORE } : {}), await startLoad(half(1))];
}

/** p99 of the round trips of both arms at one rate, in microseconds: of each sample the worse client's. */
type Trips = Record<Arm, { p50Us: number; p99Us: number; unsent: number }[]>;

type SampleTripsOptions = {
  pairs: number;
  forSeconds: number;
  pinned: boolean;
  perSecond: number;
  say: BenchOptions['say'];
};

async function sampleTrips(
  servers: Record<Arm, Server>,
  { pairs, forSeconds, pinned, perSecond, say }: SampleTripsOptions,
): Promise<Trips> {
  const trips: Trips = { ours: [], reference: [] };
  for (const arm of armOrder(pairs)) {
    say(`decisions: ${arm === 'ours' ? 'ours' : 'the reference'}, ${Math.round(perSecond)} a second, ${forSeconds} s`);
    const clients = await startClients(servers[arm].target, pinned);
    for (const client of clients) await client.call('pace', perSecond / clients.length);
    await wait(1000 * Math.min(WARM_UP_SECONDS_MAX, forSeconds));
    for (const client of clients) await client.call('times');
    await wait(1000 * forSeconds);
    const times = await Promise.all(clients.map(client => client.call('times')));
    for (const client of clients) await client.close();
    const worst = (read: (time: RoundTrips) => number): number => Math.max(...times.map(read));
    trips[arm].push({
      p50Us: worst(time => time.p50Us),
      p99Us: worst(time => time.p99Us),
      unsent: worst(time => time.unsent),
    });
  }
  return trips;
}

type SampleDecisionsOptions = { forSeconds: number; pinned: boolean; pipelined?: number };

/** Starts clients, warms up, and counts answers and CPU time over `forSeconds`. */
export async function sampleDecisions(
  { pid, target }: Server,
  { forSeconds, pinned, pipelined = 1 }: SampleDecisionsOptions,
): Promise<Sample> {
  const clients = await startClients(target, pinned);
  const readTotals = async () => {
    const counts = await Promise.all(clients.map(client => client.call('count')));
    const sum = (read: (count: (typeof counts)[number]) => number) =>
      counts.reduce((total, count) => total + read(count), 0);
    return {
      at: performance.now(),
      answers: sum(count => count.answers),
      bytes: sum(count => count.answerBytes),
      closed: sum(count => count.closed),
      cpu: cpuSecondsOf([pid]),
      busy: busySecondsOf(pid),
    };
  };
  for (const client of clients) await client.call('drive', pipelined);
  await wait(1000 * Math.min(WARM_UP_SECONDS_MAX, forSeconds));
  const from = await readTotals();
  await wait(1000 * forSeconds);
  const to = await readTotals();
  for (const client of clients) await client.close();
  const answers = to.answers - from.answers;
  return {
    amount: answers,
    seconds: (to.at - from.at) / 1000,
    cpuSeconds: to.cpu - from.cpu,
    busySeconds: to.busy - from.busy,
    details: { answerBytes: (to.bytes - from.bytes) / answers, closed: to.closed },
  };
}

/** The figure of G1c. */
function tripFigure(trips: Trips, perSecond: number): Figure {
  const p99Of = (arm: Arm) => trips[arm].map(({ p99Us }) => p99Us);
  const p50Of = (arm: Arm) => Math.round(median(trips[arm].map(({ p50Us }) => p50Us)));
  return ratioFigure({
    bench: 'decisions',
    figure: 'G1c',
    unit: 'us, p99',
    goal: GOALS.roundTrip,
    better: 'less',
    samples: { ours: p99Of('ours'), reference: p99Of('reference') },
    details: {
      per_second: Math.round(perSecond),
      p50_us_ours: p50Of('ours'),
      p50_us_reference: p50Of('reference'),
      unsent: trips.ours.concat(trips.reference).reduce((sum, { unsent }) => sum + unsent, 0),
    },
  });
}

/** The figure of G1b, from the histogram of the delivery process over all of its samples. */
function decisionFigure({ p50Us, p99Us, p999Us, count }: DecisionTimes): Figure {
  return boundFigure({
    bench: 'decisions',
    figure: 'G1b',
    unit: 'us',
    ours: p99Us,
    goal: DECISION_P99_US_MAX,
    better: 'less',
    met: count > 0 && p99Us <= DECISION_P99_US_MAX && p999Us <= DECISION_P999_US_MAX,
    details: {
      p50_us_at_most: p50Us,
      p99_us_at_most: p99Us,
      p999_us_at_most: p999Us,
      decisions_timed: count,
      p999_us_wanted: DECISION_P999_US_MAX,
    },
  });
}
