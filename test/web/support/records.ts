/**
 * The console over records of every kind, and people of every kind who look at them in a browser: what the walks over
 * its pages, dialogs and states stand on.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createOidcProvider } from '../../../api/oidc/provider.ts';
import { createJobRounds } from '../../../workers/rounds/job-rounds.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
} from '../../api/support/app-under-test.ts';

export type Who = 'brand' | 'venue' | 'agency' | 'operator';
export type Records = { keys: Record<Who, string>; campaign: string; webhook: string; sharedToken: string } & Record<
  'venue' | 'screen' | 'playlist' | 'client',
  string
>;

export const LOOKS = [1280, 390].flatMap(width =>
  (['light', 'dark'] as const).map(theme => ({
    width,
    theme,
    options: { viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme: theme },
  })),
);

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** By how many pixels something is too wide: the page, or a table, which is cut at its frame. */
const OVERFLOW = `Math.max(document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll('.table-frame')].map(frame => frame.scrollWidth - frame.clientWidth))`;
/** Nothing waits any more, and nothing is on its way. */
const IS_QUIET = `document.querySelector('h1, .empty-title, [role="alert"]') !== null
  && document.querySelector('.skeleton, .loading') === null`;

/** The addresses of the console, as its router has them. */
export function routesOfRouter(): string[] {
  const source = readFileSync(new URL('../../../web/console/app/router.tsx', import.meta.url), 'utf8');
  return [...source.matchAll(/ path: '([^']+)'/g)].map(([, path]) => path!);
}

/** An API with the button of an OpenID provider, which is asked only when somebody signs in with it. */
export function startConsole(): Promise<TestApi> {
  const nowhere = 'http://127.0.0.1:9';
  const away = { issuer: nowhere, redirectUri: nowhere, signedOutUri: nowhere };
  return startApi({ oidc: createOidcProvider({ ...away, clientId: 'x', clientSecret: 'x' }) });
}

export async function listen(api: TestApi): Promise<string> {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
}

export async function createKeys(api: TestApi): Promise<Record<Who, string>> {
  return {
    brand: await createKey(api, await createWorkspace(api, { funds: 1_000_000_000 })),
    venue: await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' }),
    agency: await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' }),
    operator: await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' }),
  };
}

export async function makeRecords(api: TestApi): Promise<Records> {
  const keys = await createKeys(api);
  const made = async (key: string, path: string, body: object) =>
    (await api.call('POST', path, { key, body })).body['id']!;
  const creative = await createReadyCreative(api, keys.brand);
  const areas = [{ lat: 52.52, lng: 13.4, radiusKm: 5 }];
  const campaign = await made(
    keys.brand,
    '/v1/campaigns',
    campaignBody(api, [creative], { name: 'Autumn', targets: { areas } }),
  );
  const share = { key: keys.brand, body: { name: 'For the board' } };
  const sharedToken = (await api.call('POST', `/v1/campaigns/${campaign}/shared-reports`, share)).body['token']!;
  const receiver = { url: 'https://hooks.example.com/marquee', events: ['campaign.created', 'campaign.paused'] };
  const webhook = await made(keys.brand, '/v1/webhooks', receiver);
  await api.call('POST', `/v1/webhooks/${webhook}/test`, { key: keys.brand });
  const waiting = campaignBody(api, [creative], { name: 'Wine of the month', category: 'alcohol' });
  await made(keys.brand, '/v1/campaigns', waiting);
  const places = await makePlaces(api, keys.venue);
  const body = { name: 'Alpine Tours', billing_model: 'pass-through', currency: 'EUR' };
  const client = await made(keys.agency, '/v1/agency/clients', body);
  await tellOfJobs(api);
  await api.review();
  return { keys, campaign, webhook, sharedToken, client, ...places };
}

/** A venue with a screen and a playlist that has an item of each kind that needs no file of its own. */
async function makePlaces(api: TestApi, key: string): Promise<Pick<Records, 'venue' | 'screen' | 'playlist'>> {
  const made = async (path: string, body: object) => (await api.call('POST', path, { key, body })).body['id']!;
  const venue = await made('/v1/venues', VENUE);
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
  const body = { platform: 'linux', player: '1' };
  const screen = (await api.call('POST', `/v1/pairing/${code}/confirm`, { body })).body['screen_id']!;
  const items = [
    { type: 'ai_menu', template: 'board', duration_ms: 30_000 },
    { type: 'ad_slot' },
    { type: 'creative', creative_id: await createReadyCreative(api, key) },
    { type: 'sponsorship_card', sponsor: 'The brewery', duration_ms: 8_000 },
  ];
  return { venue, screen, playlist: await made('/v1/playlists', { name: 'Evening', items, ad_ratio: 0.3 }) };
}

/** As workers tell of them: one that did something, one that failed, and one that has not run yet. */
async function tellOfJobs(api: TestApi): Promise<void> {
  const known = ['issue-invoices', 'look-back', 'check-uploads'].map(name => ({ name, everyMs: 60_000 }));
  const round = { endedAtMs: Date.now(), tookMs: 12, did: 3, fault: null, nextAtMs: Date.now() + 3_600_000 };
  await createJobRounds(api.redis).tell(
    known.map(job => ({ ...job, canRun: job.name !== 'check-uploads' })),
    [
      { name: 'issue-invoices', ...round },
      { name: 'look-back', ...round, did: 0, fault: 'Error: ClickHouse is away' },
    ],
  );
}

/** A page of its own for a key; the policy is bypassed for axe alone, which is no script of the server. */
export async function openWithKey(
  { browser, origin }: { browser: Browser; origin: string },
  key: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...options });
  const page = await context.newPage();
  await page.goto(`${origin}/console#key=${key}`);
  await page.waitForFunction(IS_QUIET);
  return page;
}

let people = 0;

export async function invite(api: TestApi, key: string): Promise<{ email: string; token: string }> {
  const email = `member-${(people += 1)}@a-house-with-a-rather-long-name.example.com`;
  const { body } = await api.call('POST', '/v1/invitations', { key, body: { email, role: 'admin' } });
  return { email, token: body['token']! };
}

export const PASSWORD = 'correct horse battery';

/** The cookie of somebody who has joined the workspace of a key and is signed in. */
export async function signInAsPerson(api: TestApi, key: string): Promise<{ email: string; cookie: string }> {
  const { email, token } = await invite(api, key);
  await api.call('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD } });
  return { email, cookie: await signIn(api, email) };
}

export async function signIn(api: TestApi, email: string): Promise<string> {
  const signedIn = await api.call('POST', '/v1/sessions', {
    body: { email, password: PASSWORD },
    headers: { 'x-requested-with': 'marquee-console' },
  });
  return /marquee_session=([^;]+)/.exec(String(signedIn.headers['set-cookie']))![1]!;
}

export async function openWithCookie(
  { browser, origin }: { browser: Browser; origin: string },
  cookie: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...options });
  await context.addCookies([{ name: 'marquee_session', value: cookie, url: origin }]);
  return context.newPage();
}

/** What is wrong with what the page shows once it has come to rest: violations of WCAG, and what is too wide. */
export async function faultsOf(page: Page): Promise<string[]> {
  const overflow = await overflowOf(page);
  await page.evaluate(axe.source);
  const violations = await page.evaluate<string[]>(`axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(
    ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(node => id + ': ' + node.html.slice(0, 200))))`);
  return overflow > 0 ? [...violations, `too wide by ${overflow} px`] : violations;
}

/** By how many pixels the page, or a table of it, is too wide once it has come to rest. */
export async function overflowOf(page: Page): Promise<number> {
  await page.waitForFunction(IS_QUIET);
  return page.evaluate<number>(OVERFLOW);
}
