/** Points of a CSV file as areas: `lat, lng, radius_km` in each line, without the last one kilometre. */
import type { Area } from '../../../../ui/map/circle.ts';
import { AREAS_MAX, isWhole } from './area-limits.ts';

/** Where somebody goes on foot. */
const RADIUS_KM = 1;
const SEPARATOR = /[,;\t]/;

/** What is wrong with a file; of its lines the first is 1. */
export type AreaFileFault = { code: 'line'; line: number } | { code: 'none' } | { code: 'many'; most: number };

/** All areas of a file, or the first fault: a file with one wrong line adds nothing. A line of names may come first. */
export function parseAreas(text: string, freePlaces = AREAS_MAX): Area[] | AreaFileFault {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, at) => ({ cells: line.split(SEPARATOR).map(cell => cell.trim()), line: at + 1 }))
    .filter(({ cells }) => cells.some(cell => cell !== ''));
  const points = lines.filter(({ cells, line }) => line > 1 || !/^[a-z_"]+$/i.test(cells[0]!));
  const areas: Area[] = [];
  for (const { cells, line } of points) {
    const area = areaOf(cells);
    if (!area || !isWhole(area)) return { code: 'line', line };
    areas.push(area);
  }
  if (areas.length === 0) return { code: 'none' };
  return areas.length > freePlaces ? { code: 'many', most: AREAS_MAX } : areas;
}

function areaOf([lat = '', lng = '', radius = '', ...others]: readonly string[]): Area | undefined {
  if (lat === '' || lng === '' || others.some(cell => cell !== '')) return undefined;
  return { lat: Number(lat), lng: Number(lng), radiusKm: radius === '' ? RADIUS_KM : Number(radius) };
}
