/**
 * G19: the memory of each service after a soak, compared with its memory at minute ten, when caches and pools are full.
 * Screens ask, play, drop connections and repeat reports; a brand reads a report and edits a campaign each second.
 * `--for` is the whole time: a result needs at least half an hour, and in a shorter run the first third takes the place
 * of the ten minutes.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { formatId } from '#domain/id.ts';
import { openPostgres } from '#sql/postgres.ts';
import { seededRandom } from '../../cli/demo/seeded-random.ts';
import { SimulatedScreen, type SwarmEvents } from '../../cli/screen-swarm.ts';
import { handle } from '../../test/support/handle.ts';
import { createBrand, type Brand } from '../api/stage.ts';
import { rssBytesOf } from '../memory.ts';
import { median, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';
import { openStage, type Stage } from '../stage.ts';

const CAMPAIGNS = 1_000;
const SCREENS = 50;
const CREATIVE_MS = 6_000;
/** The interval of each screen. All of them together report about two hundred plays a second. */
const PAST_EVERY_MS = 250;
const CHANCES = { drop: 0.002, repeat: 0.02, cannotPlay: 0.01, scan: 0 };
const LOOK_MS = 1_000;
const SECONDS_MIN = 1_800;
const SETTLED_S = 600;
/** The number of readings that are averaged at either end, because every garbage collection changes the memory. */
const WINDOW = 60;
const GOAL = 1.03;
const MIB = 2 ** 20;

type Size = { campaigns: number; screens: number };

export const soak: Bench = {
  about: 'memory of every service after a soak, against that of its first ten minutes; --for 1800 takes a result',
  published: { pairs: 1, forSeconds: 180 },
  run: options => runSoak(options, { campaigns: CAMPAIGNS, screens: SCREENS }),
};

/** The benchmark with another size; tests run it small. */
export async function runSoak({ forSeconds, say }: BenchOptions, size: Size): Promise<Figure[]> {
  say(`soak: starting an instance with ${size.campaigns} campaigns and ${size.screens} screens`);
  const stage = await openStage({ ...size, creativeMs: CREATIVE_MS });
  try {
    const brand = await openBrand(stage);
    const load = startScreens(stage);
    const rss = new Map<string, number[]>(servicesOf(stage).map(([name]) => [name, []]));
    let calls = 0;
    for (const from = performance.now(); performance.now() - from < forSeconds * 1_000; await wait(LOOK_MS)) {
      for (const [name, pid] of servicesOf(stage)) rss.get(name)!.push(rssBytesOf(pid));
      if ([...rss.values()][0]!.length % WINDOW === 0)
        say(
          `soak: ${[...rss].map(([name, values]) => `${name} ${Math.round(values.at(-1)! / MIB)} MiB`).join(', ')}; ${load.acked()} plays`,
        );
      calls += await callApi(stage, brand, calls);
    }
    load.stop();
    return [figureOf(rss, { forSeconds, size, plays: load.acked(), calls })];
  } finally {
    await stage.close();
  }
}

const SERVICES = new Set(['api', 'delivery', 'ingest', 'workers']);
const servicesOf = (stage: Stage): [string, number][] =>
  Object.entries(stage.pids())
    .filter(([name]) => SERVICES.has(name))
    .map(([name, pids]) => [name, pids[0]!]);

async function openBrand(stage: Stage): Promise<Brand> {
  const sql = openPostgres(stage.instance.urls.databaseUrl, { connectionsMax: 1, applicationName: 'marquee-bench' });
  const brand = await createBrand(sql, handle('workspace', 2), new Date());
  await sql.end({ timeout: 5 });
  return brand;
}

function startScreens({ screens }: Stage): { acked(): number; stop(): void } {
  let acked = 0;
  const all = screens.tokens.map((token, index) => {
    const events = new EventEmitter<SwarmEvents>();
    events.on('acked', () => {
      acked += 1;
    });
    const screen = new SimulatedScreen({
      url: () => `ws://127.0.0.1:${screens.port}${screens.path}`,
      token,
      platform: 'linux',
      random: seededRandom(1 + index),
      chances: CHANCES,
      events,
      pastEveryMs: PAST_EVERY_MS,
    });
    screen.start();
    return screen;
  });
  return {
    acked: () => acked,
    stop: () => {
      for (const screen of all) screen.close();
    },
  };
}

/** A report and an edit; returns the number of correct answers. @throws for another answer */
async function callApi(stage: Stage, { authorization, campaigns }: Brand, turn: number): Promise<number> {
  const id = formatId('campaign', campaigns[turn % campaigns.length]!);
  const answers = await Promise.all([
    request(`${stage.instance.apiUrl}/v1/reporting/campaigns/${id}`, { headers: { authorization } }),
    request(`${stage.instance.apiUrl}/v1/campaigns/${id}`, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Soak ${turn}` }),
    }),
  ]);
  for (const { statusCode, body } of answers) {
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`the API answered ${statusCode}: ${text}`);
  }
  return answers.length;
}

type FigureOfOptions = { forSeconds: number; size: Size; plays: number; calls: number };

function figureOf(
  rss: ReadonlyMap<string, readonly number[]>,
  { forSeconds, size, plays, calls }: FigureOfOptions,
): Figure {
  const ratios = [...rss].map(([name, values]) => {
    const settled = Math.floor(values.length * Math.min(1 / 3, SETTLED_S / forSeconds));
    const window = Math.min(WINDOW, Math.max(1, settled));
    const [before, after] = [
      median(values.slice(Math.max(0, settled - window), Math.max(1, settled))),
      median(values.slice(-window)),
    ];
    return { name, before, after, ratio: after / before };
  });
  const worst = ratios.reduce((most, each) => (each.ratio > most.ratio ? each : most));
  return {
    bench: 'soak',
    figure: 'G19',
    unit: 'MiB',
    ours: round(worst.after / MIB),
    reference: round(worst.before / MIB),
    ratio: round(worst.ratio),
    min: round(Math.min(...ratios.map(({ ratio }) => ratio))),
    max: round(worst.ratio),
    goal: GOAL,
    better: 'less',
    met: worst.ratio <= GOAL,
    details: {
      ...size,
      seconds: forSeconds,
      plays,
      calls,
      first_look: forSeconds < SECONDS_MIN,
      worst: worst.name,
      mib: Object.fromEntries(
        ratios.map(({ name, before, after }) => [name, [round(before / MIB), round(after / MIB)]]),
      ),
    },
  };
}
