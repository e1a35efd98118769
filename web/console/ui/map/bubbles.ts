/**
 * The bubbles on a map: a button for each place with what it stands for, the larger the more. Those that would cover
 * each other are one bubble, which brings the map nearer. A remaining bubble is updated in place, so that it keeps the
 * focus.
 */
import { Marker, type Map as MapLibre } from 'maplibre-gl';
import { compact } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { clustersOf } from './clusters.ts';

export type Bubble = {
  /** What it is called with; each of a map has its own. */
  name: string;
  /** What is written below it. */
  title: string;
  /** What it says to who does not see it. */
  label: string;
  lat: number;
  lng: number;
  weight: number;
  isChosen: boolean;
  /** The state of the place; absent if it has none. */
  tone?: 'good' | 'wait' | 'bad';
};

/** The size of the smallest and of the largest bubble. */
const [BUBBLE_PX_MIN, BUBBLE_PX_MAX] = [22, 46];
/** At its nearest the map shows places on one spot side by side, as they come. */
const NEAREST = 0.1;
const PADDING_PX = 80;
/** Of the places of a group, as many are named. */
const NAMES_MAX = 3;

export class Bubbles {
  readonly #map: MapLibre;
  readonly #onToggle: (name: string) => void;
  readonly #markers = new Map<string, Marker>();
  #bubbles: readonly Bubble[] = [];

  constructor(map: MapLibre, onToggle: (name: string) => void) {
    this.#map = map;
    this.#onToggle = onToggle;
    map.on('zoomend', () => this.#arrange());
    map.on('moveend', () => this.#skipHidden());
  }

  /** These and no others. */
  show(bubbles: readonly Bubble[]): void {
    this.#bubbles = bubbles;
    this.#arrange();
  }

  #arrange(): void {
    const groups = new Map(this.#groups().map(group => [group.map(({ name }) => name).join('|'), group]));
    for (const [key, marker] of this.#markers) if (!groups.has(key)) this.#remove(key, marker);
    const most = this.#most();
    for (const [key, group] of groups) {
      const marker = this.#markers.get(key) ?? this.#add(key);
      marker.setLngLat(middleOf(group));
      draw(marker.getElement(), group, most);
    }
    this.#skipHidden();
  }

  /** The keyboard skips places beyond the edge of the map: nobody sees that they have the focus. */
  #skipHidden(): void {
    const bounds = this.#map.getBounds();
    for (const marker of this.#markers.values())
      marker.getElement().tabIndex = bounds.contains(marker.getLngLat()) ? 0 : -1;
  }

  #groups(): Bubble[][] {
    if (this.#map.getZoom() > this.#map.getMaxZoom() - NEAREST) return this.#bubbles.map(bubble => [bubble]);
    const most = this.#most();
    const circles = this.#bubbles.map(bubble => {
      const { x, y } = this.#map.project([bubble.lng, bubble.lat]);
      return { bubble, x, y, radius: sizeOf(bubble.weight, most) / 2 };
    });
    return clustersOf(circles).map(members => members.map(({ bubble }) => bubble));
  }

  #most(): number {
    return Math.max(1, ...this.#bubbles.map(({ weight }) => weight));
  }

  #add(key: string): Marker {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = 'bubble';
    element.addEventListener('click', () => this.#press(key));
    const marker = new Marker({ element }).setLngLat([0, 0]).addTo(this.#map);
    this.#markers.set(key, marker);
    return marker;
  }

  /** Chooses the place, or shows those of a group apart. */
  #press(key: string): void {
    const names = new Set(key.split('|'));
    const members = this.#bubbles.filter(({ name }) => names.has(name));
    if (members.length === 1) return this.#onToggle(key);
    const [lngs, lats] = [members.map(({ lng }) => lng), members.map(({ lat }) => lat)];
    const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)];
    // Places on one spot have no bounds to fit.
    if (west === east && south === north) this.#map.easeTo({ center: [west, south], zoom: this.#map.getMaxZoom() });
    else this.#map.fitBounds([west, south, east, north], { padding: PADDING_PX });
  }

  #remove(key: string, marker: Marker): void {
    marker.remove();
    this.#markers.delete(key);
  }
}

function middleOf(group: readonly Bubble[]): [number, number] {
  const largest = group.reduce((one, other) => (other.weight > one.weight ? other : one));
  return [largest.lng, largest.lat];
}

function draw(element: HTMLElement, group: readonly Bubble[], most: number): void {
  const [only] = group;
  const isChosen = group.every(bubble => bubble.isChosen);
  const weight = group.reduce((sum, bubble) => sum + bubble.weight, 0);
  if (group.length === 1) element.setAttribute('aria-pressed', String(isChosen));
  element.dataset['chosen'] = String(isChosen);
  element.dataset['tone'] = toneOf(group);
  element.dataset['title'] = group.length === 1 ? only!.title : t('map.places', { count: group.length });
  const label = group.length === 1 ? only!.label : labelOf(group, weight);
  element.setAttribute('aria-label', label);
  element.title = label;
  element.textContent = compact(weight);
  const size = `${sizeOf(Math.min(weight, most), most)}px`;
  element.style.width = size;
  element.style.height = size;
}

/** Of a group: good or bad if all are, and in between if some are. */
function toneOf([first, ...others]: readonly Bubble[]): string {
  const tone = first?.tone ?? '';
  return others.every(one => (one.tone ?? '') === tone) ? tone : 'wait';
}

/** It contains the shown figure, by which people who speak to their device name the button. */
function labelOf(group: readonly Bubble[], weight: number): string {
  const names = group.slice(0, NAMES_MAX).map(({ title }) => title);
  return t(group.length > NAMES_MAX ? 'map.groupOfMany' : 'map.group', {
    total: compact(weight),
    count: group.length,
    names: names.join(', '),
  });
}

function sizeOf(weight: number, most: number): number {
  return BUBBLE_PX_MIN + (BUBBLE_PX_MAX - BUBBLE_PX_MIN) * Math.sqrt(weight / most);
}
