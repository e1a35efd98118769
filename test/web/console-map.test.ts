/**
 * The console's map with the street tiles that an operator has mounted: what is drawn of them in both themes, who is
 * named as their maker, and what the browser asks for. The archives are made here.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Response } from 'playwright-core';
import { TileType } from 'pmtiles';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMapArchive } from '../../api/pages/map-archive.ts';
import { createLog } from '../../runtime/log.ts';
import { buildConsole } from '../../web/console-build.ts';
import { createKey, createWorkspace, startApi, type TestApi } from '../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { pmtilesOf, TILE_EXTENT, vectorTile } from './support/pmtiles.ts';

const PASSWORD = 'a long password of a test';
const ZOOMS = [0, 1, 2];
/** `--map-green` of both themes, which nothing but the tiles has. */
const GREEN = { light: '#e9efdc', dark: '#262b1e' };
const PICTURE = '#3366cc';

type Color = { r: number; g: number; b: number };

/** Every tile of the first zooms, with the same content. */
function everywhere(data: Uint8Array) {
  return ZOOMS.flatMap(z =>
    Array.from({ length: 4 ** z }, (_, at) => ({ z, x: at % 2 ** z, y: Math.floor(at / 2 ** z), data })),
  );
}

const WHOLE = [
  [0, 0],
  [TILE_EXTENT, 0],
  [TILE_EXTENT, TILE_EXTENT],
  [0, TILE_EXTENT],
  [0, 0],
] as const;

const streets = () =>
  pmtilesOf({
    type: TileType.Mvt,
    metadata: {
      vector_layers: [{ id: 'landuse' }, { id: 'roads' }, { id: 'places' }],
      attribution:
        '<a href="https://protomaps.com">Protomaps</a> © <a href="https://openstreetmap.org">OpenStreetMap</a>',
    },
    tiles: everywhere(
      vectorTile({
        landuse: [{ kind: 'park', of: 'polygon', points: WHOLE }],
        places: [{ kind: 'locality', name: 'WWWWWWWW', of: 'place', points: [[TILE_EXTENT / 2, TILE_EXTENT / 2]] }],
      }),
    ),
  });

async function pictures(): Promise<Buffer> {
  const image = sharp({ create: { width: 256, height: 256, channels: 3, background: PICTURE } });
  const data = new Uint8Array(await image.png().toBuffer());
  return pmtilesOf({ type: TileType.Png, metadata: { attribution: 'City of Ulm' }, tiles: everywhere(data) });
}

/** The share of the visible map with a color that `isMeant`. */
async function shareOf(page: Page, isMeant: (color: Color) => boolean): Promise<number> {
  const { data, info } = await sharp(await page.locator('.map canvas').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += info.channels)
    if (isMeant({ r: data[at]!, g: data[at + 1]!, b: data[at + 2]! })) count++;
  return count / (info.width * info.height);
}

const isLike = (hex: string) => {
  const [r, g, b] = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  return (color: Color) => Math.abs(color.r - r) + Math.abs(color.g - g) + Math.abs(color.b - b) <= 6;
};
const isDark = ({ r, g, b }: Color) => r + g + b < 390;

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`a map${why}`, () => {
  let folder: string;
  let browser: Browser;
  const open: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    await buildConsole();
    folder = await mkdtemp(join(tmpdir(), 'marquee-map-'));
    browser = await launchChromium(browserPath);
  });
  afterAll(async () => {
    await browser.close();
    for (const close of open) await close();
    await rm(folder, { recursive: true });
  });

  /** The booking's map as somebody sees it who has signed in, with what the browser asked for. */
  async function openMap(name: string, bytes?: Buffer, meanwhile?: (path: string) => Promise<void>) {
    const path = join(folder, name);
    if (bytes) await writeFile(path, bytes);
    const mapArchive = bytes && (await openMapArchive(path, createLog('api', 'error')));
    const api = await startApi(mapArchive ? { mapArchive } : {});
    open.push(
      () => api.close(),
      async () => mapArchive?.close(),
    );
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    const context = await browser.newContext({ locale: 'en-GB', colorScheme: 'light' });
    const page = await context.newPage();
    await signIn(api, page, origin);
    await meanwhile?.(path);
    const [faults, answers]: [string[], Response[]] = [[], []];
    page.on('pageerror', error => faults.push(error.message));
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type()) && !message.text().includes('GPU stall'))
        faults.push(message.text());
    });
    page.on('response', response => void answers.push(response));
    await page.goto(`${origin}/console/campaigns/new`);
    await page.locator('.map canvas').waitFor();
    const tiles = () => answers.filter(answer => answer.url().includes('/console/map-tiles'));
    return { api, page, origin, faults, answers, tiles };
  }

  async function signIn(api: TestApi, page: Page, origin: string): Promise<void> {
    const key = await createKey(api, await createWorkspace(api, { funds: 100 }));
    const body = { email: 'planner@example.com', role: 'manager' };
    const { token } = (await api.call('POST', '/v1/invitations', { key, body })).body;
    await api.call('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD } });
    await page.goto(`${origin}/console`);
    await page.getByLabel('Email', { exact: true }).fill(body.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Upload a creative').waitFor();
  }

  test('draws streets with names in both themes, with attribution', async () => {
    const { page, origin, faults, answers, tiles } = await openMap('streets.pmtiles', streets());
    await expect.poll(() => shareOf(page, isLike(GREEN.light)), { timeout: 20_000 }).toBeGreaterThan(0.5);
    await expect.poll(() => shareOf(page, isDark), { timeout: 20_000 }).toBeGreaterThan(0.001);
    const credit = page.locator('.map').getByRole('link', { name: 'Protomaps © OpenStreetMap' });
    expect(await credit.getAttribute('href')).toBe('https://www.openstreetmap.org/copyright');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => shareOf(page, isLike(GREEN.dark)), { timeout: 20_000 }).toBeGreaterThan(0.5);
    expect(new Set(tiles().map(answer => answer.status()))).toEqual(new Set([206]));
    expect(new Set(answers.map(answer => new URL(answer.url()).origin))).toEqual(new Set([origin]));
    expect(faults).toEqual([]);
  }, 90_000);

  test('draws image tiles, with attribution', async () => {
    const { page, faults, tiles } = await openMap('pictures.pmtiles', await pictures());
    await expect.poll(() => shareOf(page, isLike(PICTURE)), { timeout: 20_000 }).toBeGreaterThan(0.5);
    await page.locator('.map').getByText('City of Ulm').waitFor();
    expect(tiles().length).toBeGreaterThan(1);
    expect(faults).toEqual([]);
  }, 90_000);

  test('shows countries without tiles, and requests none', async () => {
    const { page, faults, tiles, answers } = await openMap('none');
    await expect.poll(() => shareOf(page, isLike('#fffdf8')), { timeout: 20_000 }).toBeGreaterThan(0.1);
    expect(tiles()).toEqual([]);
    expect(answers.filter(answer => answer.url().includes('/assets/esm'))).toEqual([]);
    expect(await page.locator('.map-credit').count()).toBe(0);
    expect(faults).toEqual([]);
  }, 90_000);

  test('shows countries once the tiles can no longer be read', async () => {
    const { page, faults } = await openMap('lost.pmtiles', streets(), path => writeFile(path, 'gone'));
    await expect.poll(() => shareOf(page, isLike('#fffdf8')), { timeout: 20_000 }).toBeGreaterThan(0.1);
    expect(await page.locator('.map-credit').count()).toBe(0);
    expect(faults.some(fault => fault.includes('The street tiles cannot be read.'))).toBe(true);
  }, 90_000);
});
