/**
 * G11 to G13 per CPU-second, G11t and G12t by the clock, G12w (writers of many workspaces compared with writers of
 * one), and the API under many connections. Ours is the whole path of a deployed API: key, limits, permission,
 * idempotency, audit and access log. The references do the same for the caller with nothing around it: bare Fastify
 * with the same select, bare Fastify with one insert of one row in a transaction, and ClickHouse asked directly over
 * HTTP for the figures of the report. Work is divided by the CPU time of the server and of all engines together.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { formatId, type Handle } from '#domain/id.ts';
import type { CannonCalls, Hits, Shot, Target } from './cannon.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { openApiStage, targetsOf, type ApiSize, type ApiStage, type Brand } from './stage.ts';
import { Remote } from '../child.ts';
import { busySecondsOf, cpuSecondsOf } from '../cpu-time.ts';
import { rssBytesOf } from '../memory.ts';
import { inspectorOptions, profileProcess, profileTable } from '../profile.ts';
import { canPin, CLIENT_CORE, pinTo } from '../pinning.ts';
import {
  boundFigure,
  figureOf,
  measurePairs,
  perSecond,
  round,
  type Arm,
  type Bench,
  type BenchOptions,
  type Figure,
  type Sample,
  partOf,
} from '../protocol.ts';

const SIZE: ApiSize = { campaigns: 1_000, screens: 100, plays: 200_000 };
const CONNECTIONS = 50;
const LOAD_CONNECTIONS = 200;
const GOALS = { G11: 0.5, G12: 0.35, G13: 2 };
const GOALS_BY_CLOCK = { G11: 0.6, G12: 0.5 };
/** The least ratio: writers of fifty workspaces are not slower than as many writers of one. */
const GOAL_OF_WRITERS = 1;
const WARM_UP_SHARE = 0.2;
/** A heap that has not reached its size yet grows too. A leak of every request would be far above this. */
const RSS_GROWTH_MAX = 0.15;
const SETTLE_MS = 1_000;
const DAY_MS = 86_400_000;
const PROFILE_LINES = 40;
/** The time in which the inspector opens. */
const PROFILE_MARGIN_SECONDS = 1;
const FIGURES = ['G11', 'G12', 'G13', 'G12w', 'load'];

export const api: Bench = {
  about:
    'GET and POST of campaigns and GET report, against bare Fastify with the same select, one insert, and a direct ClickHouse query',
  published: { pairs: 3, forSeconds: 6 },
  run: options => runApi(options, SIZE),
};

type Cannon = (shot: Omit<Shot, 'seconds'>, seconds: number) => Promise<Hits>;
type Arms = Record<Arm, { pid?: number; shot: Omit<Shot, 'seconds'> }>;

/** The benchmark with another size; tests run it small. */
export async function runApi(options: BenchOptions, size: ApiSize): Promise<Figure[]> {
  const unknown = options.only?.find(figure => !FIGURES.includes(figure));
  if (unknown !== undefined) throw new Error(`api has no figure '${unknown}'; it has ${FIGURES.join(', ')}`);
  options.say(`api: starting engines, a network of ${size.campaigns} campaigns, the API and the reference`);
  const inspectorPort = await freePort();
  const stage = await openApiStage(size, options.profile ? { nodeOptions: inspectorOptions(inspectorPort) } : {});
  const client = await Remote.start<CannonCalls>('api/cannon.ts');
  try {
    if (canPin()) pinTo(CLIENT_CORE, [client.pid]);
    const cannon: Cannon = (shot, seconds) => client.call('shoot', { ...shot, seconds });
    return await measure(stage, cannon, { ...options, inspectorPort });
  } finally {
    await client.close();
    await stage.close();
  }
}

type MeasureOptions = BenchOptions & { inspectorPort: number };

async function measure(stage: ApiStage, cannon: Cannon, options: MeasureOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  const isWanted = (figure: string) => options.only === undefined || options.only.includes(figure);
  for (const [figure, unit, arms] of [
    ['G11', 'GET/CPU-s', readArms(stage)],
    ['G12', 'POST/CPU-s', createArms(stage)],
    ['G13', 'reports/CPU-s', reportArms(stage)],
  ] as const) {
    if (!isWanted(figure)) continue;
    options.say(`api: ${figure}`);
    figures.push(...(await measureArms(stage, cannon, { ...options, figure, unit, arms })));
    if (options.profile) await profileApi(stage, cannon, { ...options, figure, shot: arms.ours.shot });
  }
  if (isWanted('G12w')) {
    options.say('api: G12w');
    figures.push(await measureWriters(stage, cannon, options));
  }
  if (!isWanted('load')) return figures;
  for (const [name, shot] of [
    ['load GET', readArms(stage).ours.shot],
    ['load POST', createArms(stage).ours.shot],
  ] as const) {
    options.say(`api: ${name} with ${LOAD_CONNECTIONS} connections`);
    figures.push(await measureLoad(stage, cannon, { ...options, name, shot }));
  }
  return figures;
}

type ProfileOptions = MeasureOptions & { figure: string; shot: Omit<Shot, 'seconds'> };

/** Prints the self time of the API by function, over the same calls. */
async function profileApi(
  { api }: ApiStage,
  cannon: Cannon,
  { figure, shot, forSeconds, inspectorPort, say }: ProfileOptions,
): Promise<void> {
  say(`api: profile of ${figure}`);
  const [lines] = await Promise.all([
    profileProcess({ pid: api.pid, port: inspectorPort, seconds: forSeconds }),
    cannon(shot, forSeconds + PROFILE_MARGIN_SECONDS),
  ]);
  say(profileTable(lines, PROFILE_LINES));
}

const campaignId = (handle: Handle<'campaign'>) => formatId('campaign', handle);

function readArms({ brands, api, reference }: ApiStage): Arms {
  return {
    ours: {
      pid: api.pid,
      shot: {
        url: api.url,
        connections: CONNECTIONS,
        targets: targetsOf(brands, handle => `/v1/campaigns/${campaignId(handle)}`),
      },
    },
    reference: {
      pid: reference.pid,
      shot: {
        url: reference.url,
        connections: CONNECTIONS,
        targets: targetsOf(brands, handle => `/campaigns/${handle}`),
      },
    },
  };
}

function createArms({ brands, api, reference }: ApiStage): Arms {
  const date = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const bodyOf = (brand: Brand) => ({
    category: 'travel',
    budget: { amount: 1, currency: 'EUR' },
    targets: { cities: ['City 1'], venue_types: ['entertainment.bars'] },
    creatives: brand.creatives.slice(0, 2),
    schedule: { starts: date(0), ends: date(7) },
    landing_url: 'https://example.com/offer',
  });
  const targets = (path: (brand: Brand) => string): Target[] =>
    brands.map(brand => ({ path: path(brand), authorization: brand.authorization }));
  const bodies = brands.map(bodyOf);
  return {
    ours: {
      pid: api.pid,
      shot: { url: api.url, connections: CONNECTIONS, bodies, targets: targets(() => '/v1/campaigns') },
    },
    reference: {
      pid: reference.pid,
      shot: {
        url: reference.url,
        connections: CONNECTIONS,
        bodies,
        targets: targets(brand => `/workspaces/${brand.handle}/campaigns`),
      },
    },
  };
}

/** The figures of a report by day in one statement, as a client of ClickHouse would ask for them. */
const REPORT_SQL = `select day, sum(plays) as plays, sum(late) as late_plays, sum(impressions) as impressions_thousandths, sum(cost) as cost_micros, sum(scans) as scans from (
  select toDate(bucket, 'UTC') as day, plays, late_plays as late, impressions_thousandths as impressions, cost_micros as cost, 0 as scans from plays_quarter_hour where campaign_id = 'CAMPAIGN' and not sandbox
  union all select toDate(bucket, 'UTC') as day, 0, 0, 0, 0, scans from scans_quarter_hour where campaign_id = 'CAMPAIGN' and not sandbox) group by day order by day format JSONEachRow`;

function reportArms({ brands, api, clickhouse }: ApiStage): Arms {
  const url = new URL(clickhouse.url);
  const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
  const direct = targetsOf(
    brands,
    handle =>
      `/?database=${url.pathname.slice(1)}&query=${encodeURIComponent(REPORT_SQL.replaceAll('CAMPAIGN', campaignId(handle)))}`,
  );
  return {
    ours: {
      pid: api.pid,
      shot: {
        url: api.url,
        connections: CONNECTIONS,
        targets: targetsOf(brands, handle => `/v1/reporting/campaigns/${campaignId(handle)}`),
      },
    },
    reference: {
      shot: {
        url: url.origin,
        connections: CONNECTIONS,
        targets: direct.map(target => ({ ...target, authorization })),
      },
    },
  };
}

async function measureArms(
  stage: ApiStage,
  cannon: Cannon,
  { figure, unit, arms, forSeconds, pairs }: BenchOptions & { figure: keyof typeof GOALS; unit: string; arms: Arms },
): Promise<Figure[]> {
  for (const arm of ['reference', 'ours'] as const)
    await cannon(arms[arm].shot, Math.max(1, Math.ceil(forSeconds * WARM_UP_SHARE)));
  const measured = await measurePairs(pairs, arm => sampleOf(stage, cannon, { ...arms[arm], seconds: forSeconds }));
  const of = (arm: Arm) => measured.at(-1)![arm].details;
  const details = { connections: CONNECTIONS, ours_us: of('ours'), reference_us: of('reference') };
  const perCpu = figureOf({ bench: 'api', figure, unit, goal: GOALS[figure], details }, measured);
  if (figure === 'G13') return [perCpu];
  return [
    perCpu,
    figureOf(
      { bench: 'api', figure: `${figure}t`, unit: unit.replace('CPU-s', 's'), goal: GOALS_BY_CLOCK[figure], details },
      measured,
      perSecond,
    ),
  ];
}

/**
 * As many connections post for one workspace (the reference) and for fifty: only writers of one workspace may wait for
 * each other.
 */
async function measureWriters(stage: ApiStage, cannon: Cannon, { forSeconds, pairs }: BenchOptions): Promise<Figure> {
  const { pid, shot } = createArms(stage).ours;
  const ofOne = { ...shot, targets: shot.targets.slice(0, 1), bodies: shot.bodies!.slice(0, 1) };
  const measured = await measurePairs(pairs, arm =>
    sampleOf(stage, cannon, {
      ...(pid !== undefined && { pid }),
      shot: arm === 'ours' ? shot : ofOne,
      seconds: forSeconds,
    }),
  );
  const figure = figureOf(
    {
      bench: 'api',
      figure: 'G12w',
      unit: 'POST/s',
      goal: GOAL_OF_WRITERS,
      details: { connections: CONNECTIONS, workspaces_ours: shot.targets.length, workspaces_reference: 1 },
    },
    measured,
    perSecond,
  );
  return partOf(figure, 'of the rate over one workspace');
}

type SampleOfOptions = { pid?: number; shot: Omit<Shot, 'seconds'>; seconds: number };

/** One sample; its details say where the CPU time of an answer went, in microseconds. */
async function sampleOf(
  { engines }: ApiStage,
  cannon: Cannon,
  { pid, shot, seconds }: SampleOfOptions,
): Promise<Sample> {
  const server = () => (pid === undefined ? 0 : cpuSecondsOf([pid]));
  const busy = () => (pid === undefined ? 0 : busySecondsOf(pid));
  const enginesNow = () =>
    Object.fromEntries(Object.entries(engines).map(([name, enginePid]) => [name, cpuSecondsOf([enginePid])]));
  const before = { server: server(), engines: enginesNow(), busy: busy() };
  const hits = await cannon(shot, seconds);
  const after = { server: server() - before.server, engines: enginesNow(), busy: busy() - before.busy };
  const used = Object.entries(after.engines).map(([name, cpu]) => [name, cpu - before.engines[name]!] as const);
  if (hits.answers === 0 || hits.refused + hits.failed + hits.errors > 0)
    throw new Error(`not every answer was a success: ${JSON.stringify(hits)}`);
  const micros = (cpu: number) => Math.round((1e6 * cpu) / hits.answers);
  return {
    amount: hits.answers,
    seconds: hits.seconds,
    cpuSeconds: after.server + used.reduce((sum, [, cpu]) => sum + cpu, 0),
    ...(pid !== undefined && { busySeconds: after.busy }),
    details: {
      server: micros(after.server),
      ...Object.fromEntries(used.map(([name, cpu]) => [name, micros(cpu)])),
      ms_p50: hits.msP50,
      ms_p99: hits.msP99,
    },
  };
}

/** Two equal rounds: no answer may be a fault of ours, and the second must leave no more in memory than the first. */
async function measureLoad(
  { api }: ApiStage,
  cannon: Cannon,
  { name, shot, forSeconds }: BenchOptions & { name: string; shot: Omit<Shot, 'seconds'> },
): Promise<Figure> {
  const rounds: Hits[] = [];
  const rss = [rssMb(api.pid)];
  for (let round = 0; round < 2; round += 1) {
    rounds.push(await cannon({ ...shot, connections: LOAD_CONNECTIONS }, forSeconds));
    await wait(SETTLE_MS);
    rss.push(rssMb(api.pid));
  }
  const sum = (pick: (hits: Hits) => number) => rounds.reduce((total, hits) => total + pick(hits), 0);
  const faults = sum(hits => hits.failed + hits.errors + hits.timeouts);
  const growth = rss[2]! / rss[1]! - 1;
  return boundFigure({
    bench: 'api',
    figure: name,
    unit: 'faults',
    ours: faults,
    goal: 0,
    better: 'less',
    met: faults === 0 && growth <= RSS_GROWTH_MAX,
    details: {
      connections: LOAD_CONNECTIONS,
      seconds: 2 * forSeconds,
      answers: sum(hits => hits.answers),
      refused: sum(hits => hits.refused),
      ms_p99: rounds.map(hits => hits.msP99),
      rss_mb_before_first_second: rss,
      growth_of_second_round: round(growth),
      growth_max: RSS_GROWTH_MAX,
    },
  });
}

const rssMb = (pid: number): number => Math.round(rssBytesOf(pid) / 2 ** 20);
