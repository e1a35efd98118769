/**
 * The outcome of the slots of a day, by place and hour. Plays show played slots; the decision records show why a slot
 * stayed empty. Slots without allowed ads do not count (closed, or the ad share was used up). A fill that was never
 * played does not count either: its screen disconnected, so no campaign could have had it. Offline playlists count only
 * by their plays, because most of their fills are never used.
 */
import { type DaySlots, HOURS } from '#domain/allocation/hindsight/day-graph.ts';
import { placesOf } from '#domain/allocation/network/network-rows.ts';
import { parseId, type Handle } from '#domain/id.ts';
import { venueRateMicros } from '#domain/money/rate-card.ts';
import type { NoFillReason } from '#domain/plays/decision.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { DayPlace } from '#sql/hindsight/day-rows.ts';

/**
 * The slots of a day are read once, screen by screen in the order of the table, so a day of any size fits in memory.
 */
const SETTINGS = { max_threads: 2, max_execution_time: 600, optimize_aggregation_in_order: 1 } as const;
/** Decisions for slots of a day are made within an hour of them. */
const AHEAD_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const SLOTS_PER_MINUTE = 4;

/** The reason of a slot is that of the campaign that passed most checks, so it names the last obstacle. */
const OPEN: readonly NoFillReason[] = ['paced_out', 'no_lease'];
const CAPPED: readonly NoFillReason[] = ['frequency', 'separation'];
const NOT_SOLD: readonly NoFillReason[] = ['screen_closed', 'ad_ratio'];

/** The sources of a day; `signal` ends the queries. */
export type DayRecords = { clickhouse: Clickhouse; signal: AbortSignal };

/** Charges of campaigns on a day, and from its beginning until now. */
export type Charges = ReadonlyMap<Handle<'campaign'>, { onDay: Micros; since: Micros }>;

/** Charges by campaign, on the day and from its beginning until now. */
export async function readCharges(records: DayRecords, dayMs: Milliseconds): Promise<Charges> {
  const result = await query(records, {
    query: `select campaign_id, sumIf(d.cost_micros, day = toDate({day:UInt32})) as on_day, sum(d.cost_micros) as since
      from plays_screen_day as d where not sandbox and day >= toDate({day:UInt32}) group by campaign_id`,
    parameters: { day: dayMs / 1_000 },
  });
  const rows = await result.json<{ campaign_id: string; on_day: Micros; since: Micros }>();
  return new Map(
    rows.flatMap(({ campaign_id, on_day: onDay, since }) => {
      const campaign = parseId('campaign', campaign_id);
      return campaign === undefined ? [] : [[campaign, { onDay, since }]];
    }),
  );
}

/** Slots by place x 24 hours, in micros: the value of an empty slot is the price of a play there on the day. */
export async function readDaySlots(
  records: DayRecords,
  { places, dayMs }: { places: readonly DayPlace[]; dayMs: Milliseconds },
): Promise<DaySlots> {
  const worth = await worthOfSlots(records, { places, dayMs });
  const placeOf = new Map(places.flatMap(({ handles }, place) => handles.map(screen => [screen, place] as const)));
  const cells = () => new Float64Array(places.length * HOURS);
  const slots = { played: cells(), open: cells(), capped: cells(), barred: cells(), once: cells() };
  const cellOf = (screenId: string, hour: number): number | undefined => {
    const screen = parseId('screen', screenId);
    const place = screen === undefined ? undefined : placeOf.get(screen);
    return place === undefined ? undefined : place * HOURS + hour;
  };
  for await (const row of readPlayed(records, dayMs)) {
    const cell = cellOf(row.screen_id, row.hour);
    if (cell !== undefined) slots.played[cell]! += row.cost;
  }
  for await (const row of readDecided(records, dayMs)) {
    const cell = cellOf(row.screen_id, row.hour);
    if (cell === undefined) continue;
    const micros = worth[Math.floor(cell / HOURS)]!;
    slots.open[cell]! += row.open * micros;
    slots.capped[cell]! += row.capped * micros;
    slots.barred[cell]! += row.barred * micros;
    slots.once[cell]! += micros;
  }
  return slots;
}

/** By place: the price of a play on the day at its venue, or by the rate card without a play. */
async function worthOfSlots(
  records: DayRecords,
  { places, dayMs }: { places: readonly DayPlace[]; dayMs: Milliseconds },
): Promise<Float64Array> {
  const result = await query(records, {
    query: `select venue_id, sum(d.cost_micros) / sum(d.plays) as mean from plays_screen_day as d
      where not sandbox and day = toDate({day:UInt32}) group by venue_id having sum(d.plays) > 0`,
    parameters: { day: dayMs / 1_000 },
  });
  const rows = await result.json<{ venue_id: string; mean: number }>();
  const meanOf = new Map(rows.map(({ venue_id, mean }) => [parseId('venue', venue_id), mean]));
  return Float64Array.from(placesOf(places), ({ venueType, impressionsPerMinute }, place) => {
    const card = (venueRateMicros(venueType) * impressionsPerMinute) / SLOTS_PER_MINUTE;
    return meanOf.get(places[place]!.venue) ?? card;
  });
}

type PlayedRow = { screen_id: string; hour: number; cost: Micros };

async function* readPlayed(records: DayRecords, dayMs: Milliseconds): AsyncGenerator<PlayedRow> {
  yield* rowsOf<PlayedRow>(records, dayMs, {
    query: `select screen_id, toHour(bucket, 'UTC') as hour, sum(q.cost_micros) as cost from plays_quarter_hour as q
      where not sandbox and bucket >= {from:DateTime('UTC')} and bucket < {to:DateTime('UTC')}
      group by screen_id, hour`,
  });
}

type DecidedRow = { screen_id: string; hour: number; open: number; capped: number; barred: number };

/** The last decision of each slot counts: a screen that lost its connection requests again. */
async function* readDecided(records: DayRecords, dayMs: Milliseconds): AsyncGenerator<DecidedRow> {
  yield* rowsOf<DecidedRow>(records, dayMs, {
    query: `select screen_id, toHour(starts_at, 'UTC') as hour, countIf(last in ({open:Array(String)})) as open,
        countIf(last in ({capped:Array(String)})) as capped,
        countIf(last not in ({others:Array(String)})) as barred
      from (
        select screen_id, starts_at, argMax(reason, (decided_at, number)) as last from decisions
        where not sandbox and not offline_plan and starts_at >= {from:DateTime('UTC')}
          and starts_at < {to:DateTime('UTC')} and decided_at >= {from:DateTime('UTC')} - {ahead:UInt32}
          and decided_at < {to:DateTime('UTC')} + {ahead:UInt32}
        group by screen_id, starts_at
      ) group by screen_id, hour`,
    parameters: { open: OPEN, capped: CAPPED, others: ['', ...OPEN, ...CAPPED, ...NOT_SOLD], ahead: AHEAD_SECONDS },
  });
}

type DayQuery = { query: string; parameters?: Record<string, unknown> };

async function* rowsOf<Row>(
  records: DayRecords,
  dayMs: Milliseconds,
  { query: text, parameters = {} }: DayQuery,
): AsyncGenerator<Row> {
  const from = dayMs / 1_000;
  const result = await query(records, { query: text, parameters: { ...parameters, from, to: from + DAY_SECONDS } });
  for await (const rows of result.stream<Row>()) for (const row of rows) yield row.json();
}

function query({ clickhouse, signal }: DayRecords, { query: text, parameters = {} }: DayQuery) {
  signal.throwIfAborted(); // the client listens only during a query
  return clickhouse.query({
    query: text,
    query_params: parameters,
    format: 'JSONEachRow',
    clickhouse_settings: SETTINGS,
    abort_signal: signal,
  });
}
