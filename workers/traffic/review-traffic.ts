/**
 * Reviews the activity of screens and venues once an hour (`domain/plays/traffic-review`), and raises a finding for
 * values far from the peers or impossible for a real screen. A finding holds the earnings of the venue on its days
 * until the operator has cleared or upheld it. A repeated review of the same hours raises nothing twice.
 */
import { formatId } from '#domain/id.ts';
import { reviewTraffic } from '#domain/plays/traffic/traffic-review.ts';
import { reviewScans } from '#domain/plays/traffic/scan-review.ts';
import type { Suspicion } from '#domain/plays/traffic/suspicion.ts';
import { counter } from '#runtime/metrics.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { isReviewed, raiseAudited, recordReview } from '#sql/findings/reviews.ts';
import type { Job, JobContext } from '../schedule.ts';
import {
  readScansOfSlots,
  readScansOfVenues,
  readTraffic,
  type TrafficEngines,
  type Window,
} from './traffic-figures.ts';
import type { Milliseconds } from '#domain/unit.ts';

const EVERY_MS = 3_600_000;
/** How often the job checks whether the hour is over. */
const CHECK_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SCAN_DAYS = 7;
/** Plays of an hour may be reported for two days; a scan waits for its play as long. */
const PLAYS_MISSING_DAYS = 2;
/** Patience for one pass over a day of raw plays. */
const QUERY_MS_MAX = 150_000;
/**
 * More findings in one review mean a faulty rule, or an attack that a person must see as a whole; the strongest are
 * raised, and the others at the next review.
 */
const FINDINGS_MAX = 100;

export const REVIEW_TRAFFIC = { name: 'review-traffic', everyMs: CHECK_MS, lock: 128 } as const;

const raised = counter({
  name: 'workers_findings_raised_total',
  help: 'Findings about screens and venues, whose earnings they hold',
  labels: ['rule'],
});

/** `everyMs` 0: now, regardless of the last one. */
type ReviewOptions = { clickhouseUrl: string; cluster?: string | undefined; everyMs?: Milliseconds };

/** `stop` abandons the current review, so that a drain does not wait for it; the next process starts another. */
export function reviewTrafficJob(options: ReviewOptions): { job: Job; stop(): void } {
  const stop = new AbortController();
  return {
    job: {
      ...REVIEW_TRAFFIC,
      run: async context => ((await isDue(context, options)) ? reviewUntil(context, options, stop.signal) : 0),
    },
    stop: () => stop.abort(),
  };
}

async function isDue({ sql, now }: JobContext, { everyMs = EVERY_MS }: ReviewOptions): Promise<boolean> {
  return !(await isReviewed(sql, new Date(now().getTime() - everyMs)));
}

async function reviewUntil(context: JobContext, options: ReviewOptions, signal: AbortSignal): Promise<number> {
  try {
    return await reviewOnce(context, options, signal);
  } catch (error) {
    if (signal.aborted) return 0; // the abort ended it
    throw error;
  }
}

/** Returns the number of new findings. */
async function reviewOnce(
  context: JobContext,
  { clickhouseUrl, cluster }: ReviewOptions,
  signal: AbortSignal,
): Promise<number> {
  const { sql, log, now } = context;
  // A separate connection, with a longer timeout than the jobs' connection.
  const clickhouse = openClickhouse(clickhouseUrl, {
    application: 'marquee-review',
    connectionsMax: 1,
    requestTimeoutMs: QUERY_MS_MAX,
    cluster,
  });
  try {
    const toMs = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS;
    const found = await suspect({ sql, clickhouse, signal }, toMs);
    signal.throwIfAborted();
    if (found.length > FINDINGS_MAX)
      log.error({ found: found.length, raised: FINDINGS_MAX }, 'a review suspects more than it raises');
    let count = 0;
    for (const each of found.slice(0, FINDINGS_MAX)) count += (await raise(context, each)) ? 1 : 0;
    await recordReview(sql, now(), count);
    return count;
  } finally {
    await clickhouse.close();
  }
}

type DatedSuspicion = Suspicion & Window;

/** The suspicions for the hours before `toMs`. */
async function suspect(engines: TrafficEngines, toMs: Milliseconds): Promise<DatedSuspicion[]> {
  const day = { fromMs: toMs - DAY_MS, toMs };
  const week = { fromMs: toMs - SCAN_DAYS * DAY_MS, toMs };
  const reported = { ...week, toMs: toMs - PLAYS_MISSING_DAYS * DAY_MS };
  const traffic = reviewTraffic(await readTraffic(engines, day));
  const scans = reviewScans({
    screens: await readScansOfSlots(engines, reported),
    venues: await readScansOfVenues(engines, week),
  });
  const windowOf = ({ rule }: Suspicion): Window => (rule === 'scans_without_plays' ? reported : week);
  return strongestFirst([
    ...traffic.map(each => ({ ...each, ...day })),
    ...scans.map(each => ({ ...each, ...windowOf(each) })),
  ]);
}

/** The strongest of each rule, then the second of each, and so on: scores of different rules are not comparable. */
function strongestFirst(found: readonly DatedSuspicion[]): DatedSuspicion[] {
  const ranks = new Map<string, number>();
  return [...found]
    .sort((a, b) => b.score - a.score)
    .map(each => {
      const rank = ranks.get(each.rule) ?? 0;
      ranks.set(each.rule, rank + 1);
      return { each, rank };
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
}

/** True if it is new. */
async function raise(
  { sql, log, now }: JobContext,
  { rule, version, workspace, venue, screen, evidence, fromMs, toMs }: DatedSuspicion,
): Promise<boolean> {
  const dates = { fromAt: new Date(fromMs), toAt: new Date(toMs) };
  const found = { rule, ruleVersion: version, workspace, venue, screen: screen ?? null, ...dates, evidence };
  if (!(await raiseAudited(sql, found, now()))) return false;
  raised.inc({ rule });
  log.warn(
    {
      rule: `${rule}@${version}`,
      venue_id: formatId('venue', venue),
      ...(screen !== undefined && { screen_id: formatId('screen', screen) }),
      evidence,
    },
    'earnings are held because of a finding',
  );
  return true;
}
