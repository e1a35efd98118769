/**
 * Files on the device. Addresses name their content, so a file that is here never has to be asked for again. Cache
 * Storage exists on secure pages only (https, or this machine itself); elsewhere files are played from their address,
 * and the browser's own cache is all there is.
 */
import { type BackOff, waitMs } from '#sdk/screen/back-off.ts';
import type { Asset } from '#sdk/screen/index.ts';

const CACHE = 'marquee-assets';
/** The space that a television's flash can spare. */
const BYTES_MAX = 2 * 1024 ** 3;
/** The rest of the browser's quota is left to plays and the page itself. */
const QUOTA_SHARE = 0.8;
/** When more is used, new files soon take the place of others. */
const FULL_SHARE = 0.9;
const TEXT_MS_MAX = 8_000;
/** A download without data for this time is given up: it would block all later files forever. */
const SILENCE_MS_MAX = 20_000;
/**
 * A file that cannot be shown is fetched again after such waits: of one that this device will never show, a day of the
 * venue's line is not spent.
 */
const REJECTED: BackOff = { firstMs: 60_000, longestMs: 86_400_000 };
/** Marks a file whose content was compared with the hash that the server had announced. */
const VERIFIED = 'x-marquee-sha256';
const WAITING_MAX = 200; // a prefetch names at most 64

export class AssetCache {
  /** Files and bytes on the device. */
  files = 0;
  bytes = 0;
  readonly isDurable = 'caches' in window;
  #bytesMax = BYTES_MAX;
  readonly #sizes = new Map<string, number>();
  /** Files that could not be shown: how often, and until when they are not fetched, steady ms. */
  readonly #rejected = new Map<string, { times: number; until: number }>();
  #waiting: Asset[] = [];
  #isFetching = false;

  /** Counts the stored files. */
  async open(): Promise<void> {
    if (!this.isDurable) return;
    const cache = await caches.open(CACHE);
    this.#bytesMax = await roomOf(navigator.storage);
    for (const request of await cache.keys()) {
      const stored = await cache.match(request);
      if (stored) this.#note(request.url, Number(stored.headers.get('content-length')) || 0);
    }
  }

  /** Whether files that come now stay beside those that are here. */
  get hasRoom(): boolean {
    return this.isDurable && this.bytes < this.#bytesMax * FULL_SHARE;
  }

  /** Fetches files one after another, in this order, without waiting. Returns whether none of them is left to fetch. */
  prefetch(assets: readonly Asset[]): () => boolean {
    const wanted = assets.map(asset => ({ ...asset, url: absolute(asset.url) }));
    this.#waiting = this.#waiting.concat(wanted).slice(-WAITING_MAX);
    void this.#fetchWaiting();
    return () => !this.isDurable || wanted.every(({ url }) => this.#sizes.has(url));
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
        if (!this.#sizes.has(next.url) && !this.#isRejected(next)) await this.#fetch(next);
      } catch {
        // The network or the disk: the file is played from its address, and fetched with the next prefetch.
      }
    }
    this.#isFetching = false;
  }

  async #fetch({ url, sha256, bytes }: Asset): Promise<void> {
    const content = await fetchWhole(url);
    // Not the file that was announced: the page of a proxy.
    if (bytes > 0 && content.size !== bytes) return;
    if (sha256 !== '' && (await hashOf(content)) !== sha256.toLowerCase()) return;
    this.#bytesMax = await roomOf(navigator.storage);
    if (content.size > this.#bytesMax) return; // the others would go for nothing
    await this.#makeRoom(this.#bytesMax - content.size);
    const headers = { 'content-type': content.type, 'content-length': String(content.size), [VERIFIED]: sha256 };
    await (await caches.open(CACHE)).put(url, new Response(content, { headers }));
    this.#note(url, content.size);
  }

  /** Removes a file that cannot be shown, unless it matches the server's hash: it is fetched again later. */
  async reject(url: string): Promise<void> {
    if (!this.isDurable) return;
    const stored = await (await caches.open(CACHE)).match(url);
    if (!stored || stored.headers.get(VERIFIED)) return;
    const { times } = this.#rejected.get(absolute(url)) || { times: 0 };
    this.#rejected.set(absolute(url), {
      times: times + 1,
      until: performance.now() + waitMs(REJECTED, times, Math.random()),
    });
    if (this.#rejected.size > WAITING_MAX) this.#rejected.delete(this.#rejected.keys().next().value!);
    await this.#remove(absolute(url));
  }

  /** Whether it is too early to fetch the file again. A file with a known hash may be fetched at any time. */
  #isRejected({ url, sha256 }: Asset): boolean {
    const rejected = this.#rejected.get(url);
    return sha256 === '' && rejected !== undefined && performance.now() < rejected.until;
  }

  /** Removes the files that have gone unplayed the longest, until the others fit into this many bytes. */
  async #makeRoom(bytesMax: number): Promise<void> {
    for (const url of Array.from(this.#sizes.keys())) {
      if (this.bytes <= bytesMax) return;
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

/** The space for all files together. */
async function roomOf(storage: StorageManager | undefined): Promise<number> {
  if (!storage || !storage.estimate) return BYTES_MAX;
  const { quota = Infinity } = await storage.estimate();
  return Math.min(BYTES_MAX, quota * QUOTA_SHARE);
}

/** Rejects if the answer is not the file, or no more data arrive. */
async function fetchWhole(url: string): Promise<Blob> {
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
    return new Blob(parts, { type: headers.get('content-type') || '' });
  } finally {
    clearTimeout(timer);
  }
}

async function hashOf(content: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await new Response(content).arrayBuffer()));
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
}
