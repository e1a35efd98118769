/**
 * A map of the world by MapLibre, with the shapes of countries that come with the console, and with streets where the
 * operator has mounted them: no request leaves this server. What can be chosen on it are buttons, so that the keyboard
 * reaches them; the page offers the same choices beside it. Areas are circles; where they may be changed, a press on
 * the map adds one.
 */
import { Map as MapLibre, NavigationControl, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { useEffect, useRef, type ReactElement } from 'react';
import { distanceKm } from '#domain/geography.ts';
import { t } from '../../text/text.ts';
import { Button } from '../button.tsx';
import { Areas, type ChangeArea } from './areas.ts';
import { Bubbles, type Bubble } from './bubbles.ts';
import { circleRings, roundedPlace, roundedRadius, type Area } from './circle.ts';
import { countries, styleOf } from './map-style.ts';
import { PlaceSearch } from './place-search.tsx';
import { creditControl, streetTiles, type StreetTiles } from './street-tiles.ts';

setWorkerUrl(workerUrl);

export type EditAreas = { add: (area: Area) => void; change: ChangeArea; isFull: boolean };
export type WorldMapOptions = {
  label: string;
  bubbles: readonly Bubble[];
  onToggle?: ((name: string) => void) | undefined;
  areas?: readonly Area[];
  /** The name of the place that the map brings near. */
  focus?: string | undefined;
  /** Lets a person draw areas. */
  edit?: EditAreas;
};

const PADDING_PX = 60;
/** Fewer places are seen at once. */
const SEARCHED_MIN = 4;
/** The maximum zoom, automatic and manual: a street is some pixels wide; with street tiles, a house. */
const [FIT_ZOOM_MAX, ZOOM_MAX, STREETS_ZOOM_MAX] = [9, 13, 18];
const NO_AREAS: readonly Area[] = [];
/** A new area is as wide as a quarter of the height that is seen, in a round number of kilometres. */
const NEW_AREA_SHARE = 1 / 8;
const NEW_AREA_DIGITS = 1;

export function WorldMap({ label, bubbles, onToggle, areas = NO_AREAS, focus, edit }: WorldMapOptions): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const map = useRef<MapLibre | null>(null);
  const shown = useRef<{ bubbles: Bubbles; areas: Areas } | null>(null);
  const latest = useRef({ onToggle, edit });
  latest.current = { onToggle, edit };
  const isEdited = edit !== undefined;
  useEffect(() => {
    const made = createMap(frame.current!, label);
    map.current = made;
    const drawn = new Areas(made, isEdited ? (at, area) => latest.current.edit?.change(at, area) : undefined);
    shown.current = { bubbles: new Bubbles(made, name => latest.current.onToggle?.(name)), areas: drawn };
    if (isEdited) onPress(made, place => add(made, place, latest.current.edit));
    let streets: StreetTiles | undefined;
    const recolour = async () => {
      const shapes = await countries();
      // The person may have gone on before the shapes came.
      if (map.current !== made) return;
      made.setStyle(styleOf(frame.current!, { shapes, areas: drawn.shapes, streets }));
      made.once('idle', () => frame.current?.classList.remove('is-bare')); // places wait for the land below them
    };
    const onTheme = () => void recolour();
    onTheme();
    void addStreets(made, tiles => {
      streets = tiles;
      onTheme();
    });
    addEventListener('themechange', onTheme);
    return () => {
      removeEventListener('themechange', onTheme);
      map.current = null;
      made.remove();
    };
  }, [label, isEdited]);
  useEffect(() => shown.current?.bubbles.show(bubbles), [bubbles, label, isEdited]);
  useEffect(() => shown.current?.areas.show(areas), [areas, label, isEdited]);
  const places = bubbles.map(({ name }) => name).join('|');
  const framed = isEdited ? '' : JSON.stringify(areas);
  useEffect(() => {
    if (map.current) fit(map.current, bubbles, isEdited ? NO_AREAS : areas);
    // Only new places move the map: a choice or a drawn area leaves the view unchanged.
  }, [places, framed]);
  useEffect(() => {
    const place = bubbles.find(({ name }) => name === focus);
    if (place) comeNear(map.current, place);
    // Its figures change while it is looked at; the map moves for another place alone.
  }, [focus]);
  return (
    <>
      {(edit || bubbles.length >= SEARCHED_MIN) && (
        <PlaceSearch places={bubbles} onFind={place => comeNear(map.current, place)}>
          {edit && (
            <Button
              disabled={edit.isFull}
              onClick={() => map.current && add(map.current, map.current.getCenter(), edit)}
            >
              {t('areas.add')}
            </Button>
          )}
        </PlaceSearch>
      )}
      <div className="map is-bare" ref={frame} />
    </>
  );
}

/** Shows streets with attribution, if there are any. Without them the map of countries is complete. */
async function addStreets(map: MapLibre, show: (tiles: StreetTiles) => void): Promise<void> {
  const tiles = await streetTiles().catch((error: unknown) => {
    console.warn('The street tiles cannot be read.', error); // the operator reads why in the log of the API
    return undefined;
  });
  if (!tiles) return;
  map.setMaxZoom(STREETS_ZOOM_MAX);
  map.addControl(creditControl(tiles.credit), 'bottom-right');
  show(tiles);
}

type Place = { lat: number; lng: number };

/** At once if it is not seen yet: nobody follows a flight over half of the world. */
function comeNear(map: MapLibre | null, place: Place): void {
  if (!map) return;
  const view = { center: place, zoom: Math.max(map.getZoom(), FIT_ZOOM_MAX) };
  if (map.getBounds().contains(place)) map.easeTo(view);
  else map.jumpTo(view);
}

/** A press on the map itself: not on a marker, not the end of a drag, and not the second of a double press. */
function onPress(map: MapLibre, act: (place: Place) => void): void {
  map.doubleClickZoom.disable();
  map.on('click', ({ lngLat, originalEvent }) => {
    if (originalEvent.target === map.getCanvas() && originalEvent.detail <= 1) act(lngLat);
  });
}

/** Adds an area at a place, as large as can be seen well. */
function add(map: MapLibre, place: Place, edit: EditAreas | undefined): void {
  if (!edit || edit.isFull) return;
  const bounds = map.getBounds();
  const heightKm = distanceKm({ lat: bounds.getNorth(), lng: 0 }, { lat: bounds.getSouth(), lng: 0 });
  edit.add({ ...roundedPlace(place), radiusKm: roundedRadius(heightKm * NEW_AREA_SHARE, NEW_AREA_DIGITS) });
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

/** Moves the map so that all of it is seen; without anything it stays. */
function fit(map: MapLibre, bubbles: readonly Bubble[], areas: readonly Area[]): void {
  const corners = areas.flatMap(area => circleRings(area)[0]!);
  const lngs = [...bubbles.map(({ lng }) => lng), ...corners.map(([lng]) => lng!)];
  const lats = [...bubbles.map(({ lat }) => lat), ...corners.map(([, lat]) => lat!)];
  if (lngs.length === 0) return;
  map.fitBounds(
    [
      [Math.min(...lngs), Math.min(...lats)],
      [Math.max(...lngs), Math.max(...lats)],
    ],
    { padding: PADDING_PX, animate: false, maxZoom: FIT_ZOOM_MAX },
  );
}
