/**
 * Political campaigns: who has to name a sponsor, the review, and the public notice behind the code of an ad. Driven by
 * calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { encodeScanCode } from '#domain/plays/play.ts';
import { forgetSponsors } from '#sql/campaigns/units.ts';
import { errorsOf } from '../support/answer.ts';
import {
  campaignBody,
  chargePlay,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

const SPONSOR = { name: 'Example <b>Party</b>', address: '1 Example Street', email: 'office@example.org' };
const POLITICAL = { sponsor: SPONSOR, process: 'Example election 2027' };
const YEAR_MS = 366 * 86_400_000;
const PHONE = 'Mozilla/5.0 (a phone)';

let api: TestApi;
let brand: TestWorkspace;
let key: string;
let operator: TestWorkspace;
let operatorKey: string;
let creative: string;
let screen: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  key = await createKey(api, brand);
  operator = await createWorkspace(api, { kind: 'operator' });
  operatorKey = await createKey(api, operator, { surface: 'operator' });
  creative = await createReadyCreative(api, key);
  const house = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
  const venue = (await api.call('POST', '/v1/venues', { key: house, body: VENUE })).body['id']!;
  const { code } = (await api.call('POST', '/v1/pairing', { key: house, body: { venue_id: venue } })).body;
  const confirmed = await api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'linux', player: '1' } });
  screen = confirmed.body['screen_id']!;
});
afterAll(() => api.close());

const POLITICS = { category: 'politics', political: POLITICAL };
const create = (changes: Record<string, unknown> = {}) =>
  api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], { ...POLITICS, ...changes }) });
const patch = (id: string, body: object) => api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
const faultsOf = ({ status, body }: Awaited<ReturnType<typeof patch>>) => ({
  status,
  faults: errorsOf(body).map(({ pointer, code }) => [pointer, code]),
});
const REQUIRED = { status: 422, faults: [['/political', 'required']] };

/** Books a political campaign, and approves it as the operator. */
async function bookLive(changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await create(changes);
  await api.review();
  const approved = await api.call('POST', `/v1/operator/reviews/${body['id']}/approve`, { key: operatorKey });
  expect(approved).toMatchObject({ status: 200, body: { status: 'live' } });
  return body['id']!;
}

const readNotice = (id: string, headers: Record<string, string> = {}) => api.call('GET', `/notices/${id}`, { headers });
const textOf = ({ raw }: { raw: Buffer }) => raw.toString('utf8');

function codeOf(campaign: string, slotMinute: number): string {
  const shown = {
    campaign: parseId('campaign', campaign)!,
    creative: parseId('creative', creative)!,
    screen: parseId('screen', screen)!,
  };
  return encodeScanCode({ ...shown, slotMinute }, api.signingKeys.current);
}
const follow = (campaign: string, slotMinute: number) =>
  api.call('GET', `/s/${codeOf(campaign, slotMinute)}`, { headers: { 'user-agent': PHONE } });

describe('the sponsor of a campaign', () => {
  test('is required for the category politics, for a draft at its submission', async () => {
    expect(faultsOf(await create({ political: undefined }))).toEqual(REQUIRED);
    const draft = (await create({ political: undefined, status: 'draft' })).body['id']!;
    expect(faultsOf(await patch(draft, { status: 'pending_review' }))).toEqual(REQUIRED);
    expect(await patch(draft, { status: 'pending_review', political: POLITICAL })).toMatchObject({
      status: 200,
      body: { political: POLITICAL, status: 'pending_review' },
    });
    expect(faultsOf(await patch(draft, { political: null }))).toEqual(REQUIRED);
    const other = (await create({ category: 'travel', political: undefined })).body['id']!;
    expect(faultsOf(await patch(other, { category: 'politics' }))).toEqual(REQUIRED);
  });

  test('makes a campaign of any category wait for the operator, who sees the sponsor', async () => {
    const { body } = await create({ category: 'travel', name: 'An issue' });
    await api.review();
    const waiting = dataOf(await api.call('GET', '/v1/operator/reviews', { key: operatorKey }));
    expect(waiting.find(review => review['campaign_id'] === body['id'])).toMatchObject({
      category: 'travel_and_tourism',
      category_rule: 'needs the sponsor to be named, and election periods have rules',
      political: POLITICAL,
    });
  });

  test('is reviewed again when it changes in review', async () => {
    const id = (await create()).body['id']!;
    await api.review();
    expect((await api.call('GET', `/v1/campaigns/${id}`, { key })).body['review']).toEqual({ waiting_for: 'operator' });
    expect(await patch(id, { political: { sponsor: SPONSOR } })).toMatchObject({
      body: { review: { waiting_for: 'rules' }, political: { sponsor: SPONSOR } },
    });
  });

  test('can be corrected during and after the campaign, with an audit entry, and never removed', async () => {
    const id = await bookLive();
    const corrected = { sponsor: { ...SPONSOR, name: 'Example Union' } };
    expect(await patch(id, { political: corrected })).toMatchObject({ status: 200, body: { political: corrected } });
    const [entry] = await api.sql<{ diff: unknown }[]>`
      select diff from audit_entries where action = 'campaign.updated' and entity_handle = ${parseId('campaign', id)!}`;
    expect(entry!.diff).toEqual({ political: { from: POLITICAL, to: corrected } });
    expect(await patch(id, { political: null })).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    await api.sql`update campaigns set status = 'finished', ended_at = now(), take_back_micros = handed_micros
      where handle = ${parseId('campaign', id)!}`;
    expect((await patch(id, { political: POLITICAL })).status).toBe(200);
    const page = textOf(await readNotice(id));
    expect(page).toContain('Example Union, 1 Example Street, office@example.org');
    expect(page).toContain('<span dir="auto">Example &lt;b&gt;Party&lt;&#x2F;b&gt;</span>');
  });

  test('stays as it is after fifty corrections', async () => {
    const id = await bookLive();
    const handle = parseId('campaign', id)!;
    const earlier = Array.from({ length: 50 }, () => ({ ...POLITICAL, until: '2026-01-01T00:00:00.000Z' }));
    await api.sql`update campaigns set political_earlier = ${api.sql.json(earlier)} where handle = ${handle}`;
    expect(await patch(id, { political: { sponsor: SPONSOR } })).toMatchObject({ status: 409 });
    expect((await api.call('GET', `/v1/campaigns/${id}`, { key })).body['political']).toEqual(POLITICAL);
  });
});

describe('the notice of a campaign', () => {
  test('is public from the start of the campaign, with sponsor, amount, dates and election', async () => {
    const booked = (await create()).body['id']!;
    expect((await readNotice(booked)).status).toBe(404);
    const id = await bookLive();
    const handle = parseId('campaign', id)!;
    await api.sql`update campaigns set handed_micros = budget_micros where handle = ${handle}`;
    await chargePlay(api, handle, 12_340_000);
    const notice = await readNotice(id);
    expect(notice.status).toBe(200);
    expect(notice.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(notice.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+';/);
    const page = textOf(notice);
    for (const text of [
      'Example &lt;b&gt;Party&lt;&#x2F;b&gt;',
      '1 Example Street',
      'office@example.org',
      'Example election 2027',
      '€12.34',
      '€100.00',
      'href="https:&#x2F;&#x2F;example.com&#x2F;autumn"',
    ])
      expect(page).toContain(text);
    expect(page).not.toMatch(/<script|<b>|Corrections/);
    const german = textOf(await readNotice(id, { 'accept-language': 'de-AT,en;q=0.5' }));
    expect(german).toContain('<html lang="de">');
    expect(german).toContain('12,34\u00a0€');
  });

  test('names the controlling entity, the payer, the origin of the money, the price and where to report the ad', async () => {
    await api.sql`update operator_settings set name = 'Example Screens', address_lines = '{3 Example Street}', city = 'Berlin'`;
    const political = {
      ...POLITICAL,
      controlled_by: 'Example <i>Holding</i>',
      payer: 'Example Donor, 2 Example Street',
      funding_source: 'public_and_private',
      funding_origin: 'outside_eu',
      process_url: 'https://vote.example/how?a=1&b="',
    };
    const id = await bookLive({ political });
    await api.sql`update campaigns set rate_micros = 12500 where handle = ${parseId('campaign', id)!}`;
    const page = textOf(await readNotice(id));
    for (const text of [
      '<dt>Controlled by</dt><dd dir="auto">Example &lt;i&gt;Holding&lt;&#x2F;i&gt;</dd>',
      '<dt>Paid by</dt><dd dir="auto">Example Donor, 2 Example Street</dd>',
      '<dd>Public and private money, from outside the European Union</dd>',
      'Price per 1,000 people: €12.50',
      'href="https:&#x2F;&#x2F;vote.example&#x2F;how?a&#x3D;1&amp;b&#x3D;%22"',
      '<span dir="auto">Example Screens</span><span dir="auto">3 Example Street</span><span dir="auto">Berlin</span>',
      'No personal data is used',
    ])
      expect(page).toContain(text);
    expect(textOf(await readNotice(id, { 'accept-language': 'de' }))).toContain('von außerhalb der Europäischen Union');
    expect((await patch(id, { political: POLITICAL })).status).toBe(200);
    const corrected = textOf(await readNotice(id));
    expect(corrected).toContain('<dd>The sponsor did not state it.</dd>');
    expect(corrected).toMatch(/Controlled by Example &lt;i&gt;.*Paid by Example Donor.*outside the European Union/);
  });

  test('is the target of a scan, which counts, even for a campaign without a landing page', async () => {
    const id = await bookLive();
    const queued = async () => {
      const names = await api.redis.keys(`*${api.queueName}:api-*`);
      const batches = await Promise.all(names.map(name => api.redis.hget(name, 'data')));
      return batches.reduce((sum, data) => sum + (JSON.parse(data ?? '{"events":0}') as { events: number }).events, 0);
    };
    const before = await queued();
    const shown = await follow(id, 100);
    expect(shown).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(textOf(shown)).toBe(textOf(await readNotice(id)));
    await expect.poll(queued, { timeout: 3_000, interval: 20 }).toBe(before + 1);
    const silent = await bookLive({ landing_url: undefined });
    const page = await follow(silent, 101);
    expect(page.status).toBe(200);
    expect(textOf(page)).not.toContain('href');
  });

  test('that does not exist is a page for browsers in their language, and a problem for programs', async () => {
    const read = (headers: Record<string, string>) => api.call('GET', '/notices/cmp_nothing', { headers });
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    const page = await read(browser);
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+';/);
    expect(textOf(page)).toContain('There is no notice at this address.');
    expect(textOf(await read({ ...browser, 'accept-language': 'de-AT,de;q=0.9' }))).toContain(
      'Unter dieser Adresse gibt es keine Bekanntmachung.',
    );
    for (const accept of ['application/json', '*/*'])
      expect(await read({ accept })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('stays for seven years after the last day, even without its campaign and workspace, and is then deleted', async () => {
    const id = await bookLive();
    expect((await api.call('DELETE', `/v1/campaigns/${id}`, { key })).status).toBe(204);
    await api.sql`update workspaces set archived_at = now() where handle = ${brand.handle}`;
    await api.sql`update campaigns set deleted_at = now() where deleted_at is null`;
    const kept = async () => [(await readNotice(id)).status, (await follow(id, 102)).status];
    const forget = () => forgetSponsors(api.sql, new Date(api.clock.now()));
    expect(await kept()).toEqual([200, 200]);
    api.clock.offsetMs += 6.99 * YEAR_MS;
    await forget();
    expect(await kept()).toEqual([200, 200]);
    api.clock.offsetMs += 0.05 * YEAR_MS;
    expect(await kept()).toEqual([404, 302]);
    expect(await forget()).toBeGreaterThan(0);
    const [row] = await api.sql`select political from campaigns where handle = ${parseId('campaign', id)!}`;
    expect(row!['political']).toBeNull();
    await api.sql`update workspaces set archived_at = null where handle = ${brand.handle}`;
    api.clock.offsetMs = 0;
  });

  test('of a sandbox campaign says that nothing was shown', async () => {
    const test = await createKey(api, brand, { mode: 'test' });
    const operatorTest = await createKey(api, operator, { surface: 'operator', mode: 'test' });
    const spot = await createReadyCreative(api, test);
    await api.call('POST', '/v1/wallet/top-ups', { key: test, body: { amount: { amount: 500, currency: 'EUR' } } });
    const body = campaignBody(api, [spot], POLITICS);
    const booked = await api.call('POST', '/v1/campaigns', { key: test, body });
    await api.review();
    const id = booked.body['id']!;
    await api.call('POST', `/v1/operator/reviews/${id}/approve`, { key: operatorTest });
    expect(textOf(await readNotice(id))).toContain('This is a test.');
  });
});
