/**
 * One of the two layers of the stage. It is loaded while the other one is in sight, comes to the front with its first
 * frame, and says in the end how long it was really shown: of a film by the ranges that its element has played while
 * the page was in sight, of a still by the time in which it was.
 */
import type { CannotPlayReason } from '#sdk/screen/index.ts';
import { isComplete, playedMs, VisibleTime } from '../plays/played-time.ts';
import { drawLabels, type Labels } from './labels.ts';
import type { InSight } from './picture.ts';
import { drawScanCode } from './qr.ts';

const LOAD_MS_MAX = 8_000;
/** A film without progress for this time is stuck. */
const STALL_MS_MAX = 5_000;
/** Files may be a little longer than declared; nothing runs on for more than this. */
const OVERRUN_MS_MAX = 1_000;
const CHECK_MS = 250;
/** The shape of a picture that names no size, as an SVG may. */
const [WIDTH, HEIGHT] = [16, 9];

export type Shown = { playedMs: number; fault?: CannotPlayReason };
export type Loaded = {
  /** Starts it; resolves with its first frame. Rejects with a `LayerFault`. */
  start(): Promise<void>;
  /** Resolves when it has ended. */
  ended(): Promise<Shown>;
};

/** The item cannot be shown. */
export class LayerFault extends Error {
  readonly reason: CannotPlayReason;
  constructor(reason: CannotPlayReason) {
    super(reason);
    this.reason = reason;
  }
}

export class Layer {
  readonly element = document.createElement('div');
  /** Whether the browser lets it be heard. */
  isMuted = false;
  /** Resources to release when the layer is emptied. */
  onClear: () => void = () => undefined;
  readonly #video = document.createElement('video');
  readonly #holder = document.createElement('div');

  constructor() {
    this.element.className = 'layer';
    this.#holder.className = 'holder';
    this.#video.setAttribute('playsinline', '');
    this.#video.preload = 'auto';
    this.element.append(this.#video, this.#holder);
  }

  set isFront(isFront: boolean) {
    this.element.classList.toggle('is-front', isFront);
  }

  /** Its content as a canvas source. */
  get inSight(): InSight {
    if (this.element.classList.contains('has-video')) return this.#video;
    return this.#holder.querySelector('img') || 'page';
  }

  /** Empties it, so that its memory is free. */
  clear(): void {
    this.element.classList.remove('has-video');
    this.#holder.textContent = '';
    this.#video.onended = this.#video.onerror = null;
    this.#video.pause();
    this.#video.removeAttribute('src');
    this.#video.load();
    this.onClear();
    this.onClear = () => undefined;
  }

  /** Puts a code for phones into the corner of the picture, which is loaded. */
  addScanCode(scanUrl: string): void {
    this.#holder.append(drawScanCode(scanUrl, this.#pictureSize()));
  }

  /** Puts the legally required labels into the opposite corner. */
  addLabels(of: Labels): void {
    const drawing = drawLabels(of, this.#pictureSize());
    if (drawing) this.#holder.append(drawing);
  }

  #pictureSize(): { width: number; height: number } {
    const image = this.#holder.querySelector('img');
    const [width, height] = image
      ? [image.naturalWidth, image.naturalHeight]
      : [this.#video.videoWidth, this.#video.videoHeight];
    return { width: width || WIDTH, height: height || HEIGHT };
  }

  async loadVideo(address: string, durationMs: number): Promise<Loaded> {
    const video = this.#video;
    this.element.classList.add('has-video');
    video.muted = false;
    video.src = address;
    video.load();
    await within(LOAD_MS_MAX, 'asset', (resolve, reject) => {
      video.oncanplay = () => resolve();
      video.onerror = () =>
        reject(new LayerFault(video.error && video.error.code === MediaError.MEDIA_ERR_NETWORK ? 'asset' : 'decode'));
    });
    return { start: () => this.#startVideo(), ended: () => this.#videoEnded(durationMs) };
  }

  async loadImage(address: string, durationMs: number): Promise<Loaded> {
    const image = document.createElement('img');
    this.#holder.prepend(image);
    await within(LOAD_MS_MAX, 'asset', (resolve, reject) => {
      image.onload = () => resolve();
      image.onerror = () => reject(new LayerFault('asset'));
      image.src = address;
    });
    return { start: async () => undefined, ended: () => stillEnded(durationMs) };
  }

  /** A page of the venue's own. Its frame is sandboxed: no scripts, no forms, no way out. */
  async loadPage(html: string, durationMs: number): Promise<Loaded> {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', '');
    await within(LOAD_MS_MAX, 'asset', resolve => {
      frame.onload = () => resolve();
      frame.srcdoc = html;
      this.#holder.append(frame);
    });
    return { start: async () => undefined, ended: () => stillEnded(durationMs) };
  }

  async #startVideo(): Promise<void> {
    const video = this.#video;
    const playing = within(LOAD_MS_MAX, 'decode', (resolve, reject) => {
      video.onplaying = () => resolve();
      video.onerror = () => reject(new LayerFault('decode'));
    });
    // `play` waits for data without a limit.
    const play = (): Promise<void> => Promise.race([video.play(), playing]);
    try {
      await play();
    } catch (error) {
      if ((error as DOMException).name !== 'NotAllowedError') throw new LayerFault('decode');
      video.muted = true; // sound needs a touch of the page first; the picture does not
      await play().catch(() => {
        throw new LayerFault('decode');
      });
    }
    this.isMuted = video.muted;
    await playing;
    await nextFrame();
  }

  #videoEnded(durationMs: number): Promise<Shown> {
    const video = this.#video;
    return new Promise(resolve => {
      let movedAt = performance.now();
      let lastTime = -1;
      // Time of the film that passed while the page was hidden.
      const unseen = new VisibleTime();
      const note = (): void => unseen.note(video.currentTime * 1000, document.visibilityState !== 'visible');
      note();
      document.addEventListener('visibilitychange', note);
      const end = (broken?: CannotPlayReason): void => {
        clearInterval(check);
        document.removeEventListener('visibilitychange', note);
        const unseenMs = unseen.at(video.currentTime * 1000);
        const seenMs = Math.max(0, playedMs(video.played) - unseenMs);
        const fault = broken || (unseenMs > 0 && !isComplete(seenMs, durationMs) ? 'other' : undefined);
        video.onended = video.onerror = video.ontimeupdate = null;
        video.pause();
        resolve({ playedMs: seenMs, ...(fault && { fault }) });
      };
      video.ontimeupdate = () => {
        if (video.currentTime !== lastTime) movedAt = performance.now();
        lastTime = video.currentTime;
        if (lastTime * 1000 >= durationMs + OVERRUN_MS_MAX) end();
      };
      video.onended = () => end();
      video.onerror = () => end('decode');
      const check = setInterval(() => {
        if (video.ended) end();
        else if (performance.now() - movedAt > STALL_MS_MAX) end('decode');
      }, CHECK_MS);
    });
  }
}

function stillEnded(durationMs: number): Promise<Shown> {
  return new Promise(resolve => {
    const time = new VisibleTime();
    const note = (): void => time.note(performance.now(), document.visibilityState === 'visible');
    note();
    document.addEventListener('visibilitychange', note);
    const check = (): void => {
      const leftMs = durationMs - time.at(performance.now());
      if (leftMs > 0) return void setTimeout(check, Math.max(leftMs, CHECK_MS / 10));
      document.removeEventListener('visibilitychange', note);
      resolve({ playedMs: time.at(performance.now()) });
    };
    check();
  });
}

/**
 * Two frames: the first may have been painted before the change. A hidden page has none, so a moment is enough there.
 */
function nextFrame(): Promise<void> {
  return new Promise(resolve => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    setTimeout(resolve, 200);
  });
}

function within(
  ms: number,
  late: CannotPlayReason,
  work: (resolve: () => void, reject: (fault: LayerFault) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new LayerFault(late)), ms);
    work(
      () => {
        clearTimeout(timer);
        resolve();
      },
      fault => {
        clearTimeout(timer);
        reject(fault);
      },
    );
  });
}
