/** The places where a campaign was shown or scanned, with its figures at each of them. */
import { parseId, type Handle } from '#domain/id.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readPlaces, type PlaceRow } from '#sql/venues/places.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { listed, type List, type Page } from '../lists/paging.ts';
import { shownFigures, SUMS_OF_RANGE, type Figures } from '#sql/figures/figures.ts';
import { rangeParameters, scansOfRange, screensSql, type FiguresQuery } from '#sql/figures/read-figures.ts';
import type { ReportRange } from '#domain/reporting/report-range.ts';
import { placeFieldsOf } from './record.ts';
import type { Place } from './schema.ts';

/** 8 MB of text from ClickHouse for a page; networks have fewer venues. */
const PLACES_MAX = 50_000;

type VenueFigures = Omit<Figures, 'label'> & { venue_id: string; screens: number };

/** The places that showed a campaign or led to a scan, in a range. */
export async function listPlaces(
  { sql, clickhouse, publicUrl }: { sql: Postgres; clickhouse: Clickhouse; publicUrl: string },
  row: CampaignRow,
  { range, page }: { range: ReportRange; page: Page },
): Promise<List<Place>> {
  const found = await readVenues(clickhouse, { campaigns: [row.handle], sandbox: row.sandbox, range });
  const figuresOf = new Map<Handle<'venue'>, VenueFigures>(
    found.flatMap(figures => {
      const handle = parseId('venue', figures.venue_id);
      return handle === undefined ? [] : [[handle, figures]];
    }),
  );
  const sign = page.isDescending ? -1 : 1;
  const isBehind = (handle: Handle<'venue'>) => page.after === undefined || sign * (handle - Number(page.after)) > 0;
  const handles = [...figuresOf.keys()]
    .filter(isBehind)
    .sort((a, b) => sign * (a - b))
    .slice(0, page.limit + 1);
  const venues = await readPlaces(sql, handles);
  venues.sort((a, b) => sign * (a.handle - b.handle));
  const recordOf = (venue: PlaceRow): Place => {
    const figures = figuresOf.get(venue.handle)!;
    return { ...placeFieldsOf(venue, publicUrl), screens: figures.screens, ...shownFigures(figures, row.currency) };
  };
  return listed({ rows: venues }, page, { recordOf });
}

async function readVenues(clickhouse: Clickhouse, query: FiguresQuery): Promise<VenueFigures[]> {
  return queryRows<VenueFigures>(clickhouse, {
    query: `select venue_id, uniqExactIf(screen_id, p > 0) as screens, ${SUMS_OF_RANGE} from (
      ${screensSql(query.range)} union all ${scansOfRange('screen_id, venue_id')}) group by venue_id
      limit {rows:UInt32}`,
    query_params: { ...rangeParameters(query), rows: PLACES_MAX },
  });
}
