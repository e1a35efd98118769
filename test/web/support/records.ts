/**
 * The console over records of every kind, and people of every kind who look at them in a browser: the base of the walks
 * over its pages, dialogs and states.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '#domain/access/permission.ts';
import { parseId, type Handle } from '#domain/id.ts';
import { EVENT_TYPES } from '#domain/webhook.ts';
import { createOidcProvider } from '../../../api/oidc/provider.ts';
import { agency } from '../../../web/console/text/en/agency.ts';
import { business } from '../../../web/console/text/en/business.ts';
import { more } from '../../../web/console/text/en/more.ts';
import { operations } from '../../../web/console/text/en/operations.ts';
import { operator } from '../../../web/console/text/en/operator.ts';
import { catalogue } from '../../../web/console/text/en/first-view.ts';
import { createJobRounds } from '../../../workers/rounds/job-rounds.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../../api/support/app-under-test.ts';
import {
  addDispute,
  addEarnings,
  addInvoice,
  giveAccount,
  IBAN,
  raiseFindingAbout,
} from '../../api/support/earnings.ts';

export type Who = 'brand' | 'venue' | 'agency' | 'operator';
/** A brand's test key is one more way to look. */
export type Keys = Record<Who | 'sandbox', string>;
export type Records = { keys: Keys; campaign: string; webhook: string; sharedToken: string } & Record<
  'venue' | 'screen' | 'playlist' | 'client' | 'finding',
  string
>;

export const THEMES = ['light', 'dark'] as const;
/** Of a desk and of most phones. */
export const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What a missing text is replaced by. Events are shown by their names. */
const TEXT_NAMES = new Set(
  [catalogue, agency, business, more, operations, operator].flatMap(texts => Object.keys(texts)),
);
for (const type of EVENT_TYPES) TEXT_NAMES.delete(type);
const AXE = `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(
  ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(node => id + ': ' + node.html.slice(0, 200))))`;
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

/** The path of an address of the router; `$id` is the record of its list, and a report is of the campaign. */
export function addressOf(records: Records, path: string): string {
  const { campaign, webhook, screen, playlist, venue, client, finding } = records;
  const ids: Record<string, string> = {
    campaigns: campaign,
    webhooks: webhook,
    screens: screen,
    network: screen,
    playlists: playlist,
    venues: venue,
    clients: client,
    findings: finding,
  };
  const asked = path === '/campaigns/report' ? `${path}?campaigns=$id` : path;
  return asked.replace('$id', ids[path.split('/')[1]!] ?? '');
}

/** An API with the button of an OpenID provider, which is asked only when somebody signs in with it. */
export function startConsole(): Promise<TestApi> {
  const nowhere = 'http://127.0.0.1:9';
  const away = { issuer: nowhere, redirectUri: nowhere, signedOutUri: nowhere };
  return startApi({
    signUpKinds: new Set(['brand', 'venue']),
    oidc: createOidcProvider({ ...away, clientId: 'x', clientSecret: 'x' }),
  });
}

export async function listen(api: TestApi): Promise<string> {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
}

export async function createKeys(api: TestApi): Promise<Keys> {
  const brand = await createWorkspace(api, { funds: 1_000_000_000 });
  return {
    brand: await createKey(api, brand),
    sandbox: await createKey(api, brand, { mode: 'test' }),
    venue: await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' }),
    agency: await createKey(api, await createWorkspace(api, { kind: 'agency', funds: 10_000 }), { surface: 'agency' }),
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
    campaignBody(api, [creative], { name: 'Autumn', targets: { areas }, brand_lift: true }),
  );
  const share = { key: keys.brand, body: { name: 'For the board' } };
  const sharedToken = (await api.call('POST', `/v1/campaigns/${campaign}/shared-reports`, share)).body['token']!;
  const topUp = { amount: { amount: 500, currency: 'EUR' } };
  await made(keys.brand, '/v1/wallet/top-ups', topUp);
  const receiver = { url: 'https://hooks.example.com/marquee', events: ['campaign.created', 'campaign.paused'] };
  const webhook = await made(keys.brand, '/v1/webhooks', receiver);
  await api.call('POST', `/v1/webhooks/${webhook}/test`, { key: keys.brand });
  const waiting = campaignBody(api, [creative], { name: 'Wine of the month', category: 'alcohol' });
  await made(keys.brand, '/v1/campaigns', waiting);
  await api.call('POST', '/v1/reporting/brand-lift/responses', {
    key: keys.brand,
    body: { responses: [answer(campaign, 'exposed', true), answer(campaign, 'control', false)] },
  });
  const { name: _, ...venue } = VENUE;
  await api.call('POST', '/v1/sandbox/screens', { key: keys.sandbox, body: { count: 2, venue } });
  const places = await makePlaces(api, keys.venue);
  await made(keys.venue, '/v1/venues', { ...VENUE, name: 'The stadium', daily_visitors: 100_000 });
  const body = { name: 'Alpine Tours', billing_model: 'pass-through', currency: 'EUR' };
  const client = await made(keys.agency, '/v1/agency/clients', body);
  await waitForAgency(api, keys.agency, client);
  await api.sql`
    insert into second_factors (person_handle, secret_sealed, created_at, confirmed_at)
    select person_handle, '\\x00', now(), now() from sign_ins where email = ${(await signInAsPerson(api, keys.venue)).email}`;
  await payOut(api);
  const disputed = await createWorkspace(api);
  await addDispute(api, { workspace: disputed.handle, user: disputed.user, amount: 50 });
  await api.sql`
    insert into payment_events (event_id, type, outcome, received_at)
    values ('evt_1Qx', 'refund.updated', 'unreadable', now())`;
  for (const sequence of [1, 2]) await addInvoice(api, { workspace: (await createWorkspace(api)).handle, sequence });
  await tellOfTroubles(api);
  await tellOfJobs(api);
  await api.review();
  return { keys, campaign, webhook, sharedToken, client, finding: await suspect(api, places), ...places };
}

function answer(campaign: string, group: 'exposed' | 'control', positive: boolean) {
  return { campaign_id: campaign, group, question: 'recall', positive, respondent: group };
}

/** A venue with a screen and a playlist that has an item of each kind that needs no file of its own. */
async function makePlaces(api: TestApi, key: string): Promise<Pick<Records, 'venue' | 'screen' | 'playlist'>> {
  const made = async (path: string, body: object) => (await api.call('POST', path, { key, body })).body['id']!;
  const venue = await made('/v1/venues', VENUE);
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
  const body = { platform: 'linux', player: '1' };
  const screen = (await api.call('POST', `/v1/pairing/${code}/confirm`, { body })).body['screen_id']!;
  await api.sql`
    insert into sensors (workspace_handle, serial, public_key, enrolled_at, screen_handle, paired_at)
    select workspace_handle, 'MQ-0001', sha256('MQ-0001'), now(), handle, now() from screens
    where handle = ${parseId('screen', screen)!}`;
  await made('/v1/assets', { name: 'Front door', filename: 'front-door.png' });
  const items = [
    { type: 'ai_menu', template: 'board', duration_ms: 30_000 },
    { type: 'ad_slot' },
    { type: 'creative', creative_id: await createReadyCreative(api, key) },
    { type: 'sponsorship_card', sponsor: 'The brewery', duration_ms: 8_000 },
  ];
  return { venue, screen, playlist: await made('/v1/playlists', { name: 'Evening', items, ad_ratio: 0.3 }) };
}

/** Earnings of a screen that a finding holds. */
async function suspect(api: TestApi, { screen: id }: { screen: string }): Promise<string> {
  const screen = parseId('screen', id)!;
  const [place] = await api.sql<{ workspace: Handle<'workspace'>; venue: Handle<'venue'> }[]>`
    select workspace_handle as workspace, venue_handle as venue from screens where handle = ${screen}`;
  await addEarnings(api, { ...place!, amount: 41.5 });
  return raiseFindingAbout(api, { ...place!, screen });
}

/** A payout that waits for a file for the bank, and one that is in a file. */
async function payOut(api: TestApi): Promise<void> {
  for (const file of [null, 'MQ20260301A1B2C3D4']) {
    const owner = await createWorkspace(api, { kind: 'venue' });
    const key = await createKey(api, owner, { surface: 'screen_manager' });
    const venue = parseId('venue', (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!)!;
    await addEarnings(api, { workspace: owner.handle, venue, amount: 80 });
    await giveAccount(api, owner.handle);
    await api.call('POST', '/v1/payouts', { key, body: {} });
    await api.sql`update payouts set bank_file = ${file} where workspace_handle = ${owner.handle}`;
  }
  await api.sql`update operator_settings set name = 'Network operations', iban = ${IBAN}`;
}

/** A campaign of a client, sent for review by one of its own people: its agency looks first. */
async function waitForAgency({ sql, ...api }: TestApi, agency: string, client: string): Promise<void> {
  const move = { amount: { amount: 1_000, currency: 'EUR' }, direction: 'to_client' };
  await api.call('POST', `/v1/agency/clients/${client}/transfers`, { key: agency, body: move });
  await api.call('PATCH', `/v1/agency/clients/${client}`, { key: agency, body: { approval: 'agency' } });
  const handle = parseId('workspace', client)!;
  const [user] = await sql<TestWorkspace[]>`
    insert into users (workspace_handle, email, role, created_at)
    values (${handle}, 'alpine@example.com', 'owner', now()) returning workspace_handle as handle, handle as user`;
  await sql`
    insert into users (workspace_handle, email, role, created_at)
    values (${handle}, 'guide@example.com', 'viewer', now())`;
  const key = await createKey({ sql, ...api }, user!);
  const body = campaignBody({ sql, ...api }, [await createReadyCreative({ sql, ...api }, key)], { name: 'Skiing' });
  await api.call('POST', '/v1/campaigns', { key, body });
}

/** A webhook that was not reached, and an event that could not be processed. */
async function tellOfTroubles({ sql }: TestApi): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'failed', reason = 'attempts_used_up', attempts = 1, last_at = now(),
      first_at = now(), log = jsonb_build_array(jsonb_build_object('at', now(), 'status', 500, 'ms', 12))`;
  await sql`
    insert into dead_letters (job_id, kind, position, step, reason, payload, created_at)
    values ('batch', 'batch', 0, 'decode', 'unreadable', '{}', now())`;
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
  await isQuiet(page);
  return page;
}

let people = 0;

export async function invite(
  api: TestApi,
  key: string,
  role: Role = 'admin',
): Promise<{ email: string; token: string }> {
  const email = `member-${(people += 1)}@a-house-with-a-rather-long-name.example.com`;
  const { body } = await api.call('POST', '/v1/invitations', { key, body: { email, role } });
  return { email, token: body['token']! };
}

export const PASSWORD = 'correct horse battery';

/** The cookie of somebody who has joined the workspace of a key and is signed in. */
export async function signInAsPerson(
  api: TestApi,
  key: string,
  role?: Role,
): Promise<{ email: string; cookie: string }> {
  const { email, token } = await invite(api, key, role);
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

/**
 * What is wrong with what the page shows once it has come to rest, in both themes: violations of WCAG, what is too
 * wide, and texts that were not loaded with the page.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of THEMES) {
    await showTheme(page, theme);
    const overflow = await overflowOf(page);
    if (overflow > 0) faults.push(`${theme}: too wide by ${overflow} px`);
    if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
    const violations = await page.evaluate<string[]>(AXE);
    faults.push(...violations.map(violation => `${theme}: ${violation}`));
  }
  const texts = await page.evaluate<string[]>(`document.querySelector('body').innerText.split('\\n')`);
  return [...faults, ...texts.filter(text => TEXT_NAMES.has(text)).map(text => `no text for ${text}`)];
}

/** As the device of the person asks for it. */
export async function showTheme(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction(`document.documentElement.dataset.theme === '${theme}'`);
}

/** By how many pixels the page, or a table of it, is too wide once it has come to rest. */
export async function overflowOf(page: Page): Promise<number> {
  await isQuiet(page);
  return page.evaluate<number>(OVERFLOW);
}

/** Waits until the page has come to rest. */
export async function isQuiet(page: Page): Promise<void> {
  await page.waitForFunction(IS_QUIET);
}

/** Pages at once: each waits most of its time, for answers and for the pauses between the client's attempts. */
const TABS = 4;

/** Works on all items in a few pages that are opened alike. */
export async function inTabs<Item>(
  open: () => Promise<Page>,
  items: readonly Item[],
  work: (page: Page, item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const workOn = async (): Promise<void> => {
    const page = await open();
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(page, item);
    await page.context().close();
  };
  await Promise.all(Array.from({ length: Math.min(TABS, items.length) }, workOn));
}
