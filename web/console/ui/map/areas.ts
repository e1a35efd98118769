/**
 * Areas on a map: a circle for each and, where they may be changed, two handles. The one in the middle moves the area,
 * the one at its edge changes the radius; each by drag or, with the focus on it, by the arrow keys.
 */
import type { FeatureCollection } from 'geojson';
import { Marker, type GeoJSONSource, type Map as MapLibre } from 'maplibre-gl';
import { distanceKm } from '#domain/geography.ts';
import { count } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import {
  circleRings,
  edgeOffsetPx,
  edgePoint,
  RADIUS_KM_MIN,
  roundedPlace,
  roundedRadius,
  type Area,
} from './circle.ts';

export type ChangeArea = (at: number, area: Area) => void;
type Handles = { middle: Marker; edge: Marker };

export const AREAS_SOURCE = 'areas';
const EAST = 90;
/** So far from the edge of the map that both handles of a small circle are on it. */
const MARGIN_PX = 40;
/** The step of an arrow key; with Shift a tenth of it. */
const STEP_PX = 10;
const GROWTH = 1.1;
const FINE = 10;
/** Half of the Earth's circumference: no point is farther. */
const RADIUS_KM_MAX = 20_015;
const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export class Areas {
  readonly #map: MapLibre;
  readonly #change: ChangeArea | undefined;
  readonly #handles: Handles[] = [];
  #areas: readonly Area[] = [];

  /** Without `change` they are shown and stay as they are. */
  constructor(map: MapLibre, change: ChangeArea | undefined) {
    this.#map = map;
    this.#change = change;
    map.on('style.load', () => this.#draw()); // what was shown before the map had a style
    map.on('zoom', () => this.#handles.forEach(handles => this.#setApart(handles)));
  }

  /** Exactly these; areas that cannot be drawn yet, because the user is typing, are left out. */
  show(areas: readonly Area[]): void {
    this.#areas = areas;
    this.#draw();
    if (!this.#change) return;
    while (this.#handles.length > areas.length) {
      const gone = this.#handles.pop();
      gone?.middle.remove();
      gone?.edge.remove();
    }
    areas.forEach((area, at) => {
      if (!isDrawable(area)) return;
      const handles = (this.#handles[at] ??= this.#addHandles(area, at));
      place(handles, area, at);
      this.#setApart(handles);
    });
  }

  /** The circles as the map's source has them. */
  get shapes(): FeatureCollection {
    const features = this.#areas
      .filter(isDrawable)
      .map(area => ({
        type: 'Feature' as const,
        properties: {},
        geometry: { type: 'Polygon' as const, coordinates: circleRings(area) },
      }));
    return { type: 'FeatureCollection', features };
  }

  #draw(): void {
    void this.#map.getSource<GeoJSONSource>(AREAS_SOURCE)?.setData(this.shapes);
  }

  #addHandles(area: Area, at: number): Handles {
    const middle = this.#addHandle('area-middle', area);
    const edge = this.#addHandle('area-edge', edgePoint(area, EAST));
    const slider = edge.getElement();
    slider.setAttribute('role', 'slider');
    slider.setAttribute('aria-valuemin', String(RADIUS_KM_MIN));
    slider.setAttribute('aria-valuemax', String(RADIUS_KM_MAX));
    middle.on('drag', () => this.#move(at, middle.getLngLat()));
    edge.on('drag', () => this.#resize(at, distanceKm(this.#areas[at]!, edge.getLngLat())));
    onArrow(middle.getElement(), ([right, down], part) => {
      const { x, y } = this.#map.project(middle.getLngLat());
      this.#move(at, this.#map.unproject([x + right * STEP_PX * part, y + down * STEP_PX * part]));
    });
    onArrow(slider, ([right, down], part) => {
      const { radiusKm } = this.#areas[at]!;
      this.#resize(at, radiusKm * (1 + (GROWTH - 1) * part) ** (right - down));
    });
    return { middle, edge };
  }

  #addHandle(name: string, { lat, lng }: { lat: number; lng: number }): Marker {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = `area-handle ${name}`;
    // The map keeps the mouse from moving the focus.
    element.addEventListener('pointerdown', () => element.focus());
    const marker = new Marker({ element, draggable: true });
    element.addEventListener('focus', () => this.#bringIntoView(marker));
    return marker.setLngLat([lng, lat]).addTo(this.#map);
  }

  /** Focusing a handle by keyboard brings it into view, wherever the fields have put the area. */
  #bringIntoView(marker: Marker): void {
    const { x, y } = this.#map.project(marker.getLngLat());
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const isSeen = x >= MARGIN_PX && y >= MARGIN_PX && x <= clientWidth - MARGIN_PX && y <= clientHeight - MARGIN_PX;
    if (isSeen) return;
    this.#map.jumpTo({ center: marker.getLngLat() });
    // The browser has scrolled to where it was before.
    marker.getElement().scrollIntoView({ block: 'center' });
  }

  /** Keeps the edge handle on the edge, or next to the center handle if the circle is too small for both. */
  #setApart({ middle, edge }: Handles): void {
    const [from, to] = [this.#map.project(middle.getLngLat()), this.#map.project(edge.getLngLat())];
    edge.setOffset([edgeOffsetPx(to.x - from.x), 0]);
  }

  #move(at: number, to: { lat: number; lng: number }): void {
    this.#change?.(at, { ...this.#areas[at]!, ...roundedPlace(to) });
  }

  #resize(at: number, radiusKm: number): void {
    this.#change?.(at, { ...this.#areas[at]!, radiusKm: roundedRadius(Math.min(radiusKm, RADIUS_KM_MAX)) });
  }
}

function place({ middle, edge }: Handles, area: Area, at: number): void {
  const number = at + 1;
  middle.setLngLat([area.lng, area.lat]);
  const { lat, lng } = edgePoint(area, EAST);
  edge.setLngLat([lng, lat]);
  const [button, slider] = [middle.getElement(), edge.getElement()];
  button.textContent = String(number);
  button.setAttribute('aria-label', t('areas.move', { number }));
  slider.setAttribute('aria-label', t('areas.resize', { number }));
  slider.setAttribute('aria-valuenow', String(area.radiusKm));
  slider.setAttribute('aria-valuetext', t('areas.kilometres', { radius: distance(area.radiusKm) }));
}

/** Kilometres as people read them. */
function distance(radiusKm: number): string {
  return radiusKm < 10 ? String(radiusKm) : count(radiusKm);
}

function isDrawable({ lat, lng, radiusKm }: Area): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && radiusKm > 0;
}

function onArrow(element: HTMLElement, act: (direction: readonly [number, number], part: number) => void): void {
  element.addEventListener('keydown', event => {
    const direction = DIRECTIONS[event.key];
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation(); // the map would move, too
    act(direction, event.shiftKey ? 1 / FINE : 1);
  });
}
