/**
 * G14: from the moment a brand sends its PATCH until the last fill of that campaign arrives at any screen, the last
 * screen gets the order to drop its ads, or the first fill shows the edit. The whole stack runs, with two delivery
 * processes, and screens of both ask all the time. Times are taken where the screens are and where the brand is, on one
 * clock, so the way there and back is in them.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { formatId, type Handle } from '#domain/id.ts';
import { openPostgres } from '#sql/postgres.ts';
import { request } from 'undici';
import { createBrand, type Brand } from '../api/stage.ts';
import { Remote } from '../child.ts';
import { boundFigure, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';
import { openStage, type Stage } from '../stage.ts';
import type { WatchCalls, Watched } from '../sockets/watch-client.ts';

const CAMPAIGNS = 40;
const SCREENS = 60;
const CREATIVE_MS = 10_000;
const DELIVERY_PROCESSES = 2;
/** All screens together then ask about 1,000 times a second, so that a campaign is due every few tens of ms. */
const ASK_EVERY_MS = 60;
/** Campaigns that are edited at the same time, each by its own brand. */
const LANES = 4;
/** The wait after the answer to a PATCH: far longer than the measured times, so that nothing late is missed. */
const QUIET_MS = 800;
const LOOK_MS = 10;
const SEEN_MS_MAX = 15_000;
const GOALS = { pauseMs: 250, withdrawMs: 500, editMs: 500 };

type Size = { campaigns: number; screens: number };
type Times = {
  pause: number[];
  withdraw: number[];
  resume: number[];
  edit: number[];
  answers: number[];
  missedWithdraws: number;
};
type Lane = { stage: Stage; watch: Remote<WatchCalls>; size: Size; times: Times; untilMs: number };

export const propagation: Bench = {
  about:
    'from a PATCH of a campaign to its last fill anywhere, to its withdrawal, and to the first fill that shows an edit',
  run: options => runPropagation(options, { campaigns: CAMPAIGNS, screens: SCREENS }),
};

/** The benchmark with another size; tests run it small. */
export async function runPropagation({ forSeconds, say }: BenchOptions, size: Size): Promise<Figure[]> {
  say(`propagation: starting an instance with ${size.campaigns} campaigns and ${size.screens} screens`);
  const stage = await openStage({ ...size, creativeMs: CREATIVE_MS }, { deliveryProcesses: DELIVERY_PROCESSES });
  const watch = await Remote.start<WatchCalls>('sockets/watch-client.ts');
  try {
    const brands = await createBrands(stage);
    await watch.call('open', { ...stage.screens, everyMs: ASK_EVERY_MS });
    say(`propagation: pausing, resuming and editing for ${forSeconds} s`);
    const times: Times = { pause: [], withdraw: [], resume: [], edit: [], answers: [], missedWithdraws: 0 };
    const untilMs = performance.now() + forSeconds * 1000;
    const lanes = Math.min(LANES, brands.length); // a small network has one brand
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        runLane(
          brands.filter((_brand, index) => index % lanes === lane),
          { stage, watch, size, times, untilMs },
        ),
      ),
    );
    return figuresOf(times, size);
  } finally {
    await watch.close();
    await stage.close();
  }
}

async function createBrands(stage: Stage): Promise<Brand[]> {
  const sql = openPostgres(stage.instance.urls.databaseUrl, { connectionsMax: 1, applicationName: 'marquee-bench' });
  const rows = await sql<
    { handle: Handle<'workspace'> }[]
  >`select distinct workspace_handle as handle from campaigns order by 1`;
  const brands: Brand[] = [];
  for (const { handle } of rows) brands.push(await createBrand(sql, handle, new Date()));
  await sql.end({ timeout: 5 });
  return brands;
}

/**
 * One campaign after another: paused and resumed, then given another creative. At least one, however short the time.
 */
async function runLane(brands: readonly Brand[], lane: Lane): Promise<void> {
  for (let turn = 0; turn === 0 || performance.now() < lane.untilMs; turn += 1) {
    const brand = brands[turn % brands.length]!;
    const campaign = formatId('campaign', brand.campaigns[0]!);
    await seen(lane, campaign, watched => watched.fills > 0);
    await pauseAndResume(brand, campaign, lane);
    await giveCreative(brand, { campaign, edit: Math.floor(turn / brands.length) }, lane);
  }
}

const now = (): number => performance.timeOrigin + performance.now();

/** Changes the campaign like its brand; returns the time of the request. */
async function patch({ stage, times }: Lane, brand: Brand, campaign: string, body: object): Promise<number> {
  const sentAt = now();
  const { statusCode, body: answer } = await request(`${stage.instance.apiUrl}/v1/campaigns/${campaign}`, {
    method: 'PATCH',
    headers: { authorization: brand.authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`PATCH ${JSON.stringify(body)} was answered ${statusCode}: ${text}`);
  times.answers.push(now() - sentAt);
  return sentAt;
}

/** Waits until the notes about the campaign since the mark are as expected, and returns them. */
async function seen({ watch }: Lane, campaign: string, wanted: (watched: Watched) => boolean): Promise<Watched> {
  for (const from = performance.now(); performance.now() - from < SEEN_MS_MAX;) {
    const watched = await watch.call('read', campaign);
    if (wanted(watched)) return watched;
    await wait(LOOK_MS);
  }
  throw new Error(`nothing was seen of ${campaign} for ${SEEN_MS_MAX / 1000} s`);
}

async function pauseAndResume(brand: Brand, campaign: string, lane: Lane): Promise<void> {
  const { watch, times, size } = lane;
  await watch.call('mark', campaign);
  const pausedAt = await patch(lane, brand, campaign, { status: 'paused' });
  await wait(QUIET_MS);
  const paused = await watch.call('read', campaign);
  times.pause.push(Math.max(0, paused.lastFillAt - pausedAt));
  if (paused.withdraws === size.screens) times.withdraw.push(paused.lastWithdrawAt - pausedAt);
  else times.missedWithdraws += 1;
  await watch.call('mark', campaign);
  const resumedAt = await patch(lane, brand, campaign, { status: 'live' });
  const resumed = await seen(lane, campaign, watched => watched.fills > 0);
  times.resume.push(Math.min(...Object.values(resumed.firstFillAt)) - resumedAt);
}

/** The number of creatives that the network gives a campaign, from the brand's list, beginning at its own number. */
const CREATIVES_BOUND = 3;

/** Replaces the rotation by one creative that was not in it, and waits for its first fill. */
async function giveCreative(
  brand: Brand,
  { campaign, edit }: { campaign: string; edit: number },
  lane: Lane,
): Promise<void> {
  const { watch, times } = lane;
  const other = brand.creatives[(brand.campaigns[0]! - 1 + CREATIVES_BOUND + edit) % brand.creatives.length]!;
  await watch.call('mark', campaign);
  const sentAt = await patch(lane, brand, campaign, { creatives: [{ id: other, weight: 1 }] });
  const { firstFillAt } = await seen(lane, campaign, watched => watched.firstFillAt[other] !== undefined);
  times.edit.push(firstFillAt[other]! - sentAt);
}

const percentile = (values: readonly number[], share: number): number =>
  round(values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN);

function figuresOf(times: Times, size: Size): Figure[] {
  const edits = [...times.edit, ...times.resume];
  const figure = (
    name: string,
    values: readonly number[],
    goal: number,
    details: Record<string, unknown> = {},
  ): Figure =>
    boundFigure({
      bench: 'propagation',
      figure: name,
      unit: 'ms p99',
      ours: percentile(values, 0.99),
      goal,
      better: 'less',
      details: { p50_ms: percentile(values, 0.5), max_ms: percentile(values, 1), changes: values.length, ...details },
    });
  return [
    figure('G14', times.pause, GOALS.pauseMs, {
      ...size,
      delivery_processes: DELIVERY_PROCESSES,
      asks_per_second: Math.round((size.screens * 1000) / ASK_EVERY_MS),
      patch_p50_ms: percentile(times.answers, 0.5),
      patch_p99_ms: percentile(times.answers, 0.99),
    }),
    figure('G14 withdraw', times.withdraw, GOALS.withdrawMs, { not_every_screen: times.missedWithdraws }),
    figure('G14 edit', edits, GOALS.editMs, {
      p50_ms_of_a_creative: percentile(times.edit, 0.5),
      p50_ms_of_a_resume: percentile(times.resume, 0.5),
    }),
  ];
}
