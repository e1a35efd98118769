/**
 * Files on the device. Addresses name their content, so a file that is here never has to be asked for again. Cache
 * Storage exists on secure pages only (https, or this machine itself); elsewhere files are played from their address,
 * and the browser's own cache is all there is.
 */
import type { Asset } from '../connection/protocol.ts';

const CACHE = 'marquee-assets';
/** What a television's flash can spare. */
const BYTES_MAX = 2 * 1024 ** 3;
const TEXT_MS_MAX = 8_000;
const WAITING_MAX = 200; // a prefetch names at most 64

export class AssetCache {
  /** Files and bytes on the device. */
  files = 0;
  bytes = 0;
  readonly isDurable = 'caches' in window;
  readonly #sizes = new Map<string, number>();
  #waiting: { url: string; bytes: number }[] = [];
  #isFetching = false;
  /** The last list of files that had a name, for the next hello. */
  #list: { name: string; urls: string[] } | undefined;

  /** The name of the last list, where no file of it is left to fetch. */
  get heldList(): string | undefined {
    const list = this.#list;
    return list && (!this.isDurable || list.urls.every(url => this.#sizes.has(url))) ? list.name : undefined;
  }

  /** Counts what is there. */
  async open(): Promise<void> {
    if (!this.isDurable) return;
    const cache = await caches.open(CACHE);
    for (const request of await cache.keys()) {
      const stored = await cache.match(request);
      if (stored) this.#note(request.url, Number(stored.headers.get('content-length')) || 0);
    }
  }

  /** Fetches the files of the screen's list. */
  prefetchList(name: string, assets: readonly Asset[]): void {
    this.#list = { name, urls: assets.map(({ url }) => absolute(url)) };
    this.prefetch(assets);
  }

  /** Fetches files one after another, in this order, without waiting for them. */
  prefetch(assets: readonly Asset[]): void {
    this.#waiting = this.#waiting
      .concat(assets.map(({ url, bytes }) => ({ url: absolute(url), bytes })))
      .slice(-WAITING_MAX);
    void this.#fetchWaiting();
  }

  /**
   * An address under which the file can be played now: from the device when it is there. Call `release` with it
   * afterwards.
   */
  async address(url: string): Promise<string> {
    if (!this.isDurable) return url;
    const stored = await (await caches.open(CACHE)).match(url);
    if (!stored) {
      this.prefetch([{ url, sha256: '', bytes: 0 }]);
      return url;
    }
    const size = this.#sizes.get(absolute(url)) || 0; // used last: the others go first
    this.#sizes.delete(absolute(url));
    this.#sizes.set(absolute(url), size);
    return URL.createObjectURL(await stored.blob());
  }

  /** The text of a page: from the device when it is there. Rejects when it cannot be had. */
  async text(url: string): Promise<string> {
    const stored = this.isDurable && (await (await caches.open(CACHE)).match(url));
    if (stored) return stored.text();
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), TEXT_MS_MAX);
    try {
      const response = await fetch(url, { mode: 'cors', credentials: 'omit', signal: abort.signal });
      if (response.status !== 200) throw new Error(`the page answered ${response.status}`);
      return await response.text();
    } finally {
      clearTimeout(timer);
    }
  }

  release(address: string): void {
    if (address.indexOf('blob:') === 0) URL.revokeObjectURL(address);
  }

  async #fetchWaiting(): Promise<void> {
    if (!this.isDurable || this.#isFetching) return;
    this.#isFetching = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        if (!this.#sizes.has(next.url)) await this.#fetch(next);
      } catch {
        // The network or the disk: the file is played from its address, and fetched with the next prefetch.
      }
    }
    this.#isFetching = false;
  }

  async #fetch({ url, bytes }: { url: string; bytes: number }): Promise<void> {
    const response = await fetch(url, { mode: 'cors', credentials: 'omit' });
    if (response.status !== 200) return;
    const size = Number(response.headers.get('content-length')) || bytes;
    if (bytes > 0 && size !== bytes) return; // not the file that was announced: a proxy's page
    await this.#makeRoom(size);
    await (await caches.open(CACHE)).put(url, response);
    this.#note(url, size);
  }

  /** Removes the files that were not played for longest. */
  async #makeRoom(bytes: number): Promise<void> {
    const cache = await caches.open(CACHE);
    for (const [url, size] of Array.from(this.#sizes)) {
      if (this.bytes + bytes <= BYTES_MAX) return;
      await cache.delete(url);
      this.#sizes.delete(url);
      this.files -= 1;
      this.bytes -= size;
    }
  }

  #note(url: string, bytes: number): void {
    this.#sizes.set(url, bytes);
    this.files += 1;
    this.bytes += bytes;
  }
}

function absolute(url: string): string {
  return new URL(url, location.href).href;
}
