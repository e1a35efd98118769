/**
 * A map of the world by MapLibre, with the shapes of countries that come with the console: no request leaves this
 * server. What can be chosen on it are buttons, so that the keyboard reaches them; the page offers the same choices
 * beside it.
 */
import type { FeatureCollection, Geometry, Position } from 'geojson';
import { Map as MapLibre, Marker, NavigationControl, setWorkerUrl, type StyleSpecification } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { useEffect, useRef, type ReactElement } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { t } from '../../text/text.ts';

setWorkerUrl(workerUrl);

export type Bubble = { name: string; label: string; lat: number; lng: number; weight: number; isChosen: boolean };
export type WorldMapOptions = {
  label: string;
  bubbles: readonly Bubble[];
  onToggle?: ((name: string) => void) | undefined;
};

/** The size of the smallest and of the largest bubble. */
const [BUBBLE_PX_MIN, BUBBLE_PX_MAX] = [18, 46];
const PADDING_PX = 60;
const ZOOM_MAX = 9;

export function WorldMap({ label, bubbles, onToggle }: WorldMapOptions): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const map = useRef<MapLibre | null>(null);
  const toggle = useRef(onToggle);
  toggle.current = onToggle;
  useEffect(() => {
    const made = createMap(frame.current!, label);
    map.current = made;
    const recolour = () => void countries().then(shapes => made.setStyle(styleOf(frame.current!, shapes)));
    recolour();
    addEventListener('themechange', recolour);
    return () => {
      removeEventListener('themechange', recolour);
      map.current = null;
      made.remove();
    };
  }, [label]);
  useEffect(() => {
    const most = Math.max(1, ...bubbles.map(bubble => bubble.weight));
    const markers = bubbles.map(bubble =>
      addBubble(map.current!, bubble, { most, onToggle: name => toggle.current?.(name) }),
    );
    return () => markers.forEach(marker => marker.remove());
  }, [bubbles]);
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

type BubbleOptions = { most: number; onToggle: (name: string) => void };

function addBubble(map: MapLibre, bubble: Bubble, { most, onToggle }: BubbleOptions): Marker {
  const { name, label, lat, lng, weight, isChosen } = bubble;
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'bubble';
  element.setAttribute('aria-pressed', String(isChosen));
  element.setAttribute('aria-label', label);
  element.title = label;
  const size = `${BUBBLE_PX_MIN + (BUBBLE_PX_MAX - BUBBLE_PX_MIN) * Math.sqrt(weight / most)}px`;
  element.style.width = size;
  element.style.height = size;
  element.addEventListener('click', () => onToggle(name));
  return new Marker({ element }).setLngLat([lng, lat]).addTo(map);
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
