/**
 * The visible stage. Two layers alternate above the card: one is visible while the other is loading, and the switch
 * happens with the first frame of the next item, so that there is never a gap. The card is behind both.
 */
import type { Fill } from '#sdk/screen/index.ts';
import type { AssetCache } from '../plays/asset-cache.ts';
import { Card } from './card.ts';
import { Layer, LayerFault, type Loaded, type Shown } from './layer.ts';
import type { InSight } from './picture.ts';
import type { HouseItem } from '../plays/turn.ts';

export type Prepared = {
  durationMs: number;
  /** Brings it to the front and resolves with `started` at its first frame, with `shown` when it has ended. */
  show(): { started: Promise<void>; shown: Promise<Shown> };
};

type LoadOptions = { isVideo: boolean; url: string; durationMs: number };

export class Stage {
  readonly element = document.createElement('div');
  readonly card = new Card();
  readonly #layers = [new Layer(), new Layer()] as const;
  readonly #cache: AssetCache;
  #front: Layer | undefined;

  constructor(cache: AssetCache) {
    this.#cache = cache;
    this.element.className = 'stage';
    this.element.append(this.card.element, ...this.#layers.map(layer => layer.element));
    this.card.isShown = true;
  }

  get isMuted(): boolean {
    return this.#layers.some(layer => layer.isMuted);
  }

  /** The item in front. The card does not count. */
  get inSight(): InSight {
    return this.#front ? this.#front.inSight : 'nothing';
  }

  /** Loads an ad into the layer that is not in sight. Rejects with a `LayerFault`. */
  async prepareFill(fill: Fill): Promise<Prepared> {
    const { kind, url, duration_ms: durationMs, scan_url: scanUrl } = fill;
    return this.#prepare(durationMs, async layer => {
      const loaded = await this.#load(layer, { isVideo: kind === 'video', url, durationMs });
      if (scanUrl) layer.addScanCode(scanUrl);
      layer.addLabels(fill);
      return loaded;
    });
  }

  /** The same for an item of the house. The card is always there. */
  async prepareHouse(item: HouseItem): Promise<Prepared> {
    if (item.type === 'card') return this.prepareCard(item.duration_ms);
    const { type, url, duration_ms: durationMs } = item;
    return this.#prepare(durationMs, async layer => {
      if (type === 'ai_menu' || type === 'sponsorship_card')
        return layer.loadPage(await this.#cache.text(url), durationMs);
      const loaded = await this.#load(layer, { isVideo: type === 'video', url, durationMs });
      layer.addLabels(item);
      return loaded;
    });
  }

  prepareCard(durationMs: number): Prepared {
    const wait = (): Promise<Shown> =>
      new Promise(resolve => {
        setTimeout(() => resolve({ playedMs: durationMs }), durationMs);
      });
    return { durationMs, show: () => ({ started: Promise.resolve(this.#bringToFront(undefined)), shown: wait() }) };
  }

  /** Nothing plays any more. */
  clear(): void {
    for (const layer of this.#layers) layer.clear();
  }

  async #load(layer: Layer, { isVideo, url, durationMs }: LoadOptions): Promise<Loaded> {
    // A cache that fails must not keep the file from its own address.
    const address = await this.#cache.address(url).catch(() => url);
    layer.onClear = () => this.#cache.release(address);
    const loading = isVideo ? layer.loadVideo(address, durationMs) : layer.loadImage(address, durationMs);
    if (address !== url) loading.catch(() => this.#cache.reject(url)).catch(() => undefined); // a cache that fails
    return loading;
  }

  async #prepare(durationMs: number, load: (layer: Layer) => Promise<Loaded>): Promise<Prepared> {
    const layer = this.#layers.find(one => one !== this.#front)!;
    layer.clear();
    const loaded = await load(layer);
    return {
      durationMs,
      show: () => {
        const started = loaded.start().then(() => this.#bringToFront(layer));
        const shown = started.then(
          () => loaded.ended(),
          (fault: unknown) => ({ playedMs: 0, fault: fault instanceof LayerFault ? fault.reason : ('other' as const) }),
        );
        return { started: started.catch(() => undefined), shown };
      },
    };
  }

  #bringToFront(layer: Layer | undefined): void {
    if (layer === this.#front) return;
    const before = this.#front;
    this.#front = layer;
    for (const one of this.#layers) one.isFront = one === layer;
    this.card.isShown = layer === undefined;
    if (before) before.clear(); // what lies in front of it has its first frame
  }
}
