/**
 * The groups of a report (by venue, city, creative, hour or campaign) with their names. ClickHouse has the figures by
 * id; the names come from Postgres.
 */
import { formatId, parseId, type Handle, type Kind } from '#domain/id.ts';
import { roundThousandths } from '#domain/money/money.ts';
import { foldCity } from '#domain/geography.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { CsvTable } from '../formats/csv.ts';
import { money } from '../wire/shapes.ts';
import { FIGURES, type Dimension, type Figures } from '#sql/figures/figures.ts';
import { GROUPS_MAX, type GroupBy, type ReportGroup } from './schema/report.ts';

/** The dimension that a grouping reads figures by. The figures of a city are the sums of its venues. */
export function dimensionOf(groupBy: GroupBy): Dimension {
  return groupBy === 'city' ? 'venue' : groupBy;
}

/** The fields that identify a group, without its figures. */
type GroupName = Omit<ReportGroup, 'plays' | 'impressions' | 'scans' | 'spend'>;

/** The groups of a report, those with the most plays first; hours in their order. */
export async function groupsOf(
  sql: Postgres,
  { groupBy, figures, currency }: { groupBy: GroupBy; figures: readonly Figures[]; currency: string },
): Promise<ReportGroup[]> {
  const [rows, nameOf] = await namedRows(sql, groupBy, figures);
  const sorted =
    groupBy === 'hour'
      ? [...rows]
      : [...rows].sort((a, b) => b.plays - a.plays || b.scans - a.scans || (a.label < b.label ? -1 : 1));
  return sorted
    .slice(0, GROUPS_MAX)
    .map(({ label, plays, impressions_thousandths: thousandths, scans, cost_micros: costMicros }) => ({
      ...nameOf(label),
      plays,
      impressions: roundThousandths(thousandths),
      scans,
      spend: money(costMicros, currency),
    }));
}

/** The rows of the groups, and the function that gives the name of a label. */
async function namedRows(
  sql: Postgres,
  groupBy: GroupBy,
  figures: readonly Figures[],
): Promise<[rows: readonly Figures[], nameOf: (label: string) => GroupName]> {
  const handlesOf = <K extends Kind>(kind: K) => figures.flatMap(row => parseId(kind, row.label) ?? []);
  switch (groupBy) {
    case 'hour':
      return [figures, hour => ({ hour })];
    case 'venue': {
      const venues = await selectVenues(sql, handlesOf('venue'));
      return [
        figures,
        id => ({
          venue_id: id,
          name: venues.get(id)?.shown_name ?? null,
          type: venues.get(id)?.type ?? null,
          city: venues.get(id)?.city ?? null,
        }),
      ];
    }
    case 'city':
      return cityRows(figures, await selectVenues(sql, handlesOf('venue')));
    case 'creative': {
      const rows = await sql<{ handle: Handle<'creative'>; name: string }[]>`
        select handle, name from creatives where handle = any(${handlesOf('creative')}::bigint[])`;
      const names = new Map(rows.map(row => [formatId('creative', row.handle), row.name]));
      return [figures, id => ({ creative_id: id, name: names.get(id) ?? null })];
    }
    case 'campaign': {
      const rows = await sql<{ handle: Handle<'campaign'>; name: string }[]>`
        select handle, name from campaigns where handle = any(${handlesOf('campaign')}::bigint[])`;
      const names = new Map(rows.map(row => [formatId('campaign', row.handle), row.name]));
      return [figures, id => ({ campaign_id: id, name: names.get(id) ?? null })];
    }
  }
}

type VenueRow = { handle: Handle<'venue'>; shown_name: string | null; type: string; city: string };

async function selectVenues(sql: Postgres, handles: readonly Handle<'venue'>[]): Promise<Map<string, VenueRow>> {
  const rows = await sql<VenueRow[]>`
    select handle, shown_name, type, city from venues where handle = any(${[...handles]}::bigint[]) order by handle`;
  return new Map(rows.map(row => [formatId('venue', row.handle), row]));
}

/**
 * Adds up venues whose city names differ only in case and accents. The group has the name of its venue with the most
 * plays.
 */
function cityRows(
  figures: readonly Figures[],
  venues: ReadonlyMap<string, VenueRow>,
): [rows: readonly Figures[], nameOf: (label: string) => GroupName] {
  const cities = new Map<string, { row: Figures; city: string | null }>();
  for (const row of [...figures].sort((a, b) => b.plays - a.plays)) {
    const city = venues.get(row.label)?.city ?? null;
    const label = foldCity(city ?? '');
    const known = cities.get(label)?.row;
    if (!known) cities.set(label, { row: { ...row, label }, city: city?.trim() ?? null });
    else for (const figure of FIGURES) known[figure] += row[figure];
  }
  return [Array.from(cities.values(), ({ row }) => row), label => ({ city: cities.get(label)?.city ?? null })];
}

const COLUMNS: Readonly<Record<GroupBy, readonly (keyof GroupName)[]>> = {
  venue: ['venue_id', 'name', 'type', 'city'],
  city: ['city'],
  creative: ['creative_id', 'name'],
  hour: ['hour'],
  campaign: ['campaign_id', 'name'],
};

/** The groups as the table of a CSV. */
export function groupsTable(groupBy: GroupBy, groups: readonly ReportGroup[]): Pick<CsvTable, 'columns' | 'rows'> {
  return {
    columns: [...COLUMNS[groupBy], 'plays', 'impressions', 'scans', 'spend', 'currency'],
    rows: groups.map(group => [
      ...COLUMNS[groupBy].map(column => group[column] ?? ''),
      group.plays,
      group.impressions,
      group.scans,
      group.spend.amount,
      group.spend.currency,
    ]),
  };
}
