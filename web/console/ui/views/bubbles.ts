/**
 * The bubbles on a map: a button for each place, as large as what it stands for. One that stays is changed where it is,
 * so that who pressed it is still on it.
 */
import { Marker, type Map as MapLibre } from 'maplibre-gl';

export type Bubble = { name: string; label: string; lat: number; lng: number; weight: number; isChosen: boolean };

/** The size of the smallest and of the largest bubble. */
const [BUBBLE_PX_MIN, BUBBLE_PX_MAX] = [18, 46];

export class Bubbles {
  readonly #map: MapLibre;
  readonly #onToggle: (name: string) => void;
  readonly #markers = new Map<string, Marker>();

  constructor(map: MapLibre, onToggle: (name: string) => void) {
    this.#map = map;
    this.#onToggle = onToggle;
  }

  /** These and no others. */
  show(bubbles: readonly Bubble[]): void {
    const names = new Set(bubbles.map(({ name }) => name));
    for (const [name, marker] of this.#markers) if (!names.has(name)) this.#remove(name, marker);
    const most = Math.max(1, ...bubbles.map(({ weight }) => weight));
    for (const bubble of bubbles) {
      const marker = this.#markers.get(bubble.name) ?? this.#add(bubble);
      marker.setLngLat([bubble.lng, bubble.lat]);
      draw(marker.getElement(), bubble, most);
    }
  }

  #add({ name, lat, lng }: Bubble): Marker {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = 'bubble';
    element.addEventListener('click', () => this.#onToggle(name));
    const marker = new Marker({ element }).setLngLat([lng, lat]).addTo(this.#map);
    this.#markers.set(name, marker);
    return marker;
  }

  #remove(name: string, marker: Marker): void {
    marker.remove();
    this.#markers.delete(name);
  }
}

function draw(element: HTMLElement, { label, weight, isChosen }: Bubble, most: number): void {
  element.setAttribute('aria-pressed', String(isChosen));
  element.setAttribute('aria-label', label);
  element.title = label;
  const size = `${BUBBLE_PX_MIN + (BUBBLE_PX_MAX - BUBBLE_PX_MIN) * Math.sqrt(weight / most)}px`;
  element.style.width = size;
  element.style.height = size;
}
