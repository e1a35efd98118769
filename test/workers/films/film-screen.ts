/** What Chromium shows of a file: its size, and the colors at the marks. */
import sharp from 'sharp';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { PLACES, type Rgb } from './film.ts';

type Shown = { width: number; height: number; colors: Rgb[] };
export type FilmScreen = {
  /** Undefined for a file that Chromium cannot decode. */
  show(bytes: Buffer, contentType: string): Promise<Shown | undefined>;
  close(): Promise<void>;
};

export async function openFilmScreen(path: string): Promise<FilmScreen> {
  const browser: Browser = await launchChromium(path);
  const page = await browser.newPage({ viewport: { width: 320, height: 320 } });
  await page.setContent('<body style="margin:0;background:black">');
  return {
    async show(bytes, contentType) {
      const shown = await showOn(page, bytes, contentType);
      if (!shown) return undefined;
      const { box, ...size } = shown;
      return { ...size, colors: await colorsOf(await page.screenshot({ clip: { x: 0, y: 0, ...box } })) };
    },
    close: () => browser.close(),
  };
}

type Size = { width: number; height: number };

/** As text: the types of this project are those of Node. */
const SHOW = `async (base64, type) => {
  const file = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([file], { type }));
  const isImage = type.startsWith('image/');
  const element = document.createElement(isImage ? 'img' : 'video');
  element.style.cssText = 'display:block;max-width:320px;max-height:320px';
  document.body.replaceChildren(element);
  const isLoaded = await new Promise(resolve => {
    element.addEventListener(isImage ? 'load' : 'loadeddata', () => resolve(true));
    element.addEventListener('error', () => resolve(false));
    element.src = url;
  });
  const [width, height] = isImage
    ? [element.naturalWidth, element.naturalHeight]
    : [element.videoWidth, element.videoHeight];
  if (!isLoaded || width === 0) return undefined;
  if (!isImage) {
    const isSought = new Promise(resolve => element.addEventListener('seeked', resolve));
    element.currentTime = element.duration / 2;
    await isSought;
  }
  // Two frames of the page: the first draws the picture, the second begins when it is on the screen.
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  return { width, height, box: { width: element.clientWidth, height: element.clientHeight } };
}`;

/** Shows an image, or the middle of a video; the promise is kept when it is on the screen. */
function showOn(page: Page, bytes: Buffer, contentType: string): Promise<(Size & { box: Size }) | undefined> {
  return page.evaluate(`(${SHOW})(${JSON.stringify(bytes.toString('base64'))}, ${JSON.stringify(contentType)})`);
}

async function colorsOf(screenshot: Buffer): Promise<Rgb[]> {
  const { data, info } = await sharp(screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return PLACES.map(([x, y]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [data[at]!, data[at + 1]!, data[at + 2]!];
  });
}
