/**
 * What a map shows beneath its places, as MapLibre takes it: the shapes of countries that come with the console, the
 * streets that the operator has mounted, and the areas of a campaign.
 */
import type { FeatureCollection, Geometry, Position } from 'geojson';
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { currentLanguage } from '../../text/text.ts';
import { AREAS_SOURCE } from './areas.ts';
import { pictureLayer, streetLayers, STREETS_SOURCE } from './street-layers.ts';
import type { StreetTiles } from './street-tiles.ts';

/** The base map below the places. `streets`: once loaded, if the installation has any. */
export type MapGround = { shapes: FeatureCollection; areas: FeatureCollection; streets: StreetTiles | undefined };

/** The style of a map in the colours of the theme. Streets lie over the shapes of countries, areas over both. */
export function styleOf(frame: HTMLElement, { shapes, areas, streets }: MapGround): StyleSpecification {
  const style = getComputedStyle(frame);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: shapes },
      ...(streets && { [STREETS_SOURCE]: streets.source }),
      [AREAS_SOURCE]: { type: 'geojson', data: areas },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': token('--map-sea') } },
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': token('--map-land') } },
      {
        id: 'borders',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': token('--map-line'), 'line-width': 0.7 },
      },
      ...(streets ? layersOf(streets, token) : []),
      {
        id: 'area-fills',
        type: 'fill',
        source: AREAS_SOURCE,
        paint: { 'fill-color': token('--accent'), 'fill-opacity': 0.16 },
      },
      {
        id: 'area-edges',
        type: 'line',
        source: AREAS_SOURCE,
        paint: { 'line-color': token('--accent'), 'line-width': 2 },
      },
    ],
  };
}

function layersOf({ isVector }: StreetTiles, token: (name: string) => string): LayerSpecification[] {
  return isVector
    ? streetLayers(token, currentLanguage())
    : [pictureLayer(document.documentElement.dataset['theme'] === 'dark')];
}

let shapesOnce: Promise<FeatureCollection> | undefined;

/** The shapes of countries, read once. */
export function countries(): Promise<FeatureCollection> {
  shapesOnce ??= (async () => {
    const topology = (await (await fetch(countriesUrl)).json()) as Topology<{ countries: GeometryCollection }>;
    const shapes = feature(topology, topology.objects.countries);
    for (const { geometry } of shapes.features) ringsOf(geometry).forEach(unwrap);
    return shapes;
  })();
  return shapesOnce;
}

function ringsOf(geometry: Geometry): Position[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates;
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
}

/** A ring across the 180th meridian continues beyond it: a jump to the other side would draw a line across the map. */
function unwrap(ring: Position[]): void {
  for (let at = 1; at < ring.length; at++) {
    const jump = ring[at]![0]! - ring[at - 1]![0]!;
    if (Math.abs(jump) > 180) ring[at] = [ring[at]![0]! - Math.round(jump / 360) * 360, ring[at]![1]!];
  }
}
