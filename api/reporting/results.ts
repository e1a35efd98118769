/**
 * The answer of `GET /v1/campaigns/{id}/results`: delivery by day, by hour and by screen. Only days, hours and screens
 * with delivery have a row, while a report (`reporting/store.ts`) also has rows for empty buckets.
 */
import { formatId } from '#domain/id.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { CsvTable } from '../formats/csv.ts';
import {
  addFigures,
  FIGURE_COLUMNS,
  figureCells,
  shownFigures,
  SUMS_OF_RANGE,
  type Figures,
} from '#sql/figures/figures.ts';
import {
  rangeParameters,
  readFigures,
  scansOfRange,
  screensSql,
  type FiguresQuery,
} from '#sql/figures/read-figures.ts';
import { readInvalid } from './invalid-plays.ts';
import { lastHoursOf, type ReportRange } from '#domain/reporting/report-range.ts';
import { latePlaysOf } from './store.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import type { Results } from './schema/results.ts';
import type { Milliseconds } from '#domain/unit.ts';

const HOURS_DAYS_MAX = 31; // 744 rows, as in a report by hour
/** A batch of plays reaches both rollups within milliseconds; a busy campaign may have another one by then. */
const READS_MAX = 4;
const SCREENS_MAX = 10_000; // 2 MB of answer

type ScreenFigures = Omit<Figures, 'label'> & { screen_id: string; venue_id: string };

/** Reads the results of a range whose `group` is `day`. `asOf` (ms) must have been read before the figures are. */
export async function readResults(
  engines: { clickhouse: Clickhouse; sql: Postgres },
  row: CampaignRow,
  { range, asOf, now }: { range: ReportRange; asOf: Milliseconds; now: Milliseconds },
): Promise<Results> {
  const campaign = { campaigns: [row.handle], sandbox: row.sandbox };
  const { byDay, byHour, byScreen } = await readOneState(engines.clickhouse, { ...campaign, range }, now);
  const invalid = await readInvalid(engines, row, { ...campaign, range, latePlays: latePlaysOf({ buckets: byDay }) });
  const shown = (figures: Omit<Figures, 'label'>) => shownFigures(figures, row.currency);
  return {
    campaign_id: formatId('campaign', row.handle),
    by_day: byDay.map(figures => ({ day: figures.label, ...shown(figures) })),
    by_hour: byHour.map(figures => ({ hour: figures.label, ...shown(figures) })),
    by_screen: byScreen.map(({ screen_id, venue_id, ...figures }) => ({ screen_id, venue_id, ...shown(figures) })),
    invalid_plays: invalid.plays,
    adjustments: invalid.adjustments,
    as_of: new Date(asOf).toISOString(),
    tz: range.tz,
  };
}

type OneState = { byDay: Figures[]; byHour: Figures[]; byScreen: ScreenFigures[] };

/**
 * Reads the three tables so that they agree while plays are counted. Days are the sums of their hours. Screens are in
 * another rollup, and are read again until they add up to the same plays.
 */
async function readOneState(clickhouse: Clickhouse, query: FiguresQuery, now: Milliseconds): Promise<OneState> {
  const { range } = query;
  const hours = lastHoursOf(range, { days: HOURS_DAYS_MAX, now });
  const earlier = { ...range, counted: { first: range.counted.first, last: hours.counted.first - 1 } };
  for (let read = 1; ; read += 1) {
    const [days, { buckets: byHour }, byScreen] = await Promise.all([
      earlier.counted.last < earlier.counted.first ? undefined : readFigures(clickhouse, { ...query, range: earlier }),
      readFigures(clickhouse, { ...query, range: hours }),
      readScreens(clickhouse, query),
    ]);
    const byDay = [...(days?.buckets ?? []), ...daysOf(byHour)];
    const isWhole = byScreen.length < SCREENS_MAX;
    if (read === READS_MAX || !isWhole || playsOf(byDay) === playsOf(byScreen)) return { byDay, byHour, byScreen };
  }
}

/** Sums hours, which are labeled as in `2026-03-01T14:00`, by day. */
function daysOf(hours: readonly Figures[]): Figures[] {
  const days = new Map<string, Figures>();
  for (const hour of hours) {
    const label = hour.label.slice(0, 'YYYY-MM-DD'.length);
    const day = days.get(label);
    if (!day) days.set(label, { ...hour, label });
    else addFigures(day, hour);
  }
  return [...days.values()];
}

const playsOf = (rows: readonly { plays: number }[]) => rows.reduce((sum, { plays }) => sum + plays, 0);

/** The three tables one after the other. `by` names the table of a row; columns of the others are empty. */
export function resultsTable({ campaign_id, by_day, by_hour, by_screen, as_of, tz }: Results): CsvTable {
  return {
    name: `results-${campaign_id}`,
    columns: ['by', 'bucket', 'tz', 'screen_id', 'venue_id', ...FIGURE_COLUMNS],
    rows: [
      ...by_day.map(row => ['day', row.day, tz, '', '', ...figureCells(row)]),
      ...by_hour.map(row => ['hour', row.hour, tz, '', '', ...figureCells(row)]),
      ...by_screen.map(row => ['screen', '', tz, row.screen_id, row.venue_id, ...figureCells(row)]),
    ],
    headers: { 'x-as-of': as_of },
  };
}

async function readScreens(clickhouse: Clickhouse, query: FiguresQuery): Promise<ScreenFigures[]> {
  return queryRows<ScreenFigures>(clickhouse, {
    query: `select screen_id, venue_id, ${SUMS_OF_RANGE} from (
        ${screensSql(query.range)}
        union all ${scansOfRange('screen_id, venue_id')}
      ) group by screen_id, venue_id order by plays desc, scans desc, screen_id limit {rows:UInt32}`,
    query_params: { ...rangeParameters(query), rows: SCREENS_MAX },
  });
}
