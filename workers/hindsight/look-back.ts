/**
 * Once a day: compares the delivery of each of the last three days (UTC) with the maximum, and names the causes of the
 * difference (`#domain/allocation/hindsight/day-split.ts`). Three, because plays are counted up to 48 hours after their
 * slots: a day's metrics are final after the evaluation on the third day.
 */
import type { DaySplit } from '#domain/allocation/hindsight/day-split.ts';
import { liveHours } from '#domain/allocation/hindsight/live-hours.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { selectDayCampaigns, selectDayPlaces } from '#sql/hindsight/day-rows.ts';
import { daysLookedAt, recordDay } from '#sql/hindsight/days.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Job, JobContext } from '../schedule.ts';
import type { CampaignDayRow } from '../threads/look-back.ts';
import { type Charges, type DayRecords, readCharges, readDaySlots } from './seen-slots.ts';

const DAY_MS = 86_400_000;
const DAYS = 3;
/** Plays of a day's last minutes have their rows by then, and settlement has charged them. */
const AFTER_MS = 15 * 60_000;
/** How often the job checks whether a day is over. */
const CHECK_MS = 5 * 60_000;
/** A day of 100,000 screens is some hundred million decisions to read. */
const QUERY_MS_MAX = 600_000;

export const LOOK_BACK = { name: 'look-back', everyMs: CHECK_MS, lock: 250 } as const;

type LookBackOptions = { clickhouseUrl: string; cluster?: string | undefined };

/** `stop` abandons the current evaluation, so that a drain does not wait for it; the next process starts another. */
export function lookBackJob(options: LookBackOptions): { job: Job; stop(): void } {
  const stop = new AbortController();
  return { job: { ...LOOK_BACK, run: context => lookUntil(context, options, stop.signal) }, stop: () => stop.abort() };
}

async function lookUntil(context: JobContext, options: LookBackOptions, signal: AbortSignal): Promise<number> {
  try {
    return await lookBack(context, options, signal);
  } catch (error) {
    if (signal.aborted) return 0; // the abort ended it
    throw error;
  }
}

/** Returns the number of evaluated days. */
async function lookBack(
  context: JobContext,
  { clickhouseUrl, cluster }: LookBackOptions,
  signal: AbortSignal,
): Promise<number> {
  const days = await daysDue(context);
  if (days.length === 0) return 0;
  // A separate connection, with a longer timeout than the jobs' connection.
  const clickhouse = openClickhouse(clickhouseUrl, {
    application: 'marquee-look-back',
    connectionsMax: 1,
    requestTimeoutMs: QUERY_MS_MAX,
    cluster,
  });
  try {
    for (const dayMs of days) {
      const split = await splitOf(context, { clickhouse, signal }, dayMs);
      signal.throwIfAborted();
      await recordDay(context.sql, { day: formatDate(dayMs / DAY_MS), split, at: context.now() });
    }
  } finally {
    await clickhouse.close();
  }
  return days.length;
}

/** The last days not evaluated since the end of the newest, oldest first. */
async function daysDue({ sql, now }: JobContext): Promise<Milliseconds[]> {
  const overAt = Math.floor((now().getTime() - AFTER_MS) / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS }, (_, ago) => overAt - (DAYS - ago) * DAY_MS);
  const done = await daysLookedAt(sql, new Date(overAt + AFTER_MS));
  return days.filter(dayMs => !done.has(formatDate(dayMs / DAY_MS)));
}

async function splitOf({ sql, pool }: JobContext, records: DayRecords, dayMs: Milliseconds): Promise<DaySplit> {
  const [places, charges] = await Promise.all([selectDayPlaces(sql, new Date(dayMs)), readCharges(records, dayMs)]);
  const campaigns = await campaignsOf(sql, { dayMs, charges });
  const slots = await readDaySlots(records, { places, dayMs });

  return pool.lookBack({ places: places.map(({ handles: _screens, ...place }) => place), campaigns, slots, dayMs });
}

/** The campaigns that were live on a day, with their earlier spend, their spend on the day, and their live hours. */
async function campaignsOf(
  sql: Queryable,
  { dayMs, charges }: { dayMs: Milliseconds; charges: Charges },
): Promise<CampaignDayRow[]> {
  const rows = await selectDayCampaigns(sql, new Date(dayMs));
  return rows.map(({ is_live: isLiveNow, moves, ...row }) => {
    const charged = charges.get(row.handle);
    return {
      ...row,
      charged_micros: Math.max(0, row.charged_micros - (charged?.since ?? 0)),
      delivered_micros: charged?.onDay ?? 0,
      ...liveHours({ isLiveNow, moves }, dayMs),
    };
  });
}
