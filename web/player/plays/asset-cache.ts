/**
 * Files on the device. Addresses name their content, so a file that is here never has to be asked for again. Cache
 * Storage exists on secure pages only (https, or this machine itself); elsewhere files are played from their address,
 * and the browser's own cache is all there is.
 */
import type { Asset } from '../connection/protocol.ts';

const CACHE = 'marquee-assets';
/** What a television's flash can spare. */
const BYTES_MAX = 2 * 1024 ** 3;
/** The rest of what the browser allows is left to plays and the page itself. */
const QUOTA_SHARE = 0.8;
const TEXT_MS_MAX = 8_000;
/** A download of which nothing came for so long is given up: it would hold up all files behind it for ever. */
const SILENCE_MS_MAX = 20_000;
/** Marks a file whose content was compared with the hash that the server had announced. */
const VERIFIED = 'x-marquee-sha256';
const WAITING_MAX = 200; // a prefetch names at most 64

export class AssetCache {
  /** Files and bytes on the device. */
  files = 0;
  bytes = 0;
  readonly isDurable = 'caches' in window;
  readonly #sizes = new Map<string, number>();
  #waiting: Asset[] = [];
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
      .concat(assets.map(asset => ({ ...asset, url: absolute(asset.url) })))
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

  async #fetch({ url, sha256, bytes }: Asset): Promise<void> {
    const response = await fetchWhole(url);
    const content = await response.arrayBuffer();
    // Not the file that was announced: the page of a proxy.
    if (bytes > 0 && content.byteLength !== bytes) return;
    if (sha256 !== '' && (await hashOf(content)) !== sha256.toLowerCase()) return;
    await this.#makeRoom(content.byteLength);
    const headers = {
      'content-type': response.headers.get('content-type') || '',
      'content-length': String(content.byteLength),
      [VERIFIED]: sha256,
    };
    await (await caches.open(CACHE)).put(url, new Response(content, { headers }));
    this.#note(url, content.byteLength);
  }

  /** Takes out a file that cannot be shown, unless it is what the server had announced: it is fetched anew. */
  async reject(url: string): Promise<void> {
    if (!this.isDurable) return;
    const stored = await (await caches.open(CACHE)).match(url);
    if (stored && !stored.headers.get(VERIFIED)) await this.#remove(absolute(url));
  }

  /** Removes the files that were not played for longest. */
  async #makeRoom(bytes: number): Promise<void> {
    const bytesMax = await roomOf(navigator.storage);
    for (const url of Array.from(this.#sizes.keys())) {
      if (this.bytes + bytes <= bytesMax) return;
      await this.#remove(url);
    }
  }

  async #remove(url: string): Promise<void> {
    await (await caches.open(CACHE)).delete(url);
    this.files -= 1;
    this.bytes -= this.#sizes.get(url) || 0;
    this.#sizes.delete(url);
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

/** What the files together may take. */
async function roomOf(storage: StorageManager | undefined): Promise<number> {
  if (!storage || !storage.estimate) return BYTES_MAX;
  const { quota = Infinity } = await storage.estimate();
  return Math.min(BYTES_MAX, quota * QUOTA_SHARE);
}

/** Rejects where it is not answered with the file, or nothing comes any more. */
async function fetchWhole(url: string): Promise<Response> {
  const abort = new AbortController();
  let timer = 0;
  const goOn = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => abort.abort(), SILENCE_MS_MAX);
  };
  goOn();
  try {
    const { status, headers, body } = await fetch(url, { mode: 'cors', credentials: 'omit', signal: abort.signal });
    if (status !== 200 || !body) throw new Error(`the file answered ${status}`);
    const parts: BlobPart[] = [];
    const reader = body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value as Uint8Array<ArrayBuffer>);
      goOn();
    }
    return new Response(new Blob(parts), { headers });
  } finally {
    clearTimeout(timer);
  }
}

async function hashOf(content: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
}
