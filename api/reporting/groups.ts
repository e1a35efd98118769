/**
 * The groups of a report (by venue, city, creative, hour or campaign) with their names. ClickHouse has the figures by
 * id; the names come from Postgres.
 */
import { NO_HANDLE, parseId, type Handle, type Kind } from '#domain/id.ts';
import { foldCity } from '#domain/geography.ts';
import { nameCampaigns, nameCreatives, nameVenues, type VenueName } from '#sql/names/names.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { CsvTable } from '../formats/csv.ts';
import {
  addFigures,
  FIGURE_COLUMNS,
  figureCells,
  shownFigures,
  type Figures,
  type ShownFigures,
} from '#sql/figures/figures.ts';
import type { Dimension } from '#sql/figures/read-figures.ts';
import { GROUPS_MAX, type GroupBy, type ReportGroup } from './schema/report.ts';

/** The dimension that a grouping reads figures by. The figures of a city are the sums of its venues. */
export function dimensionOf(groupBy: GroupBy): Dimension {
  return groupBy === 'city' ? 'venue' : groupBy;
}

/** The fields that identify a group, without its figures. */
type GroupName = Omit<ReportGroup, keyof ShownFigures>;

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
  return sorted.slice(0, GROUPS_MAX).map(row => ({ ...nameOf(row.label), ...shownFigures(row, currency) }));
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
      const venues = await nameVenues(sql, handlesOf('venue'));
      return [
        figures,
        id => {
          const venue = venues.get(handleIn('venue', id));
          return { venue_id: id, name: venue?.shownName ?? null, type: venue?.type ?? null, city: venue?.city ?? null };
        },
      ];
    }
    case 'city':
      return cityRows(figures, await nameVenues(sql, handlesOf('venue')));
    case 'creative': {
      const names = await nameCreatives(sql, handlesOf('creative'));
      return [figures, id => ({ creative_id: id, name: names.get(handleIn('creative', id)) ?? null })];
    }
    case 'campaign': {
      const campaigns = await nameCampaigns(sql, handlesOf('campaign'));
      return [figures, id => ({ campaign_id: id, name: campaigns.get(handleIn('campaign', id))?.name ?? null })];
    }
  }
}

/** The handle of an id; 0, which no record has, of another text. */
const handleIn = <K extends Kind>(kind: K, id: string): Handle<K> => parseId(kind, id) ?? NO_HANDLE;

/**
 * Adds up venues whose city names differ only in case and accents. The group has the name of its venue with the most
 * plays.
 */
function cityRows(
  figures: readonly Figures[],
  venues: ReadonlyMap<Handle<'venue'>, VenueName>,
): [rows: readonly Figures[], nameOf: (label: string) => GroupName] {
  const cities = new Map<string, { row: Figures; city: string | null }>();
  for (const row of [...figures].sort((a, b) => b.plays - a.plays)) {
    const city = venues.get(handleIn('venue', row.label))?.city ?? null;
    const label = foldCity(city ?? '');
    const known = cities.get(label)?.row;
    if (!known) cities.set(label, { row: { ...row, label }, city: city?.trim() ?? null });
    else addFigures(known, row);
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
    columns: [...COLUMNS[groupBy], ...FIGURE_COLUMNS],
    rows: groups.map(group => [...COLUMNS[groupBy].map(column => group[column] ?? ''), ...figureCells(group)]),
  };
}
