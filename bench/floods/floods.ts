/**
 * How long screens, reports and inserts wait while somebody floods the instance, compared with how long they wait just
 * before. Every kind of flood that docs/operate/security.md names is tried, one after the other, on one instance.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { encodeScanCode, parseSigningKeys } from '#domain/plays/play.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres } from '#sql/postgres.ts';
import type { Handle } from '../../domain/id.ts';
import { type FloodCommand, FLOODS as ANALYST_FLOODS, percentile, sampleClickhouse } from '../ingest/analysts.ts';
import { endChild, messageOf, startChild } from '../child.ts';
import { LoadClient } from '../sockets/load.ts';
import type { NetworkSize } from '../delivery/network.ts';
import { median, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';
import { buildPlays, type ReportsSize } from '../ingest/reports.ts';
import { openStage, type Stage } from '../stage.ts';

const OF_STRANGERS = [
  'hellos with tokens that are made up',
  'hellos of one screen',
  'pings',
  'sockets that say nothing',
  'connections that do not upgrade',
  'scans of one code',
  'bodies of a megabyte',
  'uploads to addresses that are made up',
] as const;
/** A query that computes, one that reads much, and one with a long text. The benchmark `analysts` has the others. */
const OF_ANALYSTS = ['queries that compute', 'scans of every play', 'statements of 256 KiB'] as const;
const ALL = [...OF_STRANGERS, ...OF_ANALYSTS] as const;
type FloodName = (typeof ALL)[number];

/** The command to the flooding process. */
export type FloodOf = {
  what: (typeof OF_STRANGERS)[number];
  delivery: { port: number; path: string };
  token: string;
  apiUrl: string;
  scanPath: string;
};

type Size = { network: NetworkSize; plays: Omit<ReportsSize, 'folder'> };
const SIZE: Size = {
  network: { campaigns: 1_000, screens: 200, creativeMs: 10_000 },
  plays: { plays: 500_000, campaigns: 20, screens: 500, days: 30 },
};
/** A hundredth of what one process can take, so that waits come from the flood and not from this load. */
const SLOTS_PER_SECOND = 200;
/** The time after which a flood has reached its full effect. */
const FLOODED_MS = 2_000;
/**
 * The most seconds for all pairs. With the start and the plays (about 90 s), a run stays within nine minutes, whatever
 * `--for` says.
 */
const RUN_SECONDS_MAX = 420;
const PAIRS_MAX = 5;
/** Seconds that a flood takes before it is sampled: the start of its process, and `FLOODED_MS`. */
const FLOOD_SECONDS = 4;
const GOAL_RATIO = 2;
const MS_PER_US = 1 / 1_000;

export const floods: Bench = {
  about: 'what screens, reports and inserts wait beside each flood, against what they wait alone',
  run: options => runFloods(options, { size: SIZE, names: ALL }),
};

/** The benchmark with another size; tests run it small. */
export async function runFloods(
  { forSeconds, pairs, say }: BenchOptions,
  { size, names }: { size: Size; names: readonly FloodName[] },
): Promise<Figure[]> {
  const stage = await openStage(size.network);
  const clickhouse = openClickhouse(stage.instance.urls.clickhouseUrl, {
    application: 'marquee-bench',
    connectionsMax: 20,
  });
  const [flooder, ...tokens] = stage.screens.tokens;
  const screens = await LoadClient.start({ ...stage.screens, tokens, connections: tokens.length });
  try {
    await buildPlays(clickhouse, { ...size.plays, folder: '' }, say);
    const target = {
      delivery: { port: stage.screens.port, path: stage.screens.path },
      token: flooder!,
      apiUrl: stage.instance.apiUrl,
      scanPath: await scanPathOf(stage),
    };
    const rounds = Math.min(pairs, PAIRS_MAX);
    const seconds = Math.max(
      1,
      Math.min(forSeconds, Math.floor((RUN_SECONDS_MAX / (rounds * names.length) - FLOOD_SECONDS) / 2)),
    );
    await screens.pace(SLOTS_PER_SECOND);
    const take = (): Promise<Waits> => sample(clickhouse, screens, { plays: size.plays, seconds });
    await take(); // warms what answers
    const measured: Measured[] = [];
    for (let pair = 0; pair < rounds; pair += 1) {
      for (const name of names) measured.push(await measure(name, { stage, target, take, say }));
    }
    return names.flatMap(name =>
      WAITS.map(what =>
        figureOf(
          what,
          measured.filter(one => one.name === name),
          { name, seconds },
        ),
      ),
    );
  } finally {
    await screens.close().catch(() => undefined); // its screens may be gone with what was flooded
    await clickhouse.close();
    await stage.close();
  }
}

const WAITS = ['slots', 'reports', 'inserts'] as const;
/** p99 in ms. */
type Waits = Record<(typeof WAITS)[number], number>;
type Measured = { name: FloodName; quiet: Waits; flooded: Waits };

type MeasureOptions = {
  stage: Stage;
  target: Omit<FloodOf, 'what'>;
  take: () => Promise<Waits>;
  say: BenchOptions['say'];
};

async function measure(name: FloodName, { stage, target, take, say }: MeasureOptions): Promise<Measured> {
  const quiet = await take();
  const child = await startFlood(name, stage, target);
  await wait(FLOODED_MS);
  const flooded = await take();
  await endChild(child);
  say(
    `floods: ${name}: ${Object.entries(quiet)
      .map(([what, ms]) => `${what} p99 ${ms} ms alone, ${flooded[what as keyof Waits]} beside`)
      .join('; ')}`,
  );
  return { name, quiet, flooded };
}

async function startFlood(name: FloodName, { instance }: Stage, target: Omit<FloodOf, 'what'>): Promise<ChildProcess> {
  const isAnalyst = name in ANALYST_FLOODS;
  const child = startChild(isAnalyst ? 'ingest/analyst-flood.ts' : 'floods/flood.ts', { detached: true });
  await once(child, 'spawn');
  if (isAnalyst) child.send({ flood: name, ...instance.clickhouse } satisfies FloodCommand);
  else child.send({ what: name as FloodOf['what'], ...target } satisfies FloodOf);
  await messageOf(child);
  return child;
}

async function sample(
  clickhouse: Clickhouse,
  screens: LoadClient,
  { plays, seconds }: { plays: Size['plays']; seconds: number },
): Promise<Waits> {
  await screens.times(); // discards the times from before this sample
  const { reports, inserts } = await sampleClickhouse(clickhouse, { size: plays, seconds });
  const { p99Us } = await screens.times();
  return { slots: round(p99Us * MS_PER_US), reports: percentile(reports, 0.99), inserts: percentile(inserts, 0.99) };
}

/** A scan of a code that was shown: it is redirected, and counted until it was followed too often. */
async function scanPathOf({ instance: { urls, secrets } }: Stage): Promise<string> {
  const sql = openPostgres(urls.databaseUrl, { connectionsMax: 1, applicationName: 'marquee-bench' });
  const [row] = await sql<{ campaign: Handle<'campaign'>; creative: Handle<'creative'>; screen: Handle<'screen'> }[]>`
    select k.campaign_handle as campaign, k.creative_handle as creative, (select min(handle) from screens) as screen from campaign_creatives k limit 1`;
  await sql.end({ timeout: 5 });
  const { current } = parseSigningKeys(secrets.signingKeys);
  return `/s/${encodeScanCode({ ...row!, slotMinute: Math.floor(Date.now() / 60_000) }, current)}`;
}

/** The medians of a flood's pairs. */
function figureOf(
  what: keyof Waits,
  measured: readonly Measured[],
  { name, seconds }: { name: FloodName; seconds: number },
): Figure {
  const ratios = measured.map(({ quiet, flooded }) => flooded[what] / quiet[what]);
  const ratio = round(median(ratios));
  return {
    bench: 'floods',
    figure: `${what}, ${name}`,
    unit: 'ms p99',
    ours: round(median(measured.map(({ flooded }) => flooded[what]))),
    reference: round(median(measured.map(({ quiet }) => quiet[what]))),
    ratio,
    min: round(Math.min(...ratios)),
    max: round(Math.max(...ratios)),
    goal: GOAL_RATIO,
    better: 'less',
    samples: {
      ours: measured.map(({ flooded }) => flooded[what]),
      reference: measured.map(({ quiet }) => quiet[what]),
    },
    met: ratio <= GOAL_RATIO,
    details: { pairs: measured.length, seconds },
  };
}
