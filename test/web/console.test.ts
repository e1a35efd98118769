/**
 * The console as the API serves it and as a browser shows it: what its page may load, how much it loads, and the task
 * of every brand, from sign-in to a campaign that is booked and seen.
 */
import { gzipSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConsole } from '../../web/console-build.ts';
import {
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../api/support/app-under-test.ts';
import { rowsOf } from '../api/support/answer.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { PIXEL } from '../support/media.ts';
import { byKeyboard, withMouse, type Hand } from './support/hands.ts';

type Area = { lat: number; lng: number; radiusKm: number };

const FIRST_VIEW_BYTES_MAX = 150_000;
const MARKUP = '<script>document.title = "ran"</script>';

let api: TestApi;
let brand: TestWorkspace;
let key: string;

beforeAll(async () => {
  await buildConsole();
  api = await startApi();
  await addScreen();
  brand = await createWorkspace(api, { funds: 1_000_000_000 });
  key = await createKey(api, brand);
});

afterAll(() => api.close());

/** A screen that campaigns may play on, so that forecasts have something to say. */
async function addScreen(): Promise<void> {
  const owner = await createWorkspace(api, { kind: 'venue' });
  const venueKey = await createKey(api, owner, { surface: 'screen_manager' });
  await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE });
  await api.sql`
    insert into screens (workspace_handle, venue_handle, ad_ratio, sandbox, created_at)
    select ${owner.handle}, handle, 0.5, false, now() from venues`;
  // Screens come in through the API; this one did not, so the test announces the change.
  await api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
}

describe('/console', () => {
  test('allows only scripts and style sheets of this server, none of them inline', async () => {
    const { status, headers, raw } = await api.call('GET', '/console');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    const policy = headers['content-security-policy']!.split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join(' ')).not.toContain('unsafe');
    expect(raw.toString()).not.toMatch(/<script(?![^>]* src=)/);
  });

  test('has a new nonce in each answer', async () => {
    const [first, second] = [await api.call('GET', '/console'), await api.call('GET', '/console')];
    const nonce = /marquee-nonce" content="([\w-]{22})"/.exec(first.raw.toString())![1]!;
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(second.raw.toString()).not.toContain(nonce);
  });

  test('is the target of /, and is served at the address of each of its pages', async () => {
    const { status, headers } = await api.call('GET', '/');
    expect([status, headers['location']]).toEqual([302, '/console']);
    expect((await api.call('GET', '/console/campaigns/new')).status).toBe(200);
  });

  test('refers only to files that are cached forever', async () => {
    const files = (await api.call('GET', '/console')).raw.toString().match(/\/console\/assets\/[^"]+/g)!;
    for (const file of files) expect((await api.call('GET', file)).headers['cache-control']).toContain('immutable');
    for (const path of ['/console/assets/nothing.js', '/console/assets/..%2findex.html'])
      expect((await api.call('GET', path)).status).toBe(404);
  });
});

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`in a browser${why}`, () => {
  let browser: Browser;
  let page: Page;
  let origin: string;
  const faults: string[] = [];
  const scripts = new Map<string, number>();
  const hosts = new Set<string>();

  beforeAll(async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchChromium(browserPath);
    page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    page.on('pageerror', error => faults.push(error.message));
    page.on('console', message => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    page.on('response', response => {
      hosts.add(new URL(response.url()).host);
      if (response.url().endsWith('.js'))
        void response.body().then(
          bytes => scripts.set(response.url(), gzipSync(bytes).length),
          () => undefined, // the page went on before the body was read
        );
    });
    await createReadyCreative(api, key, MARKUP);
  });

  afterAll(() => browser.close());

  test('an invalid key is refused with the reason', async () => {
    await page.goto(`${origin}/`);
    await page.getByRole('button', { name: 'Sign in with an API key' }).click();
    await page.getByLabel('API key').fill('sk_live_nothing');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
  });

  test(`a brand signs in and sees its home with at most ${FIRST_VIEW_BYTES_MAX} bytes of scripts`, async () => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('First steps').waitFor();
    await page.waitForLoadState('networkidle');
    const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    expect(scripts.size).toBeGreaterThan(1);
    expect(bytes).toBeLessThanOrEqual(FIRST_VIEW_BYTES_MAX);
  });

  test.each([
    ['venue', 'screen_manager', 'Add a venue'],
    ['agency', 'agency', 'Add a client'],
    ['operator', 'operator', 'Approve a venue'],
  ])('the first view of a %s has no more scripts either', async (kind, surface, step) => {
    const other = await createKey(api, await createWorkspace(api, { kind }), { surface });
    const visitor = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    const bodies: Promise<Buffer>[] = [];
    visitor.on('response', response => {
      if (response.url().endsWith('.js')) bodies.push(response.body());
    });
    await visitor.goto(`${origin}/console`);
    await visitor.getByRole('button', { name: 'Sign in with an API key' }).click();
    await visitor.getByLabel('API key').fill(other);
    await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
    await visitor.getByText(step).first().waitFor();
    await visitor.waitForLoadState('networkidle');
    const sizes = (await Promise.all(bodies)).map(bytes => gzipSync(bytes).length);
    await visitor.context().close();
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_VIEW_BYTES_MAX);
  });

  test.each([
    ['with the mouse', withMouse],
    ['by the keyboard alone', byKeyboard],
  ])('a campaign is booked in one flow and seen %s; markup in its fields stays text', async (how, grip) => {
    const hand = grip(page, faults);
    const name = `${MARKUP} ${how}`;
    await hand.press('Campaigns');
    await hand.press('Book a campaign');
    await hand.fill('Budget in EUR', '25');
    await hand.fill('Campaign name', name);
    await hand.choose('Category', 'Travel and tourism');
    await page.getByText('Eligible screens').waitFor();
    await hand.tick(MARKUP);
    await hand.press('Book campaign');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('The automatic review takes a few seconds').waitFor();
    await api.review();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.goBack(); // to where the booking began, and not into the form
    await page.getByRole('link', { name }).waitFor();
    expect(await page.title()).toBe('Campaigns · Marquee');
  });

  test('a booking says that a person reviews a restricted category, and does not promise seconds', async () => {
    await openBooking();
    const hand = withMouse(page, faults);
    await hand.choose('Category', 'Travel and tourism');
    await hand.tick(MARKUP);
    await page.getByText('The review takes seconds.').waitFor();
    await hand.choose('Category', 'Alcohol');
    await page.getByText('The campaign plays after a manual review').waitFor();
    expect(await page.getByText('The review takes seconds.').count()).toBe(0);
  });

  test('a campaign is booked once if the user clicks twice', async () => {
    await openBooking();
    const hand = withMouse(page, faults);
    await hand.fill('Campaign name', 'Pressed twice');
    await hand.choose('Category', 'Travel and tourism');
    await hand.tick(MARKUP);
    await page.getByRole('button', { name: 'Book campaign' }).dblclick();
    await page.getByRole('heading', { name: 'Pressed twice', level: 1 }).waitFor();
    const { body } = await api.call('GET', '/v1/campaigns?q=Pressed%20twice&count=true', { key });
    expect(body['total']).toBe(1);
  });

  test('a campaign is booked once if the user clicks again after no answer', async () => {
    await openBooking();
    const hand = withMouse(page, faults);
    await hand.fill('Campaign name', 'Pressed again');
    await hand.choose('Category', 'Travel and tourism');
    await hand.tick(MARKUP);
    const isBooking = ({ pathname }: URL) => pathname === '/v1/campaigns';
    await page.route(isBooking, async route => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await hand.press('Book campaign');
    await page.getByText('The server is not responding.').waitFor();
    await page.unroute(isBooking);
    await hand.press('Book campaign');
    await page.getByRole('heading', { name: 'Pressed again', level: 1 }).waitFor();
    const { body } = await api.call('GET', '/v1/campaigns?q=Pressed%20again&count=true', { key });
    expect(body['total']).toBe(1);
  });

  test('an interrupted file is sent again for the same creative', async () => {
    const file = { name: 'Broken off.png', mimeType: 'image/png', buffer: PIXEL };
    await page.route('**/v1/creatives', async route => {
      const response = await route.fetch();
      return route.fulfill({ response, body: (await response.text()).replace('http://api.test', origin) });
    });
    await page.route('**/uploads/*', route => route.abort('connectionreset'), { times: 1 });
    await page.goto(`${origin}/console/creatives`);
    const hand = withMouse(page, faults);
    await hand.press('Upload a creative');
    await page.getByLabel('Video or picture').setInputFiles(file);
    await hand.press('Upload file');
    await page.getByText('The server is not responding.').waitFor();
    await hand.press('Upload file');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unroute('**/v1/creatives');
    const { body } = await api.call('GET', '/v1/creatives?q=Broken%20off&count=true', { key });
    expect(body['total']).toBe(1);
  });

  test('areas are drawn, moved and enlarged with the mouse; the campaign shows them, and an edit keeps them', async () => {
    await openBooking();
    const canvas = page.locator('.map canvas');
    const box = (await canvas.boundingBox())!;
    const press = { x: Math.round(box.width * 0.3), y: Math.round(box.height * 0.6) };
    await canvas.click({ position: press });
    const before = await areaInFields(1);
    await page.getByText('Areas: 1.').waitFor();
    await drag(page.getByRole('button', { name: 'Area 1: move it with the arrow keys' }), 60, -30);
    const moved = await areaInFields(1);
    expect(moved.radiusKm).toBe(before.radiusKm);
    expect(moved.lng).toBeGreaterThan(before.lng);
    expect(moved.lat).toBeGreaterThan(before.lat);
    await drag(page.getByRole('slider', { name: 'Area 1: radius' }), 40, 0);
    const grown = await areaInFields(1);
    expect(grown.radiusKm).toBeGreaterThan(before.radiusKm);
    expect([grown.lat, grown.lng]).toEqual([moved.lat, moved.lng]);
    await canvas.click({ position: { x: Math.round(box.width * 0.8), y: Math.round(box.height * 0.8) } });
    await page.getByRole('button', { name: 'Remove area 2' }).click();
    await page.getByText('Areas: 1.').waitFor();
    const { areas, path } = await bookWithAreas(withMouse(page, faults), 'Drawn with the mouse');
    expect(areas).toEqual([grown]);
    await page.getByText('Circles are the areas that were booked.').waitFor();
    await page.getByText(`${grown.lat}, ${grown.lng}: ${grown.radiusKm} km around`).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Budget in EUR').fill('600');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Circles are the areas that were booked.').waitFor();
    const { body } = await api.call('GET', path, { key });
    expect([body['budget']!['amount'], body['targets']!['areas']]).toEqual([600, [grown]]);
  }, 60_000);

  test('areas are drawn with the keyboard only: added, placed by fields, moved by arrows; the forecast follows', async () => {
    const hand = byKeyboard(page, faults);
    await openBooking();
    const band = page.locator('.forecast-band');
    const everywhere = await band.innerText();
    await hand.press('Add radius');
    await hand.fill('Latitude of area 1', '91');
    await page.getByText('Enter -90 to 90.').waitFor();
    await hand.fill('Latitude of area 1', '-54.8');
    await hand.fill('Longitude of area 1', '-68.3');
    await hand.fill('Radius of area 1 in km', '2.5');
    await page.getByText('No matching screens').waitFor();
    expect(await band.innerText()).not.toBe(everywhere);
    await hand.fill('Latitude of area 1', String(VENUE.lat));
    await hand.fill('Longitude of area 1', String(VENUE.lng));
    await page.getByText('No matching screens').waitFor({ state: 'detached' });
    await page.getByRole('slider', { name: 'Area 1: radius' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('button', { name: 'Area 1: move it with the arrow keys' }).focus();
    await page.keyboard.press('ArrowRight');
    const { areas } = await bookWithAreas(hand, 'Drawn by keyboard');
    expect(areas).toMatchObject([{ lat: VENUE.lat, radiusKm: 2.75 }]);
    expect(areas[0]!.lng).toBeGreaterThan(VENUE.lng);
  }, 60_000);

  test('the map goes to coordinates or a city that is typed, where an area may be added, and says what it does not find', async () => {
    const hand = byKeyboard(page, faults);
    await openBooking();
    await hand.fill('Find a place', 'Atlantis');
    await page.keyboard.press('Enter');
    await page.getByText('No place on the map has this name.').waitFor();
    const search = async (text: string) => {
      await hand.fill('Find a place', text);
      await page.keyboard.press('Enter');
      await page.getByText('No place on the map has this name.').waitFor({ state: 'detached' });
      await hand.press('Add radius');
    };
    await search('-33.92, 18.42');
    await search(VENUE.city.toLowerCase());
    const places = [await areaInFields(1), await areaInFields(2)].map(({ lat, lng }) => [lat, lng]);
    expect(places).toEqual([
      [expect.closeTo(-33.92, 2), expect.closeTo(18.42, 2)],
      [expect.closeTo(VENUE.lat, 0), expect.closeTo(VENUE.lng, 0)],
    ]);
  }, 60_000);

  test('a read-only key sees no edit button, and the edit page says why', async () => {
    const { body } = await api.call('GET', '/v1/campaigns?limit=1', { key });
    const path = `/console/campaigns/${rowsOf<{ id: string }>(body['data'])[0]!.id}`;
    const readOnly = await createKey(api, brand, { access: 'read_only' });
    const reader = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await reader.goto(`${origin}/console#key=${readOnly}`);
    await reader.getByRole('link', { name: 'Campaigns' }).waitFor();
    await reader.goto(origin + path);
    await reader.getByText('Campaign details').waitFor();
    expect(await reader.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
    await reader.goto(`${origin}${path}/edit`);
    await reader.getByText('Your role can view campaigns but not change them.').waitFor();
    expect(await reader.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await reader.context().close();
  });

  const openBooking = async () => {
    await page.goto(`${origin}/console/campaigns/new`);
    await page.getByRole('button', { name: 'Add radius' }).waitFor();
    await page.getByText('Eligible screens').waitFor();
  };

  const areaInFields = async (number: number): Promise<Area> => {
    const read = async (label: string) => Number(await page.getByLabel(label).inputValue());
    return {
      lat: await read(`Latitude of area ${number}`),
      lng: await read(`Longitude of area ${number}`),
      radiusKm: await read(`Radius of area ${number} in km`),
    };
  };

  const drag = async (handle: Locator, right: number, down: number) => {
    const { x, y, width, height } = (await handle.boundingBox())!;
    const [fromX, fromY] = [x + width / 2, y + height / 2];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(fromX + right / 2, fromY + down / 2, { steps: 4 });
    await page.mouse.move(fromX + right, fromY + down, { steps: 4 });
    await page.mouse.up();
  };

  /** Fills in the rest, books it, and reads by the API what was booked. */
  const bookWithAreas = async (hand: Hand, name: string): Promise<{ path: string; areas: Area[] }> => {
    await hand.fill('Campaign name', name);
    await hand.choose('Category', 'Travel and tourism');
    await hand.tick(MARKUP);
    await hand.press('Book campaign');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await api.review();
    const path = new URL(page.url()).pathname.replace('/console', '/v1');
    const { body } = await api.call('GET', path, { key });
    return { path, areas: rowsOf<Area>(body['targets']!['areas']) };
  };

  test('no request went to another host, and no rule of the policy was violated', () => {
    expect([...hosts].filter(host => host !== new URL(origin).host)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
