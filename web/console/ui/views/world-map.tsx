/**
 * A map of the world by MapLibre, with the shapes of countries that come with the console: no request leaves this
 * server. What can be chosen on it are buttons, so that the keyboard reaches them; the page offers the same choices
 * beside it.
 */
import type { FeatureCollection, Geometry, Position } from 'geojson';
import { Map as MapLibre, NavigationControl, setWorkerUrl, type StyleSpecification } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { useEffect, useRef, type ReactElement } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { t } from '../../text/text.ts';
import { Bubbles, type Bubble } from './bubbles.ts';

setWorkerUrl(workerUrl);

export type WorldMapOptions = {
  label: string;
  bubbles: readonly Bubble[];
  onToggle?: ((name: string) => void) | undefined;
};

const PADDING_PX = 60;
const ZOOM_MAX = 9;

export function WorldMap({ label, bubbles, onToggle }: WorldMapOptions): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const map = useRef<MapLibre | null>(null);
  const shown = useRef<Bubbles | null>(null);
  const toggle = useRef(onToggle);
  toggle.current = onToggle;
  useEffect(() => {
    const made = createMap(frame.current!, label);
    map.current = made;
    shown.current = new Bubbles(made, name => toggle.current?.(name));
    const recolour = () => void countries().then(shapes => made.setStyle(styleOf(frame.current!, shapes)));
    recolour();
    addEventListener('themechange', recolour);
    return () => {
      removeEventListener('themechange', recolour);
      map.current = null;
      made.remove();
    };
  }, [label]);
  useEffect(() => shown.current?.show(bubbles), [bubbles, label]);
  const places = bubbles.map(({ name }) => name).join('|');
  useEffect(() => {
    if (map.current && bubbles.length > 0) fit(map.current, bubbles);
    // Only other places move the map: a choice leaves it where the person looks.
  }, [places]);
  return <div className="map" ref={frame} />;
}

function createMap(container: HTMLElement, label: string): MapLibre {
  const map = new MapLibre({
    container,
    style: { version: 8, sources: {}, layers: [] },
    center: [10, 25],
    zoom: 1,
    maxZoom: ZOOM_MAX,
    attributionControl: false,
    dragRotate: false,
    cooperativeGestures: true,
    locale: { 'Map.Title': label, 'NavigationControl.ZoomIn': t('map.in'), 'NavigationControl.ZoomOut': t('map.out') },
  });
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  return map;
}

let shapesOnce: Promise<FeatureCollection> | undefined;

/** The shapes of countries, read once. */
function countries(): Promise<FeatureCollection> {
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

/**
 * A ring that crosses the 180th meridian goes on beyond it: a jump to the other side would be a line across the map.
 */
function unwrap(ring: Position[]): void {
  for (let at = 1; at < ring.length; at++) {
    const jump = ring[at]![0]! - ring[at - 1]![0]!;
    if (Math.abs(jump) > 180) ring[at] = [ring[at]![0]! - Math.round(jump / 360) * 360, ring[at]![1]!];
  }
}

function styleOf(frame: HTMLElement, shapes: FeatureCollection): StyleSpecification {
  const style = getComputedStyle(frame);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    version: 8,
    sources: { countries: { type: 'geojson', data: shapes } },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': token('--map-sea') } },
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': token('--map-land') } },
      {
        id: 'borders',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': token('--map-line'), 'line-width': 0.7 },
      },
    ],
  };
}

function fit(map: MapLibre, bubbles: readonly Bubble[]): void {
  const [lngs, lats] = [bubbles.map(bubble => bubble.lng), bubbles.map(bubble => bubble.lat)];
  map.fitBounds(
    [
      [Math.min(...lngs), Math.min(...lats)],
      [Math.max(...lngs), Math.max(...lats)],
    ],
    { padding: PADDING_PX, animate: false, maxZoom: ZOOM_MAX },
  );
}
