/**
 * How streets look: the layers of Protomaps' basemap in the colours of the console's own map. Names are drawn with the
 * fonts of the device, so that none is loaded.
 */
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';

export const STREETS_SOURCE = 'streets';
const FONT = ['sans-serif'];
/** Which kinds of land are green. */
const GREENS = [
  ['park', 'national_park', 'nature_reserve', 'protected_area', 'forest', 'wood', 'grass', 'grassland', 'meadow'],
  ['garden', 'golf_course', 'cemetery', 'pitch', 'playground', 'recreation_ground', 'village_green', 'zoo', 'scrub'],
].flat();
const POLYGONS: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
const LINES: ExpressionSpecification = ['==', ['geometry-type'], 'LineString'];

/** A color of the theme. */
type Token = (name: string) => string;

/** The layers of vector tiles, in the order in which they lie on each other. */
export function streetLayers(token: Token, language: string): LayerSpecification[] {
  return [...ground(token), ...ways(token), ...names(token, language)];
}

/** The layer of tiles that are pictures: under the dark theme they are less bright. */
export function pictureLayer(isDark: boolean): LayerSpecification {
  return {
    id: 'street-pictures',
    type: 'raster',
    source: STREETS_SOURCE,
    paint: isDark ? { 'raster-brightness-max': 0.55, 'raster-saturation': -0.4 } : {},
  };
}

function ground(token: Token): LayerSpecification[] {
  const greens: ExpressionSpecification = ['in', ['get', 'kind'], ['literal', GREENS]];
  return [
    fill('earth', 'earth', token('--map-land'), { filter: POLYGONS }),
    fill('green', 'landuse', token('--map-green'), { filter: ['all', POLYGONS, greens] }),
    fill('water', 'water', token('--map-sea'), { filter: POLYGONS }),
    line('rivers', 'water', token('--map-sea'), { filter: LINES, widths: [8, 0.8, 16, 6] }),
    fill('buildings', 'buildings', token('--map-building'), { filter: POLYGONS, minzoom: 13 }),
  ];
}

function ways(token: Token): LayerSpecification[] {
  const kinds = (...names: string[]): FilterSpecification => ['in', ['get', 'kind'], ['literal', names]];
  const road = token('--map-road');
  return [
    line('paths', 'roads', road, { filter: kinds('path', 'other'), widths: [14, 0.5, 18, 3], minzoom: 14 }),
    line('rails', 'roads', token('--map-line'), { filter: kinds('rail'), widths: [11, 0.5, 18, 2], minzoom: 11 }),
    line('minor-roads', 'roads', road, { filter: kinds('minor_road'), widths: [12, 0.6, 18, 14], minzoom: 12 }),
    line('major-roads', 'roads', road, {
      filter: kinds('major_road', 'medium_road'),
      widths: [8, 0.8, 18, 20],
      minzoom: 8,
    }),
    line('highways', 'roads', token('--map-highway'), { filter: kinds('highway'), widths: [5, 0.8, 18, 24] }),
    line('boundaries', 'boundaries', token('--map-line'), { filter: LINES, widths: [2, 0.7, 12, 1.4] }),
  ];
}

function names(token: Token, language: string): LayerSpecification[] {
  const text: ExpressionSpecification = ['coalesce', ['get', `name:${language}`], ['get', 'name']];
  const paint = { 'text-color': token('--text-muted'), 'text-halo-color': token('--map-land'), 'text-halo-width': 1.5 };
  return [
    {
      id: 'street-names',
      type: 'symbol',
      source: STREETS_SOURCE,
      'source-layer': 'roads',
      minzoom: 14,
      layout: { 'text-field': text, 'text-font': FONT, 'text-size': 11, 'symbol-placement': 'line' },
      paint,
    },
    {
      id: 'street-places',
      type: 'symbol',
      source: STREETS_SOURCE,
      'source-layer': 'places',
      filter: ['!=', ['get', 'kind'], 'country'],
      layout: {
        'text-field': text,
        'text-font': FONT,
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 10, 12, 14],
        'symbol-sort-key': ['-', 0, ['coalesce', ['get', 'population_rank'], 0]],
      },
      paint,
    },
  ];
}

type FillOptions = { filter: FilterSpecification; minzoom?: number };

function fill(id: string, layer: string, color: string, options: FillOptions): LayerSpecification {
  return {
    id: `street-${id}`,
    type: 'fill',
    source: STREETS_SOURCE,
    'source-layer': layer,
    paint: { 'fill-color': color },
    ...options,
  };
}

/** `widths`: how wide it is at one zoom, and at another. */
type LineOptions = FillOptions & { widths: readonly [number, number, number, number] };

function line(id: string, layer: string, color: string, { widths, ...options }: LineOptions): LayerSpecification {
  return {
    id: `street-${id}`,
    type: 'line',
    source: STREETS_SOURCE,
    'source-layer': layer,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], ...widths] },
    ...options,
  };
}
