/**
 * `npm run demo`: everything on embedded engines, a network made through the API, simulated screens over real sockets,
 * live figures, and at the end the comparison of the screens' own logs with ClickHouse, play id by play id.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { makeTemporaryFolder, sweepTemporaryFolders } from '#engines/temporary-folder.ts';
import { unlessAborted } from '#engines/processes/unless-aborted.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { commandLine, port, PROCESSES_MAX, runCommand, wholeNumber } from '../arguments.ts';
import { startChaos } from './chaos.ts';
import { compare, type Verdict } from './comparison.ts';
import { tableOf } from './live-table.ts';
import { decisionP99Us, FreshnessProbe, readTopCampaigns, readTotals, type Totals } from './measure.ts';
import { accessOf, farewellOf, greetingOf, playerHint, type Summary } from './messages.ts';
import { keepNetwork, readKeptNetwork } from './network/kept.ts';
import { createNetwork, openNetwork, type DemoNetwork, type MadeNetwork } from './network/network.ts';
import { isOnLoopback } from './loopback.ts';
import { createSwarm, showAway, type Tally } from './swarm.ts';
import { historyBegin, makeHistory } from './history/history.ts';
import { makeFiles, type DemoFiles } from './network/creatives.ts';
import { startInstance, type Instance } from '../instance/instance.ts';
import { listenForInterrupt, type Interruption } from '../instance/interrupt.ts';
import { readyLine } from '../instance/ready-line.ts';
import type { SimulatedScreen } from '../screen-swarm.ts';
import { follow } from '../terminal/follow.ts';
import { Terminal } from '../terminal/terminal.ts';

/** Screens connect over two seconds, as after a power cut in one street, and not all in the same instant. */
const ARRIVAL_MS = 2_000;
const DRAIN_MS_MAX = 60_000;
const QUARTER_MS = 900_000;
const FOLDER_PREFIX = 'marquee-demo-';

const quarterOf = (ms: Milliseconds): Milliseconds => Math.floor(ms / QUARTER_MS) * QUARTER_MS;

type Demo = {
  instance: Instance;
  network: DemoNetwork;
  sql: Postgres;
  clickhouse: Clickhouse;
  screens: SimulatedScreen[];
  tally: Tally;
  probe: FreshnessProbe;
  terminal: Terminal | undefined;
  /** The start of the quarter of an hour in which this run began; the demo's history is before it. */
  sinceMs: Milliseconds;
  /** What an earlier run has counted since then. */
  before: Totals;
  /** The number of slots when the table was drawn last. */
  slotsBefore: number;
  isOver: boolean;
};

runCommand(async () => {
  const options = readOptions();
  const interruption = listenForInterrupt({ isForReader: true });
  await sweepTemporaryFolders(FOLDER_PREFIX);
  const dataDir = options.dataDir ?? makeTemporaryFolder(FOLDER_PREFIX);
  try {
    return await runDemo({ ...options, dataDir }, interruption);
  } finally {
    if (options.dataDir === undefined) await removeOwnedPath(dataDir);
  }
});

async function runDemo(options: Options & { dataDir: string }, interruption: Interruption): Promise<number> {
  const kept = readKeptNetwork(options.dataDir);
  const terminal = options.json ? undefined : new Terminal();
  terminal?.heading(`The demo of Marquee, ${kept ? 'continued ' : ''}on ${options.dataDir}`);
  const heard = terminal
    ? follow(terminal, { dataDir: options.dataDir, logged: 'warn', shown: 'error' })
    : {
        logLevel: process.env['LOG_LEVEL'] ?? 'error',
        onRestart: (service: string, pid: number) => print({ event: 'restarted', service, pid }),
      };
  // The engines mostly wait for each other and for the disk while they start, so making the videos meanwhile costs no
  // time.
  const [started, made] = await Promise.allSettled([
    startInstance({
      ...options,
      signal: interruption.signal,
      ...heard,
      ...(isOnLoopback(process.env) && { env: { DEMO_SIGN_IN: '1' } }),
    }),
    kept ? undefined : makeFiles(join(options.dataDir, 'demo-files'), interruption.signal),
  ]);
  if (started.status === 'rejected') throw started.reason;
  const instance = started.value;
  try {
    if (made.status === 'rejected') throw made.reason;
    const demo = await unlessAborted(
      prepare(instance, {
        terminal,
        isDense: options.chaos,
        makeNetwork: async sql =>
          kept ?? (await makeNetwork(instance, { ...options, sql, files: made.value!, terminal })),
      }),
      interruption.signal,
    );
    if (terminal)
      terminal.say(
        greetingOf(instance, {
          network: demo.network,
          player: await playerHint({ apiUrl: instance.apiUrl, key: demo.network.keys.screen_manager }),
          isVerbose: options.verbose,
        }),
      );
    else print(readyLine(instance, accessOf(instance, demo.network)));
    const code = await run(demo, { forSeconds: options.forSeconds, interruption, chaos: options.chaos });
    await Promise.all([demo.sql.end({ timeout: 5 }), demo.clickhouse.close()]);
    return code;
  } finally {
    terminal?.begin('Stopping the services and engines');
    await instance.stop();
    terminal?.leave();
  }
}

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { for: forSeconds, ...options } = commandLine('npm run demo --')
    .description('Runs Marquee on embedded engines with simulated screens. Ctrl-C stops it and prints the totals.')
    .option('--for <seconds>', 'stop after n seconds', wholeNumber(1, 86_400))
    .option('--screens <n>', 'number of simulated screens', wholeNumber(1, 5_000), 200)
    .option('--campaigns <n>', 'number of campaigns', wholeNumber(4, 2_000), 40)
    .option('--no-history', 'start without the five weeks of history')
    .option('--json', 'print JSON lines instead of text', false)
    .option('--verbose', 'print the addresses of screens and ClickHouse, too', false)
    .option('--chaos', 'kill services and engines during the run', false)
    .option('--port <port>', 'API port (0 = random)', port, 0)
    .option('--delivery-port <port>', 'port for screens (0 = random)', port, 0)
    .option('--delivery-processes <n>', 'number of delivery processes', wholeNumber(1, PROCESSES_MAX), 1)
    .option('--ingest-processes <n>', 'number of ingest processes', wholeNumber(1, PROCESSES_MAX), 1)
    .option('--data-dir <folder>', 'data folder (default: temporary, deleted on exit)')
    .parse()
    .opts();
  return { ...options, forSeconds };
}

type MakeOptions = Options & { dataDir: string; sql: Postgres; files: DemoFiles; terminal: Terminal | undefined };

async function makeNetwork(
  instance: Instance,
  { dataDir, history, terminal, ...options }: MakeOptions,
): Promise<MadeNetwork> {
  terminal?.begin('Making venues, screens and campaigns');
  const network = await createNetwork({
    ...options,
    apiUrl: instance.apiUrl,
    openedAt: history ? historyBegin() : new Date(),
    makeHistory: async founded => {
      if (!history) return;
      terminal?.begin('Playing five weeks of history');
      await makeHistory({ instance, founded, untilMs: quarterOf(Date.now()) });
    },
  });
  keepNetwork(dataDir, network);
  return network;
}

type PrepareOptions = {
  terminal: Terminal | undefined;
  isDense: boolean;
  makeNetwork: (sql: Postgres) => Promise<MadeNetwork>;
};

async function prepare(instance: Instance, { terminal, isDense, ...options }: PrepareOptions): Promise<Demo> {
  const sql = openPostgres(instance.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-demo' });
  const clickhouse = openClickhouse(instance.urls.clickhouseUrl, { application: 'marquee-demo', connectionsMax: 2 });
  const sinceMs = quarterOf(Date.now());
  const network = await openNetwork(sql, await options.makeNetwork(sql));
  const probe = new FreshnessProbe(clickhouse);
  const { screens, tally } = createSwarm(network, { url: () => instance.deliveryUrl, probe, isDense });
  return {
    instance,
    network,
    sql,
    clickhouse,
    screens,
    tally,
    probe,
    terminal,
    sinceMs,
    before: await readTotals(clickhouse, sinceMs),
    slotsBefore: 0,
    isOver: false,
  };
}

type RunOptions = { forSeconds: number | undefined; interruption: Interruption; chaos: boolean };

async function run(demo: Demo, { forSeconds, interruption, chaos }: RunOptions): Promise<number> {
  const startedAt = Date.now();
  demo.probe.start();
  showAway(demo.network, () => demo.instance.deliveryUrl);
  demo.screens.forEach((screen, index) => setTimeout(() => screen.start(), (index * ARRIVAL_MS) / demo.screens.length));
  const ticker = setInterval(() => void tick(demo, startedAt), 1_000);
  const callOff = chaos
    ? startChaos(demo.instance, { forSeconds, onKill: (service, pid) => tellKill(demo, service, pid) })
    : () => undefined;
  try {
    return await runUntil(demo, { forSeconds, interruption });
  } finally {
    callOff();
    clearInterval(ticker);
    demo.probe.stop();
    for (const screen of demo.screens) screen.close();
  }
}

function tellKill(demo: Demo, service: string, pid: number): void {
  if (demo.terminal) demo.terminal.say(`Killed ${service} (process ${pid}).`);
  else print({ event: 'killed', service, pid });
}

async function runUntil(demo: Demo, { forSeconds, interruption }: Omit<RunOptions, 'chaos'>): Promise<number> {
  const { happened, signal } = interruption;
  await (forSeconds === undefined ? happened : Promise.race([happened, wait(forSeconds * 1_000)]));
  const needsPlays = !signal.aborted;
  for (const screen of demo.screens) screen.stopAsking();
  demo.terminal?.say(
    'No more slots are asked for; waiting until every play is in the reports. Ctrl-C ends it at once.',
  );
  return summarise(demo, await drain(demo), { needsPlays });
}

/** Waits until every play is acknowledged and reported, at most a minute, and compares. */
async function drain(demo: Demo): Promise<Verdict> {
  const until = Date.now() + DRAIN_MS_MAX;
  for (;;) {
    const waiting = demo.screens.reduce((sum, screen) => sum + screen.unacked, 0);
    const verdict = await compare({
      logs: demo.screens.map(screen => screen.log),
      clickhouse: demo.clickhouse,
      sql: demo.sql,
      sinceMs: demo.sinceMs,
    });
    if ((waiting === 0 && verdict.lost === 0) || Date.now() > until) return verdict;
    await wait(250);
  }
}

/** Every second: prints a line of JSON, or draws the live table again. */
async function tick(demo: Demo, startedAt: Milliseconds): Promise<void> {
  // While an engine restarts there are no totals; the next second has them.
  const totals = await totalsOf(demo).catch(() => undefined);
  if (!totals) return;
  if (demo.terminal) await paint(demo, demo.terminal, { totals, startedAt });
  else print(progressLine(demo, totals));
}

function progressLine({ tally, probe }: Demo, totals: Totals): object {
  return {
    event: 'progress',
    at: Date.now(),
    slots: tally.slots,
    fills: tally.fills,
    plays_acked: tally.acked,
    plays_reported: totals.plays,
    spend_micros: totals.spendMicros,
    freshness_p99_ms: probe.percentileMs(0.99),
  };
}

type PaintOptions = { totals: Totals; startedAt: Milliseconds };

async function paint(demo: Demo, terminal: Terminal, { totals, startedAt }: PaintOptions): Promise<void> {
  const { tally, probe } = demo;
  const top = await readTopCampaigns(demo.clickhouse, {
    campaigns: demo.network.campaigns,
    sinceMs: demo.sinceMs,
  }).catch(() => undefined);
  if (!top || demo.isOver) return; // the last drawing stays above the result
  terminal.paint(
    tableOf({
      secondsRun: Math.round((Date.now() - startedAt) / 1000),
      screensOnline: demo.screens.length,
      slotsPerSecond: tally.slots - demo.slotsBefore,
      fillRate: tally.slots === 0 ? 0 : tally.fills / tally.slots,
      playsAcked: tally.acked,
      playsReported: totals.plays,
      spendMicros: totals.spendMicros,
      freshnessP50Ms: probe.percentileMs(0.5),
      freshnessP99Ms: probe.percentileMs(0.99),
      top,
    }),
  );
  demo.slotsBefore = tally.slots;
}

/** `needsPlays`: a run that was not cut short and in which nothing was played proves nothing, and fails. */
async function summarise(demo: Demo, verdict: Verdict, { needsPlays }: { needsPlays: boolean }): Promise<number> {
  const summary = await summaryOf(demo, verdict);
  demo.isOver = true;
  demo.terminal?.leave();
  if (demo.terminal) demo.terminal.say(farewellOf(summary));
  else print(summary);
  const isSound = verdict.lost === 0 && verdict.doubleCounted === 0 && verdict.overspent === 0;
  return isSound && (demo.tally.acked > 0 || !needsPlays) ? 0 : 1;
}

/** The totals of this run. */
async function totalsOf({ clickhouse, sinceMs, before }: Demo): Promise<Totals> {
  const { plays, spendMicros, scans } = await readTotals(clickhouse, sinceMs);
  return { plays: plays - before.plays, spendMicros: spendMicros - before.spendMicros, scans: scans - before.scans };
}

async function summaryOf(demo: Demo, verdict: Verdict): Promise<Summary> {
  const { tally, probe } = demo;
  const totals = await totalsOf(demo);
  return {
    event: 'summary',
    screens: demo.screens.length,
    campaigns: demo.network.campaigns.length,
    slots: tally.slots,
    fills: tally.fills,
    no_fills: tally.noFills,
    plays_acked: tally.acked,
    plays_reported: verdict.playsReported - demo.before.plays,
    plays_refused: tally.refused,
    scans_reported: totals.scans,
    spend_micros: totals.spendMicros,
    lost: verdict.lost,
    double_counted: verdict.doubleCounted,
    overspent: verdict.overspent,
    decision_p99_us: await decisionP99Us(demo.instance.ops()['delivery']!),
    freshness_p50_ms: probe.percentileMs(0.5),
    freshness_p99_ms: probe.percentileMs(0.99),
  };
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
