/** A layer of the stage with a film that a browser cannot start. Its elements are stand-ins; no browser is needed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type Loaded = { start(): Promise<void> };
type Layers = { Layer: new () => { loadVideo(address: string, durationMs: number): Promise<Loaded> } };
const { Layer } = (await import(
  /* @vite-ignore */ new URL('../../../web/player/display/layer.ts', import.meta.url).href
)) as Layers;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An element that can be played and never begins. */
function stalled() {
  const element = {
    classList: { add: () => undefined },
    setAttribute: () => undefined,
    append: () => undefined,
    load: () => queueMicrotask(() => element.oncanplay()),
    oncanplay: () => undefined,
    play: () => new Promise<void>(() => undefined),
  };
  return element;
}

test('a film that neither starts nor fails is given up after eight seconds', async () => {
  vi.stubGlobal('document', { createElement: stalled });
  const loaded = await new Layer().loadVideo('film.mp4', 6_000);
  await Promise.all([
    expect(loaded.start()).rejects.toMatchObject({ reason: 'decode' }),
    vi.advanceTimersByTimeAsync(8_000),
  ]);
});
