/**
 * `npm run demo`: everything on embedded engines, a network made through the API, simulated screens over real sockets,
 * live figures, and at the end the comparison of the screens' own logs with ClickHouse, play id by play id.
 */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { request } from 'undici';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { makeTemporaryFolder, sweepTemporaryFolders } from '#engines/temporary-folder.ts';
import { unlessAborted } from '#engines/processes/unless-aborted.ts';
import { formatId } from '#domain/id.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { commandLine, port, PROCESSES_MAX, runCommand, wholeNumber } from '../arguments.ts';
import { startChaos } from './chaos.ts';
import { compare, type Verdict } from './comparison.ts';
import { decisionP99Us } from './decision-time.ts';
import { tableOf } from './live-table.ts';
import { FreshnessProbe, readTotals, type Totals } from './measure.ts';
import { playKeyOf } from './play-key.ts';
import { playerHint } from './player-hint.ts';
import { createNetwork, type DemoNetwork } from './network.ts';
import { seededRandom } from './seeded-random.ts';
import { makeFiles } from './videos.ts';
import { startInstance, type Instance } from '../instance/instance.ts';
import { listenForInterrupt, type Interruption } from '../instance/interrupt.ts';
import { readyLine } from '../instance/ready-line.ts';
import { SimulatedScreen, type SwarmEvents } from '../screen-swarm.ts';
import { follow, isForPerson } from '../terminal/follow.ts';
import { bold } from '../terminal/style.ts';
import { Terminal } from '../terminal/terminal.ts';

const CHANCES = { drop: 0.02, repeat: 0.02, cannotPlay: 0.01, scan: 0.03 };
/** Screens come in over two seconds, as after a power cut in one street rather than in one instant. */
const ARRIVAL_MS = 2_000;
const DRAIN_MS_MAX = 60_000;
const FOLDER_PREFIX = 'marquee-demo-';

type Tally = {
  slots: number;
  fills: number;
  noFills: Record<string, number>;
  acked: number;
  refused: Record<string, number>;
  scans: number;
};
type Demo = {
  instance: Instance;
  network: DemoNetwork;
  sql: Postgres;
  clickhouse: Clickhouse;
  screens: SimulatedScreen[];
  tally: Tally;
  probe: FreshnessProbe;
  terminal: Terminal | undefined;
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
  const terminal = isForPerson(options) ? new Terminal() : undefined;
  terminal?.heading(`The demo of Marquee, on ${options.dataDir}`);
  const heard = terminal
    ? follow(terminal, { dataDir: options.dataDir, kept: 'warn', shown: 'error' })
    : {
        logLevel: process.env['LOG_LEVEL'] ?? 'error',
        onRestart: (service: string, pid: number) => print({ event: 'restarted', service, pid }),
      };
  const instance = await startInstance({ ...options, signal: interruption.signal, ...heard });
  try {
    terminal?.begin('Making videos, venues, screens and campaigns');
    const demo = await unlessAborted(
      prepare(instance, { ...options, terminal }, interruption.signal),
      interruption.signal,
    );
    if (terminal)
      terminal.say(
        greetingOf(
          instance,
          demo.network,
          await playerHint({ apiUrl: instance.apiUrl, key: demo.network.keys.screen_manager }),
        ),
      );
    else print(readyLine(instance, demo.network.keys));
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
    .description('Runs everything on embedded engines with simulated screens, and counts at the end. Ctrl-C ends it.')
    .option('--for <seconds>', 'end by itself after this time', wholeNumber(1, 86_400))
    .option('--screens <n>', 'how many are simulated', wholeNumber(1, 5_000), 200)
    .option('--campaigns <n>', 'how many they show', wholeNumber(4, 2_000), 40)
    .option('--json', 'print lines of JSON on a terminal, too', false)
    .option('--chaos', 'kill services and engines on the way', false)
    .option('--port <port>', 'of the API; 0 for any', port, 0)
    .option('--delivery-port <port>', 'for screens; 0 for any', port, 0)
    .option('--delivery-processes <n>', 'how many serve screens', wholeNumber(1, PROCESSES_MAX), 1)
    .option('--ingest-processes <n>', 'how many take in plays', wholeNumber(1, PROCESSES_MAX), 1)
    .option('--data-dir <folder>', 'where the data is kept; by default nowhere')
    .parse()
    .opts();
  return { ...options, forSeconds };
}

async function prepare(
  instance: Instance,
  { dataDir, screens: screenCount, campaigns, terminal }: Options & { dataDir: string; terminal: Terminal | undefined },
  signal: AbortSignal,
): Promise<Demo> {
  const sql = openPostgres(instance.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-demo' });
  const clickhouse = openClickhouse(instance.urls.clickhouseUrl, { application: 'marquee-demo', connectionsMax: 2 });
  const files = await makeFiles(join(dataDir, 'demo-files'), signal);
  const network = await createNetwork({ sql, apiUrl: instance.apiUrl, files, screens: screenCount, campaigns });
  const tally: Tally = { slots: 0, fills: 0, noFills: {}, acked: 0, refused: {}, scans: 0 };
  const probe = new FreshnessProbe(clickhouse);
  const events = listen(tally, probe);
  const screens = network.screens.map(
    (screen, index) =>
      new SimulatedScreen({
        url: () => instance.deliveryUrl,
        token: screen.token,
        platform: screen.platform,
        module: screen.module,
        random: seededRandom(index + 1),
        chances: CHANCES,
        events,
      }),
  );
  return { instance, network, sql, clickhouse, screens, tally, probe, terminal, isOver: false };
}

function listen(tally: Tally, probe: FreshnessProbe): EventEmitter<SwarmEvents> {
  const events = new EventEmitter<SwarmEvents>();
  events.on('slot', slot => {
    tally.slots += 1;
    if ('no_fill' in slot) tally.noFills[slot.no_fill] = (tally.noFills[slot.no_fill] ?? 0) + 1;
    else tally.fills += 1;
  });
  events.on('acked', (playId, _campaignId, at) => {
    tally.acked += 1;
    probe.acknowledged(playKeyOf(playId), at);
  });
  events.on('refused', (_playId, reason) => {
    tally.refused[reason] = (tally.refused[reason] ?? 0) + 1;
  });
  events.on('scan', url => {
    void scan(url, tally);
  });
  return events;
}

/** A person follows the code; each is another client. */
async function scan(url: string, tally: Tally): Promise<void> {
  try {
    const response = await request(url, { headers: { 'user-agent': `phone/${tally.slots}` } });
    await response.body.dump();
    if (response.statusCode === 302) tally.scans += 1;
  } catch {
    // The API may be restarting: a person would try again, this one does not.
  }
}

type RunOptions = { forSeconds: number | undefined; interruption: Interruption; chaos: boolean };

async function run(demo: Demo, { forSeconds, interruption, chaos }: RunOptions): Promise<number> {
  const startedAt = Date.now();
  demo.probe.start();
  demo.screens.forEach((screen, index) => setTimeout(() => screen.start(), (index * ARRIVAL_MS) / demo.screens.length));
  const ticker = setInterval(() => void tick(demo, startedAt), 1_000);
  const callOff = chaos
    ? startChaos(demo.instance, {
        forSeconds,
        onKill: (service, pid) => {
          tellKill(demo, service, pid);
        },
      })
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
  await (forSeconds === undefined
    ? happened
    : Promise.race([
        happened,
        new Promise<void>(resolve => {
          setTimeout(resolve, forSeconds * 1_000);
        }),
      ]));
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
    });
    if ((waiting === 0 && verdict.lost === 0) || Date.now() > until) return verdict;
    await new Promise(resolve => {
      setTimeout(resolve, 250);
    });
  }
}

let slotsBefore = 0;

async function tick(demo: Demo, startedAt: number): Promise<void> {
  const { tally, probe } = demo;
  const totals: Totals | undefined = await readTotals(demo.clickhouse).catch(() => undefined); // an engine that restarts: the next second has it
  if (!totals) return;
  if (!demo.terminal) {
    print({
      event: 'progress',
      at: Date.now(),
      slots: tally.slots,
      fills: tally.fills,
      plays_acked: tally.acked,
      plays_reported: totals.plays,
      spend_micros: totals.spendMicros,
      freshness_p99_ms: probe.percentileMs(0.99),
    });
    return;
  }
  const top = await topCampaigns(demo).catch(() => undefined);
  if (!top || demo.isOver) return; // what was painted last stays above the result
  demo.terminal.paint(
    tableOf({
      secondsRun: Math.round((Date.now() - startedAt) / 1000),
      screensOnline: demo.screens.length,
      slotsPerSecond: tally.slots - slotsBefore,
      fillRate: tally.slots === 0 ? 0 : tally.fills / tally.slots,
      playsAcked: tally.acked,
      playsReported: totals.plays,
      spendMicros: totals.spendMicros,
      freshnessP50Ms: probe.percentileMs(0.5),
      freshnessP99Ms: probe.percentileMs(0.99),
      top,
    }),
  );
  slotsBefore = tally.slots;
}

async function topCampaigns(demo: Demo): Promise<{ name: string; plays: number; spendMicros: number }[]> {
  const result = await demo.clickhouse.query({
    query:
      'select campaign_id, sum(plays) as plays, sum(cost_micros) as spend from plays_quarter_hour group by campaign_id order by spend desc limit 5',
    format: 'JSONEachRow',
  });
  const names = new Map(demo.network.campaigns.map(campaign => [campaign.id, campaign.name]));
  const rows = await result.json<{ campaign_id: string; plays: number; spend: number }>();
  return rows.map(row => ({
    name: names.get(row.campaign_id) ?? row.campaign_id,
    plays: Number(row.plays),
    spendMicros: Number(row.spend),
  }));
}

/** `needsPlays`: a run of its whole time in which nothing was played shows nothing, and fails. */
async function summarise(demo: Demo, verdict: Verdict, { needsPlays }: { needsPlays: boolean }): Promise<number> {
  const { tally, probe } = demo;
  const totals = await readTotals(demo.clickhouse);
  const summary = {
    event: 'summary',
    screens: demo.screens.length,
    campaigns: demo.network.campaigns.length,
    slots: tally.slots,
    fills: tally.fills,
    no_fills: tally.noFills,
    plays_acked: tally.acked,
    plays_reported: verdict.playsReported,
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
  demo.isOver = true;
  demo.terminal?.leave();
  if (demo.terminal) demo.terminal.say(farewellOf(summary));
  else print(summary);
  return (tally.acked > 0 || !needsPlays) &&
    verdict.lost === 0 &&
    verdict.doubleCounted === 0 &&
    verdict.overspent === 0
    ? 0
    : 1;
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function greetingOf(instance: Instance, network: DemoNetwork, player: string): string {
  const [first] = network.campaigns;
  return `
${bold('Marquee runs:')} ${network.screens.length} screens, ${network.campaigns.length} campaigns.
  API           ${instance.apiUrl}/v1
  Screens       ${instance.deliveryUrl}
  ClickHouse    ${instance.clickhouse.url}  user ${instance.clickhouse.username}, password ${instance.clickhouse.password}
  Brand's key   ${network.keys.ads_manager}
  Venue's key   ${network.keys.screen_manager}

Watch a report grow:
  curl -H 'Authorization: Bearer ${network.keys.ads_manager}' ${instance.apiUrl}/v1/reporting/campaigns/${first?.id ?? formatId('campaign', 1)}
Ask ClickHouse:
  curl -u ${instance.clickhouse.username}:${instance.clickhouse.password} '${instance.clickhouse.url}/?database=marquee' -d 'select campaign_id, sum(plays) from plays_by_hour group by 1 order by 2 desc limit 5'
${player}

Ctrl-C stops it.
`;
}

function farewellOf(summary: {
  plays_acked: number;
  plays_reported: number;
  lost: number;
  double_counted: number;
  overspent: number;
  decision_p99_us: number;
  freshness_p99_ms: number;
}): string {
  return `
${summary.plays_acked} plays were acknowledged to screens, ${summary.plays_reported} are in the reports.
Lost ${summary.lost}, counted twice ${summary.double_counted}, campaigns overspent ${summary.overspent}.
Decision p99 ${summary.decision_p99_us} us, from acknowledgement to report p99 ${summary.freshness_p99_ms} ms.
`;
}
