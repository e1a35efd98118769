/**
 * Any value in a field of a body or in a query parameter gets a success or a refusal, never a failure of the service.
 * The bodies are the examples of the OpenAPI document, with one field after the other replaced. Then every route,
 * engine and job reads what was accepted: a value that one engine takes must not break another. The API and the jobs
 * run in this process on real engines.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLoader } from '../../../delivery/snapshot/loader.ts';
import { namedDayparts } from '../../../domain/time/daypart.ts';
import { zoneOffsetMinutes } from '../../../domain/screens/schedule.ts';
import { operationsOf, type Operation, type Parameter } from '../../../api/openapi/document.ts';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { cursorPurpose } from '../../../runtime/cryptography/sealed.ts';
import { finishCampaigns } from '../../../workers/campaigns/finish-campaigns.ts';
import { refitSupply } from '../../../workers/campaigns/refit-supply.ts';
import { reviewCampaigns } from '../../../workers/campaigns/review-campaigns.ts';
import { sweepPresence } from '#sql/screens/presence.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
} from '../support/app-under-test.ts';
import { readAs, type FieldError } from '../support/answer.ts';
import { callUnlimited } from '../support/limit-windows.ts';
import { replaceAt, textsOf } from '../support/json-pointer.ts';
import { documentOf } from '../support/openapi-codes.ts';

let api: TestApi;
let operations: { method: string; path: string; operation: Operation }[];
let keys: string[];
let ids: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
  operations = operationsOf(documentOf(api.app));
  const home = await createWorkspace(api, { kind: 'agency', funds: 1_000_000 });
  keys = await Promise.all([
    ...['ads_manager', 'screen_manager', 'agency'].map(surface => createKey(api, home, { surface })),
    createKey(api, home, { mode: 'test' }), // the sandbox is reached by test keys alone
    createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' }),
  ]);
  const [ads, venues, agency] = keys as [string, string, string];
  const creative = await createReadyCreative(api, ads);
  const made = async (key: string, url: string, body: object) =>
    (await api.call('POST', url, { key, body })).body['id']!;
  const venue = await made(venues, '/v1/venues', VENUE);
  const { code } = (await api.call('POST', '/v1/pairing', { key: venues, body: { venue_id: venue } })).body;
  ids = {
    campaigns: await made(ads, '/v1/campaigns', campaignBody(api, [creative])),
    creatives: creative,
    venues: venue,
    screens: await made(venues, '/v1/screens', { venue_id: venue, label: 'Bar', code }),
    playlists: await made(venues, '/v1/playlists', { name: 'Day', items: [{ type: 'ad_slot', weight: 1 }] }),
    clients: await made(agency, '/v1/agency/clients', {
      name: 'Client',
      billing_model: 'pass-through',
      currency: 'EUR',
    }),
    webhooks: await made(ads, '/v1/webhooks', { url: 'https://hooks.example.com/', events: ['campaign.created'] }),
  };
});
afterAll(() => api.close());

/**
 * Texts that Postgres does not store, or that turn what they are shown in; long ones; of other alphabets; other types.
 */
const ODD: unknown[] = [
  '\u0000',
  '\ud800',
  'a\u001b[31mb',
  'a\r\nb',
  'a\u2028b',
  'a\u202eb',
  '\u0085',
  '\u00a0',
  'x'.repeat(5_000),
  "\\'; --",
  '%',
  '_',
  '*',
  '=1+1',
  '${7*7}',
  'İı',
  '👩‍👩‍👧‍👦',
  '٢٠٢٦-٠١-٠١',
  '',
  ' ',
  'null',
  null,
  [[]],
  {},
  true,
];
/** Where numbers end: doubles, 2^53, Int64, the money's largest, degrees; and numbers as texts. */
const NUMBERS: unknown[] = [
  1e21,
  -1,
  -0,
  5e-324,
  1.7976931348623157e308,
  0.1 + 0.2,
  2 ** 53,
  2 ** 63,
  1e9,
  1e9 + 0.01,
  999_999_999.999,
  90,
  -90,
  180,
  -180,
  20_038,
  'NaN',
  '1e5',
  '9223372036854775808',
];
/** Days where calendars and engines end, and zones, currencies and ids that somebody else knows. */
const NAMES: unknown[] = [
  '9999-12-31',
  '2106-02-08',
  '2100-01-01',
  '2099-12-31',
  '1970-01-01',
  '0001-01-01',
  '2026-02-29',
  '+010000-01-01',
  '24:00',
  '00:00',
  '06:59',
  'europe/berlin',
  'EUROPE/BERLIN',
  'PST',
  'CET',
  'Factory',
  'posix/UTC',
  'Etc/GMT+12',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
  'America/Coyhaique',
  'XXX',
  'JPY',
  'BHD',
  'eur',
  'cmp_0',
  'cmp_zzzzzzzzzzzzzzzzzzzzzz',
  'ven_' + '1'.repeat(36),
  'cre_١',
];
const VALUES: unknown[] = [...ODD, ...NUMBERS, ...NAMES];
/** Days and degrees are checked in pairs, too. */
const DAYS = ['1970-01-01', '2026-03-29', '2097-01-01', '2099-12-31', '2100-01-01', '9996-12-31', '9999-12-31'];
const EDGES = [
  [90, 180],
  [-90, -180],
  [90, -180],
  [0, 180],
  [0, 0],
  [-0, -0],
  [1e-300, 5e-324],
];
/**
 * Values of an address: a NUL, bytes that are not UTF-8, and what a number, a day, a zone, a cursor or a statement
 * might choke on.
 */
const TEXTS = [
  '%00',
  'a%00@b',
  '%ED%A0%80',
  "'%3B--",
  '9'.repeat(1_000),
  '%2B275760-09-14',
  '%C2%85',
  '%E2%80%A8',
  '%25',
  '_',
  '%5C',
  '-0',
  '1e5',
  '0.' + '9'.repeat(15),
  '90',
  '180',
  '-180',
  '99999',
  'NaN',
  '9223372036854775808',
  '9999-12-31',
  '2099-12-31',
  '2100-01-01',
  '1970-01-01',
  '0001-01-01',
  '0000-00-00',
  '0000-01-01',
  '2026-03-29T02:30Z',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00Z',
  '9999-12',
  '0000-01',
  'europe/berlin',
  'PST',
  'CET',
  'Factory',
  'posix/UTC',
  'America/Coyhaique',
  'Etc/GMT%2B12',
  'night',
  '00:00-24:00',
  '23:45-00:00',
  '24:00-00:00',
  '06:07-08:09',
  'cmp_0',
  'cmp_%D9%A1',
  'ven_' + 'z'.repeat(30),
  'scr_' + '1'.repeat(40),
  'aud_0',
  'usr_1',
  'EUR',
  'JPY',
  'XXX',
];
/** Cursors of every list that say what none of ours would. */
const POSITIONS = [
  '0',
  '1',
  '9007199254740993',
  '9'.repeat(16),
  '999999999999999 x',
  '999999999999999 -',
  `${'9'.repeat(15)} ${'z'.repeat(64)}`,
  '253402300799999 scan_a',
  '-1 x',
  '1 ',
  ' 1',
  '',
  '\u0000',
  "1'; --",
];

/** The body with each of its fields, at any depth, replaced by a value in turn. */
function* variants(body: unknown, value: unknown): Generator {
  if (typeof body !== 'object' || body === null) return;
  for (const [key, inner] of Object.entries(body)) {
    const replace = (next: unknown) => (Array.isArray(body) ? body.with(Number(key), next) : { ...body, [key]: next });
    yield replace(value);
    for (const below of variants(inner, value)) yield replace(below);
  }
}

const pathOf = (path: string) =>
  path.replaceAll(/\/([a-z]+)\/\{(\w+)\}/g, (_match, resource: string) => `/${resource}/${ids[resource] ?? 'x'}`);
/** The key of the surface that an operation is of. */
async function keyOf(method: string, url: string): Promise<string> {
  const statuses = await Promise.all(
    keys.map(
      async key =>
        (await api.call(method, url, { key, ...(method !== 'GET' && { body: { no_such_field: 1 } }) })).status,
    ),
  );
  return keys[statuses.findIndex(status => status !== 403)]!;
}
/** Runs so many at a time, so that no request waits for a connection longer than the service would let it. */
async function inTurns<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = iterator.next(); !next.done; next = iterator.next()) await run(next.value);
    }),
  );
}

/** Those of these addresses that are answered 5xx. */
async function failuresOf(urls: readonly string[]): Promise<string[]> {
  const failures: string[] = [];
  await inTurns(urls, async url => {
    const path = url.split('?')[0]!;
    const key = known.get(path) ?? (await keyOf('GET', path));
    known.set(path, key);
    const { status } = await callUnlimited(api, 'GET', url, { key });
    if (status >= 500) failures.push(`${status} ${url.slice(0, 200)}`);
  });
  return failures;
}
const known = new Map<string, string>();

test('no value in any field of any body is answered 5xx', async () => {
  const failures: string[] = [];
  let sent = 0;
  let limited = 0;
  for (const { method, path, operation } of operations) {
    const example = operation.requestBody?.content['application/json']?.example;
    if (example === undefined || operation.security?.length === 0) continue;
    const bodies = VALUES.flatMap(value => [...variants(example, value)].map(body => ({ body, value })));
    const key = await keyOf(method.toUpperCase(), pathOf(path));
    await inTurns(bodies, async ({ body, value }) => {
      sent += 1;
      const { status } = await callUnlimited(api, method.toUpperCase(), pathOf(path), { key, body });
      limited += Number(status === 429);
      if (status >= 500)
        failures.push(`${method} ${path} ${JSON.stringify(value).slice(0, 20)}: ${JSON.stringify(body).slice(0, 200)}`);
    });
  }
  expect(sent).toBeGreaterThan(5_000);
  expect(limited).toBeLessThan(sent / 100);
  expect(failures).toEqual([]);
}, 240_000);

test('a control character in any text of any body is refused, and the answer names the field', async () => {
  const answers: unknown[] = [];
  const wanted: unknown[] = [];
  for (const { method, path, operation } of operations) {
    const example = operation.requestBody?.content['application/json']?.example;
    // what a payment provider sends is refused unread unless its signature is right
    if (example === undefined || path === '/v1/payments/stripe/events') continue;
    const key = operation.security?.length === 0 ? '' : await keyOf(method.toUpperCase(), pathOf(path));
    for (const pointer of textsOf(example)) {
      for (const character of ['\u0000', '\u0007', '\n', '\u001b', '\u007f', '\u0085', '\u2028', '\u2029']) {
        const { status, body } = await callUnlimited(api, method.toUpperCase(), pathOf(path), {
          key,
          body: replaceAt(example, pointer, `a${character}b`),
        });
        answers.push([
          method,
          path,
          status,
          readAs<FieldError[] | undefined>(body['errors'])?.map(fault => `${fault.pointer} ${fault.code}`),
        ]);
        wanted.push([method, path, 422, [`${pointer} bad_format`]]);
      }
    }
  }
  expect(answers).toEqual(wanted);
  expect(answers.length).toBeGreaterThan(400);
}, 120_000);

test('no pair of days or of degrees in any body is answered 5xx', async () => {
  const [ads, venues] = keys as [string, string];
  const creative = ids['creatives']!;
  const calls: [url: string, key: string, body: unknown][] = [
    ...DAYS.flatMap(starts => DAYS.map(ends => ({ starts, ends }))).flatMap((schedule): [string, string, unknown][] => [
      ['/v1/campaigns', ads, campaignBody(api, [creative], { schedule, status: 'draft' })],
      ['/v1/forecasts', ads, { budget: { amount: 100, currency: 'EUR' }, schedule }],
    ]),
    ...EDGES.flatMap(([lat, lng]): [string, string, unknown][] => [
      ['/v1/venues', venues, { ...VENUE, lat, lng }],
      ...[5e-324, 0.001, 20_038, 20_038.5].map((radiusKm): [string, string, unknown] => [
        '/v1/campaigns',
        ads,
        campaignBody(api, [creative], { targets: { areas: [{ lat, lng, radiusKm }] } }),
      ]),
    ]),
  ];
  const answers: number[] = [];
  await inTurns(
    calls,
    async ([url, key, body]) => void answers.push((await callUnlimited(api, 'POST', url, { key, body })).status),
  );
  expect(new Set(answers)).toEqual(new Set([200, 201, 422]));
}, 120_000);

test('no value of any query parameter is answered 5xx', async () => {
  const queries = operations
    .filter(({ operation, method }) => method === 'get' && operation.security?.length !== 0)
    .flatMap(({ path, operation }) => {
      const parameters = (operation.parameters ?? []).filter(
        parameter => !('$ref' in parameter) && parameter.in === 'query',
      ) as Parameter[];
      return parameters.flatMap(({ name }) => TEXTS.map(text => `${pathOf(path)}?${name}=${text}`));
    });
  expect(await failuresOf(queries)).toEqual([]);
  expect(queries.length).toBeGreaterThan(2_000);
}, 240_000);

test('no text in a path is answered 5xx', async () => {
  const failures: string[] = [];
  const named = operations.filter(({ path }) => path.includes('{'));
  for (const { method, path, operation } of named) {
    const key = operation.security?.length === 0 ? '' : await keyOf(method.toUpperCase(), pathOf(path));
    const body = operation.requestBody?.content['application/json']?.example;
    for (const text of ['%00', 'a%00b', '%ED%A0%80', '%C2%85']) {
      const url = path.replaceAll(/\{\w+\}/g, text);
      const { status } = await callUnlimited(api, method.toUpperCase(), url, {
        key,
        ...(body !== undefined && { body }),
      });
      if (status >= 500) failures.push(`${status} ${method} ${url}`);
    }
  }
  expect(failures).toEqual([]);
  expect(named.length).toBeGreaterThan(100);
}, 120_000);

test('no forged cursor is answered 5xx', async () => {
  const lists = operations.filter(
    ({ operation, method }) =>
      method === 'get' &&
      (operation.parameters ?? []).some(parameter => !('$ref' in parameter) && parameter.name === 'cursor'),
  );
  const names = [
    'venues',
    'screens',
    'campaigns',
    'creatives',
    'assets',
    'playlists',
    'keys',
    'webhooks',
    'deliveries',
    'payouts',
    'invoices',
    'clients',
    'audit',
    'scans',
    'decisions',
  ];
  const queries = lists.flatMap(({ path }) =>
    names
      .filter(name => path.includes(name))
      .flatMap(name =>
        POSITIONS.map(position => {
          const cursor = api.sealer.sealEqually(position, cursorPurpose(name)).toString('base64url');
          return `${pathOf(path)}?cursor=${cursor}`;
        }),
      ),
  );
  expect(await failuresOf(queries)).toEqual([]);
  expect(queries.length).toBeGreaterThan(100);
}, 120_000);

test('every value that was accepted can be read by every route, engine and job that reads it', async () => {
  const records = await readEverything();
  expect(records).toBeGreaterThan(500);
  for (const timezone of ['America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'])
    await callUnlimited(api, 'POST', '/v1/venues', { key: keys[1]!, body: { ...VENUE, timezone } });
  const played = await playEverywhere();
  const [ads] = keys as [string];
  const reports = [
    `/v1/reporting/campaigns/${ids['campaigns']}`,
    `/v1/campaigns/${ids['campaigns']}/results`,
    `/v1/campaigns/${ids['campaigns']}`,
  ];
  const dayparts = [...Object.keys(namedDayparts), '00:00-24:00', '02:00-03:00'].flatMap(daypart =>
    ['day', 'hour'].map(
      group => `${reports[0]}?from=2026-03-28&to=2026-03-30&tz=Europe/Berlin&daypart=${daypart}&group=${group}`,
    ),
  );
  expect(await failuresOf([...reports, ...dayparts])).toEqual([]);
  const whole = await api.call('GET', `${reports[0]}?from=2026-03-28&to=2026-03-30&daypart=00:00-24:00`, { key: ads });
  expect(whole.body['totals']).toMatchObject({ plays: played });
  await readAsDelivery();
}, 240_000);

/** Reads every record of every list by itself, as a page and as a table. Answers how many there were. */
async function readEverything(): Promise<number> {
  let count = 0;
  const lists = operations.filter(
    ({ method, path, operation }) =>
      method === 'get' &&
      !path.includes('{') &&
      (operation.parameters ?? []).some(parameter => !('$ref' in parameter) && parameter.name === 'cursor'),
  );
  for (const { path } of lists) {
    const key = await keyOf('GET', path);
    const single = operations.find(operation => operation.method === 'get' && operation.path === `${path}/{id}`);
    for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
      const page = await api.call('GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`, { key });
      expect([path, page.status]).toEqual([path, 200]);
      const found = dataOf(page);
      count += found.length;
      expect(await failuresOf(single ? found.map(record => `${path}/${record['id']}`) : [])).toEqual([]);
      cursor = page.body['next_cursor'];
    }
  }
  return count;
}

/** A play of the campaign at every venue, in the night in which Europe's clocks change. Answers how many. */
async function playEverywhere(): Promise<number> {
  const venues = await api.sql<{ handle: Handle<'venue'>; timezone: string }[]>`select handle, timezone from venues`;
  await api.clickhouse.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    values: venues.map(({ handle }, index) => ({
      played_at: '2026-03-29 01:00:00.000',
      slot_at: '2026-03-29 01:00:00.000',
      received_at: '2026-03-29 01:00:30.000',
      campaign_id: ids['campaigns'],
      creative_id: ids['creatives'],
      screen_id: ids['screens'],
      venue_id: formatId('venue', handle),
      campaign_handle: parseId('campaign', ids['campaigns']!),
      epoch: 1,
      issue_number: index,
      sandbox: false,
      late: false,
      played_ms: 10_000,
      audience: null,
      impressions_thousandths: 1_500,
      rate_micros: 5_000,
      cost_micros: 7_500,
      group_id: 'g1',
      job_id: 'j1',
    })),
  });
  expect(venues.length).toBeGreaterThan(20);
  expect(new Set(venues.map(({ timezone }) => timezone)).size).toBeGreaterThan(3);
  return venues.length;
}

/** What delivery and the workers make of the rows: none is left out, and none stops the others. */
async function readAsDelivery(): Promise<void> {
  const left: unknown[] = [];
  const log = {
    ...api.workers.log,
    warn: (...said: unknown[]) => left.push(said),
    error: (...said: unknown[]) => left.push(said),
  };
  const { venues, screens } = await createLoader({ sql: api.sql, publicUrl: 'http://api.test', log }).loadAll();
  const [rows] = await api.sql<
    { venues: number; screens: number }[]
  >`select (select count(*) from venues where deleted_at is null) as venues, (select count(*) from screens where unpaired_at is null and not simulated) as screens`;
  expect([left, venues.length, screens.length]).toEqual([[], rows!.venues, rows!.screens]);
  expect(
    venues
      .map(({ timezone }) => zoneOffsetMinutes(timezone, Date.UTC(2026, 2, 29)))
      .every(minutes => Math.abs(minutes) <= 840),
  ).toBe(true);
  for (const run of [reviewCampaigns, finishCampaigns, refitSupply, sweepPresence]) await run(api.workers);
}
