/**
 * G4 and G6: what an idle screen costs in memory, what its connection costs in CPU time when it comes back to another
 * process with the files that it holds, and how long a crash of delivery keeps the screens away. The reference is the
 * same build of uWebSockets.js, which upgrades as many connections and does nothing with them. Each sample begins with
 * a new process. Ours is killed for that, and the supervisor starts the next one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../cli/instance/free-port.ts';
import { Remote } from '../child.ts';
import { cpuSecondsOf } from '../cpu-time.ts';
import { startEcho, type Server } from '../sockets/echo.ts';
import type { HeldLists, IdleCalls } from '../sockets/idle-client.ts';
import type { SocketLibrary } from '../../delivery/sockets/socket-library.ts';
import { withEachLibrary } from './socket-libraries.ts';
import { type Memory, memoryWithoutGarbage, slopeOf } from '../memory.ts';
import { inspectorEnv, inspectorOptions, profileProcess, profileTable } from '../profile.ts';
import {
  boundFigure,
  figureOf,
  measurePairs,
  median,
  perCpuSecond,
  ratioFigure,
  round,
  type Arm,
  type Bench,
  type BenchOptions,
  type Figure,
  type Pair,
  type Sample,
} from '../protocol.ts';
import { deliveryOf, killDelivery, openStage, type Stage } from '../stage.ts';

const CAMPAIGNS = 100;
/** The number that 20,000 descriptors allow besides those of the engines; the product's own limit is 15,000. */
const SCREENS = 19_000;
const CREATIVE_MS = 10_000;
/**
 * The code that takes connections is compiled, and the first pages of the heap are touched, before the slope begins.
 */
const WARM_UP_SCREENS = 1_000;
const CLIENTS = 2;
/**
 * The number of steps in which the others connect after the warm-up. Memory is read after each, and a slope is fitted.
 */
const STEPS = 3;
/** The time after which the process is quiet, because the presence of all screens was written. */
const SETTLE_MS = 3_000;
const BACK_LOOK_MS = 50;
const BACK_MS_MAX = 120_000;
const PROFILE_SECONDS = 3;
const GOALS = { slope: 1.4, slopeBytesMore: 300, connects: 0.4, backSeconds: 15 };

type Size = { campaigns: number; screens: number };
type Client = Remote<IdleCalls>;
/** A server under test and the port of its inspector. */
type InspectedServer = Server & { inspectorPort: number; lists?: HeldLists };

export const connections: Bench = {
  about:
    'memory per idle screen and CPU time per hello, against bare connections; the return of all screens after a kill',
  published: { pairs: 2, forSeconds: 6 },
  run: options =>
    withEachLibrary(library => runConnections(options, { campaigns: CAMPAIGNS, screens: SCREENS, library })),
};

/** The benchmark with another size; tests run it small. */
export async function runConnections(
  options: BenchOptions,
  { library = 'uws', ...size }: Size & { library?: SocketLibrary },
): Promise<Figure[]> {
  options.say(`connections: starting an instance with ${size.screens} screens on ${library}`);
  const inspectorPort = await freePort();
  const stage = await openStage(
    { ...size, creativeMs: CREATIVE_MS },
    {
      env: { SOCKET_LIBRARY: library, SCREENS_MAX: String(size.screens), ...inspectorEnv(inspectorPort) },
      leased: false,
      onRestart: () => undefined,
    },
  );
  const returns: Return[] = [];
  try {
    const first = await connectFirst(stage, size);
    const pairs = await measurePairs(options.pairs, async arm => {
      options.say(`connections: ${arm === 'ours' ? 'ours' : 'the reference'}, ${size.screens} connections`);
      return arm === 'ours'
        ? sampleOurs(stage, { size, inspectorPort, lists: first.lists, returns, say: options.say })
        : sampleReference(size);
    });
    if (options.profile) await profileConnects(stage, { size, inspectorPort, lists: first.lists, say: options.say });
    return figuresOf(pairs, { size, returns, usFirst: first.us });
  } finally {
    await stage.close();
  }
}

/** All screens connect for the first time and get their lists of files; returns these, and the cost of a connect. */
async function connectFirst(stage: Stage, { screens }: Size): Promise<{ lists: HeldLists; us: number }> {
  const server = { pid: deliveryOf(stage), target: stage.screens };
  const clients = await startClients();
  const from = cpuSecondsOf([server.pid]);
  await openPart(server, clients, 0, screens);
  const us = ((cpuSecondsOf([server.pid]) - from) * 1e6) / screens;
  const lists = Object.assign({}, ...(await Promise.all(clients.map(client => client.call('lists'))))) as HeldLists;
  await closeClients(clients);
  return { lists, us };
}

/** Shows how a process spends its time when half of the screens connect, after the other half. */
async function profileConnects(
  stage: Stage,
  { size: { screens }, inspectorPort, lists, say }: Omit<SampleOursOptions, 'returns'>,
): Promise<void> {
  await killDelivery(stage);
  const server = { pid: deliveryOf(stage), target: stage.screens, lists };
  const clients = await startClients();
  const half = Math.floor(screens / 2);
  await openPart(server, clients, 0, half);
  const opened = openPart(server, clients, half, screens);
  say(profileTable(await profileProcess({ pid: server.pid, port: inspectorPort, seconds: PROFILE_SECONDS }), 40));
  await opened;
  await closeClients(clients);
}

async function sampleReference(size: Size): Promise<Sample> {
  const inspectorPort = await freePort();
  const echo = await startEcho(Buffer.alloc(1), size.screens, { nodeOptions: inspectorOptions(inspectorPort) });
  try {
    return await sampleOf({ ...echo.server, inspectorPort }, size, async () => undefined);
  } finally {
    await echo.end();
  }
}

type SampleOursOptions = {
  size: Size;
  inspectorPort: number;
  lists: HeldLists;
  returns: Return[];
  say: (text: string) => void;
};

async function sampleOurs(
  stage: Stage,
  { size, inspectorPort, lists, returns, say }: SampleOursOptions,
): Promise<Sample> {
  await killDelivery(stage);
  const server = { pid: deliveryOf(stage), target: stage.screens, inspectorPort, lists };
  return sampleOf(server, size, async clients => {
    say('connections: the delivery process is killed');
    returns.push(await timeReturn(stage, clients, { screens: size.screens, say }));
  });
}

/**
 * Connects the warm-up screens and then all others in steps, and reads the memory after each step. The CPU time is that
 * of the steps.
 */
async function sampleOf(
  server: InspectedServer,
  { screens }: Size,
  then: (clients: readonly Client[]) => Promise<void>,
): Promise<Sample> {
  const clients = await startClients();
  const warmUp = Math.min(WARM_UP_SCREENS, Math.floor(screens / 2));
  try {
    await openPart(server, clients, 0, warmUp);
    const memory: [screens: number, Memory][] = [[warmUp, await readMemory(server)]];
    let [seconds, cpuSeconds] = [0, 0];
    for (let step = 0; step < STEPS; step += 1) {
      const opened = memory.at(-1)![0];
      const next = warmUp + Math.round(((screens - warmUp) * (step + 1)) / STEPS);
      const from = performance.now();
      const cpuFrom = cpuSecondsOf([server.pid]);
      await openPart(server, clients, opened, next);
      seconds += (performance.now() - from) / 1000;
      cpuSeconds += cpuSecondsOf([server.pid]) - cpuFrom;
      memory.push([next, await readMemory(server)]);
    }
    await then(clients);
    return {
      amount: screens - warmUp,
      seconds,
      cpuSeconds,
      details: {
        bytesPerScreen: slopeOf(memory.map(([count, { rssBytes }]) => [count, rssBytes])),
        heapBytesPerScreen: slopeOf(memory.map(([count, { heapBytes }]) => [count, heapBytes])),
        rssBytes: memory.at(-1)![1].rssBytes,
      },
    };
  } finally {
    await closeClients(clients);
  }
}

const startClients = (): Promise<Client[]> =>
  Promise.all(Array.from({ length: CLIENTS }, () => Remote.start<IdleCalls>('sockets/idle-client.ts')));
const closeClients = (clients: readonly Client[]) => Promise.all(clients.map(client => client.close()));

/**
 * Source addresses that were not used before: ports of closed connections rest for a minute. And not many screens at
 * one, as in life: to find a free port among thousands that are taken costs the clients milliseconds for each attempt.
 */
let address = 0;
const nextAddress = (): string => `127.1.${Math.floor(address / 250)}.${1 + (address++ % 250)}`;
const SCREENS_PER_ADDRESS = 100;
const addressesFor = (screens: number): string[] =>
  Array.from({ length: Math.ceil(screens / SCREENS_PER_ADDRESS) }, nextAddress);

async function openPart(
  { target: { port, path, tokens }, lists }: Pick<InspectedServer, 'target' | 'lists'>,
  clients: readonly Client[],
  from: number,
  to: number,
): Promise<void> {
  await Promise.all(
    clients.map((client, part) => {
      const first = from + Math.floor(((to - from) * part) / clients.length);
      const last = from + Math.floor(((to - from) * (part + 1)) / clients.length);
      return client.call('open', {
        port,
        path,
        from: addressesFor(last - first),
        connections: last - first,
        ...(tokens && { tokens: tokens.slice(first, last) }),
        ...(lists && { lists }),
      });
    }),
  );
}

async function readMemory({ pid, inspectorPort }: InspectedServer): Promise<Memory> {
  await wait(SETTLE_MS);
  return memoryWithoutGarbage({ pid, port: inspectorPort });
}

/**
 * Seconds from the kill until the first and the last screen have their welcome again: the first shows how long the
 * process was down.
 */
type Return = { first: number; last: number };

async function timeReturn(
  stage: Stage,
  clients: readonly Client[],
  { screens, say }: { screens: number; say: (text: string) => void },
): Promise<Return> {
  for (const client of clients) await client.call('stay');
  const from = performance.now();
  process.kill(deliveryOf(stage), 'SIGKILL');
  let connected = screens;
  let closed = 0;
  let first = 0;
  while (closed < screens || connected < screens) {
    await wait(BACK_LOOK_MS);
    const counts = await Promise.all(clients.map(client => client.call('count')));
    connected = counts.reduce((sum, count) => sum + count.connected, 0);
    closed = counts.reduce((sum, count) => sum + count.closed, 0);
    if (first === 0 && closed === screens && connected > 0) first = performance.now() - from;
    if (performance.now() - from > BACK_MS_MAX) {
      say(
        `connections: only ${connected} of ${screens} screens came back in ${BACK_MS_MAX / 1000} s; ${counts[0]!.lastFailure}`,
      );
      break;
    }
  }
  return { first: first / 1000, last: (performance.now() - from) / 1000 };
}

function figuresOf(
  pairs: readonly Pair[],
  { size, returns, usFirst }: { size: Size; returns: readonly Return[]; usFirst: number },
): Figure[] {
  const of = (arm: Arm, key: string): number[] => pairs.map(pair => Number(pair[arm].details?.[key]));
  const [ours, reference] = [of('ours', 'bytesPerScreen'), of('reference', 'bytesPerScreen')];
  const more = median(ours.map((bytes, pair) => bytes - reference[pair]!));
  const usOf = (arm: Arm) => Math.round(1e6 / median(pairs.map(pair => perCpuSecond(pair[arm]))));
  const details = { pairs: pairs.length, first_look: pairs.length < 5, ...size };
  const slope = ratioFigure({
    bench: 'connections',
    figure: 'G4',
    unit: 'bytes/screen',
    goal: GOALS.slope,
    better: 'less',
    samples: { ours, reference },
    details: {
      ...details,
      bytes_more: Math.round(more),
      bytes_more_wanted: GOALS.slopeBytesMore,
      heap_bytes_ours: Math.round(median(of('ours', 'heapBytesPerScreen'))),
      heap_bytes_reference: Math.round(median(of('reference', 'heapBytesPerScreen'))),
      rss_mb: Math.round(median(of('ours', 'rssBytes')) / 1e6),
    },
  });
  const connects = { us_ours: usOf('ours'), us_reference: usOf('reference'), us_first: Math.round(usFirst) };
  return [
    { ...slope, met: slope.met && more <= GOALS.slopeBytesMore },
    figureOf(
      {
        bench: 'connections',
        figure: 'G6',
        unit: 'connects/CPU-s',
        goal: GOALS.connects,
        details: { ...details, ...connects, seconds_ours: round(median(pairs.map(pair => pair.ours.seconds))) },
      },
      pairs,
    ),
    boundFigure({
      bench: 'connections',
      figure: 'G6 back',
      unit: 's',
      ours: median(returns.map(({ last }) => last)),
      goal: GOALS.backSeconds,
      better: 'less',
      samples: { ours: returns.map(({ last }) => last) },
      details: {
        ...details,
        first_back_s: round(median(returns.map(({ first }) => first))),
        all: returns.map(({ last }) => round(last)),
      },
    }),
  ];
}
