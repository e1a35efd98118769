/**
 * Lists, their filters, sorting and cursors, and the values that fields are picked from (sections 2 to 4 of
 * docs/interface-specification.md). Records that were rejected or archived can be corrected and restored. Driven by
 * calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejectReview } from '../../../../cli/admin/supply/reviews.ts';
import { parseId, type Handle } from '../../../../domain/id.ts';
import { cursorPurpose } from '../../../../runtime/cryptography/sealed.ts';
import { handBudgets } from '../../../../workers/budgets/hand-budgets.ts';
import { PIXEL } from '../../../support/media.ts';
import {
  campaignBody,
  chargePlay,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  upload,
  VENUE,
  type TestApi,
} from '../../support/app-under-test.ts';
import { documentOf } from '../../support/openapi-codes.ts';

let api: TestApi;
let key: string;
let venueKey: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 10_000 }));
  venueKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

const create = async (changes: object = {}) =>
  (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], { ...changes }) })).body['id']!;
const patch = (id: string, body: object) => api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
const read = async (id: string) => (await api.call('GET', `/v1/campaigns/${id}`, { key })).body;
const balance = async () => Number((await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount']);
const reject = (id: string) =>
  rejectReview(api.sql, new Date(api.clock.now()), { campaign: parseId('campaign', id)!, reason: 'misleading' });

describe('GET /campaigns', () => {
  test('takes several values of status and category, a text of the name, and counts', async () => {
    const ids = [
      await create({ name: 'Summer 100%', status: 'draft' }),
      await create({ name: 'SUMMER sale', category: 'alcohol' }),
      await create({ name: 'Winter_sale', category: '1002' }),
    ];
    const found = async (query: string) => {
      const { body } = await api.call('GET', `/v1/campaigns?${query}`, { key });
      return [
        dataOf({ body })
          .map(record => ids.findIndex(id => id === record['id']))
          .sort(),
        body['total'],
      ];
    };
    expect(await found('status=draft,pending_review&count=true')).toEqual([[0, 1, 2], 3]);
    expect(await found('status=draft')).toEqual([[0], undefined]);
    expect(await found('q=summer&count=true&limit=1')).toEqual([[1], 2]);
    expect([await found('q=100%25'), await found('q=r_s'), await found('q=%25')]).toEqual([
      [[0], undefined],
      [[2], undefined],
      [[0], undefined],
    ]); // no wildcards
    expect(await found('category=alcohol,travel&status=draft,pending_review')).toEqual([[0, 1, 2], undefined]);
    await api.call('DELETE', `/v1/campaigns/${ids[0]}`, { key });
    expect([await found('status=draft'), await found('status=draft,deleted')]).toEqual([
      [[], undefined],
      [[0], undefined],
    ]);
    for (const bad of [
      'status=',
      'status=draft,',
      'status=asleep,draft',
      'category=alcohol,nonsense',
      'count=yes',
      'q=',
    ])
      expect((await api.call('GET', `/v1/campaigns?${bad}`, { key })).status).toBe(400);
  });

  test('lists the campaigns with a creative, and none for an id of no creative', async () => {
    const own = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
    const [used, idle] = [await createReadyCreative(api, own), await createReadyCreative(api, own)];
    const id = (await api.call('POST', '/v1/campaigns', { key: own, body: campaignBody(api, [used]) })).body['id']!;
    const found = async (ids: string) =>
      dataOf(await api.call('GET', `/v1/campaigns?creative=${ids}`, { key: own })).map(record => record['id']);
    expect([await found(used), await found(`${used},${idle}`), await found(idle), await found('nonsense')]).toEqual([
      [id],
      [id],
      [],
      [],
    ]);
  });
});

test('GET /creatives and GET /screens take several values and a text of the name, too', async () => {
  const draft = (
    await api.call('POST', '/v1/creatives', {
      key,
      body: { name: 'Night spot', orientation: 'portrait', duration_ms: 10_000 },
    })
  ).body['id'];
  const found = async (path: string, as: string) =>
    dataOf(await api.call('GET', path, { key: as })).map(record => record['id']);
  expect(await found('/v1/creatives?status=draft,ready', key)).toEqual([draft, creative]);
  expect(await found('/v1/creatives?status=draft,ready&q=NIGHT', key)).toEqual([draft]);
  const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!;
  const ids = [];
  for (const label of ['Front window', 'Bar']) {
    const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
    ids.push(
      (await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label, code } })).body['id'],
    );
  }
  expect(await found(`/v1/screens?venue=${venue}&status=online,paired_idle`, venueKey)).toEqual([ids[1], ids[0]]);
  expect([
    await found(`/v1/screens?venue=${venue}&q=window`, venueKey),
    await found(`/v1/screens?venue=${venue}&status=online,offline`, venueKey),
    await found(`/v1/screens?venue=${venue}&platform=linux,tizen`, venueKey),
  ]).toEqual([[ids[0]], [], []]);
  for (const [path, as] of [
    ['/v1/creatives?status=ready,', key],
    ['/v1/screens?status=gone', venueKey],
    ['/v1/screens?platform=linux,plan9', venueKey],
  ] as const)
    expect((await api.call('GET', path, { key: as })).status).toBe(400);
});

describe('lists of venues, playlists, assets, screens, creatives and clients', () => {
  const found = async (path: string, as: string) => {
    const { status, body } = await api.call('GET', path, { key: as });
    return status === 200
      ? { names: dataOf({ body }).map(record => record['name'] ?? record['label']), total: body['total'] }
      : status;
  };
  const names = (...list: string[]) => expect.objectContaining({ names: list });

  test('venues: several types and cities, a text of the name, and a count', async () => {
    const as = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    for (const [name, type, city] of [
      ['Corner', 'entertainment.bars', 'Zürich'],
      ['Iron', 'health_and_beauty.gyms', 'ZURICH '],
      ['Hub', 'transit', 'Genève'],
    ])
      await api.call('POST', '/v1/venues', { key: as, body: { ...VENUE, name, type, city } });
    expect(await found('/v1/venues?city=zürich,geneve', as)).toEqual(names('Hub', 'Iron', 'Corner'));
    expect(await found('/v1/venues?city=Zurich&count=true&limit=1', as)).toEqual({ names: ['Iron'], total: 2 });
    expect([
      await found('/v1/venues?type=entertainment,transit', as),
      await found('/v1/venues?type=health_and_beauty', as),
      await found('/v1/venues?q=OR', as),
      await found('/v1/venues?city=Atlantis', as),
    ]).toEqual([names('Hub', 'Corner'), names('Iron'), names('Corner'), names()]);
    expect([await found('/v1/venues?type=castles', as), await found('/v1/venues?count=no', as)]).toEqual([400, 400]);
  });

  test('playlists: both statuses, several venues, a text of the name, and a count', async () => {
    const as = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    const ids = [];
    for (const name of ['Day', 'Night', 'Daytime'])
      ids.push(
        (await api.call('POST', '/v1/playlists', { key: as, body: { name, items: [{ type: 'ad_slot' }] } })).body['id'],
      );
    const at = [];
    for (const playlist of ids.slice(0, 2))
      at.push(
        (await api.call('POST', '/v1/venues', { key: as, body: { ...VENUE, default_playlist_id: playlist } })).body[
          'id'
        ],
      );
    await api.call('DELETE', `/v1/playlists/${ids[2]}`, { key: as });
    expect([
      await found('/v1/playlists', as),
      await found('/v1/playlists?status=active,archived&q=day&count=true', as),
      await found('/v1/playlists?status=archived', as),
    ]).toEqual([names('Night', 'Day'), { names: ['Daytime', 'Day'], total: 2 }, names('Daytime')]);
    expect([
      await found(`/v1/playlists?venue=${at.join(',')}`, as),
      await found(`/v1/playlists?venue=${at[0]}`, as),
      await found('/v1/playlists?status=asleep', as),
    ]).toEqual([names('Night', 'Day'), names('Day'), 400]);
  });

  test('assets and creatives: several statuses and orientations, a text of the name, and a count', async () => {
    for (const name of ['Front', 'Frontier'])
      await api.call('POST', '/v1/assets', { key: venueKey, body: { name, filename: 'a.png' } });
    expect([
      await found('/v1/assets?q=front&status=awaiting_upload,ready&count=true&limit=1', venueKey),
      await found('/v1/assets?status=ready,rejected', venueKey),
      await found('/v1/assets?status=gone', venueKey),
    ]).toEqual([{ names: ['Frontier'], total: 2 }, names(), 400]);
    await api.call('POST', '/v1/creatives', {
      key,
      body: { name: 'Tall one', orientation: 'portrait', duration_ms: 10_000 },
    });
    expect([
      await found('/v1/creatives?orientation=portrait&q=tall&count=true', key),
      await found('/v1/creatives?orientation=portrait,landscape&q=tall', key),
    ]).toEqual([{ names: ['Tall one'], total: 1 }, names('Tall one')]);
  });

  test('screens: several venues, and a count', async () => {
    const at = [];
    for (const label of ['Left', 'Right', 'Hall']) {
      const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id'];
      const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
      await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label, code } });
      at.push(venue);
    }
    expect([
      await found(`/v1/screens?venue=${at[0]},${at[2]}`, venueKey),
      await found(`/v1/screens?venue_id=${at.join(',')}&status=paired_idle&count=true&limit=2`, venueKey),
      await found(`/v1/screens?venue_id=${at.join(',')}&q=ALL&sort=label&count=true&limit=1`, venueKey),
      await found(`/v1/screens?venue_id=${at.join(',')}&status=online&sort=status&count=true`, venueKey),
    ]).toEqual([
      names('Hall', 'Left'),
      { names: ['Hall', 'Right'], total: 3 },
      { names: ['Hall'], total: 1 },
      { names: [], total: 0 },
    ]);
  });

  test('clients: a text of the name, several currencies and ways of billing, and a count', async () => {
    const agency = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    for (const [name, billing_model, currency] of [
      ['Acorn', 'pass-through', 'EUR'],
      ['Beech', 'agency-billed', 'CHF'],
      ['Corn', 'pass-through', 'USD'],
    ])
      await api.call('POST', '/v1/agency/clients', { key: agency, body: { name, billing_model, currency } });
    expect([
      await found('/v1/agency/clients?q=corn&count=true', agency),
      await found('/v1/agency/clients?currency=EUR,CHF', agency),
      await found('/v1/agency/clients?billing_model=agency-billed', agency),
      await found('/v1/agency/clients?sort=name', agency),
    ]).toEqual([
      { names: ['Corn', 'Acorn'], total: 2 },
      names('Beech', 'Acorn'),
      names('Beech'),
      names('Acorn', 'Beech', 'Corn'),
    ]);
    expect(await found('/v1/agency/clients?currency=euro', agency)).toBe(400);
  });
});

describe('sort', () => {
  type Parameter = { name: string; in: string; schema: { enum?: string[] } };
  const lists = () =>
    Object.entries(
      documentOf<{ paths: Record<string, { get?: { parameters?: Parameter[]; security?: unknown } }> }>(api.app).paths,
    ).flatMap(([path, { get }]) =>
      get?.parameters?.some(parameter => parameter.name === 'cursor')
        ? [{ path, sort: get.parameters.find(parameter => parameter.name === 'sort')?.schema.enum }]
        : [],
    );
  const idsOf = (records: readonly object[]) => records.map(record => JSON.stringify(record));

  test('is a parameter of every list, with a minus for the other way round', () => {
    expect(lists().filter(({ sort }) => !sort)).toEqual([]);
    for (const { sort } of lists())
      for (const name of sort ?? []) expect(sort).toContain(name.startsWith('-') ? name.slice(1) : `-${name}`);
  });

  test('puts every list in order, page by page as at once, and turns it round', async () => {
    const agency = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    for (const name of ['Beech', 'acorn', 'Corn'])
      await api.call('POST', '/v1/agency/clients', {
        key: agency,
        body: { name, billing_model: 'pass-through', currency: 'EUR' },
      });
    await create({ name: 'alpha', budget: { amount: 70, currency: 'EUR' } });
    await create({ name: 'Beta', status: 'draft', schedule: { starts: '2090-01-01', ends: '2090-01-02' } });
    const ids: Record<string, string> = {
      '/v1/campaigns/{id}': await create({ name: 'gamma' }),
      '/v1/screens/{id}': String(dataOf(await api.call('GET', '/v1/screens', { key: venueKey }))[0]!['id']),
    };
    let walked = 0;
    for (const { path, sort } of lists().filter(list => list.sort)) {
      const base = path.replace(/^(.*\{id\})/, prefix =>
        ids[prefix] === undefined ? prefix : prefix.replace('{id}', ids[prefix]),
      );
      if (base.includes('{')) continue;
      for (const as of [key, venueKey, agency]) {
        const whole = await api.call('GET', `${base}?limit=100&sort=${sort![0]}`, { key: as });
        if (whole.status === 403 || whole.status === 404) continue; // of another surface, or of another workspace
        for (const name of sort!) {
          const all = await api.call('GET', `${base}?limit=100&sort=${name}`, { key: as });
          expect([path, name, all.status]).toEqual([path, name, 200]);
          if (all.body['has_more'] || path === '/v1/audit') continue; // each read is a call more
          const round = await api.call(
            'GET',
            `${base}?limit=100&sort=${name.startsWith('-') ? name.slice(1) : `-${name}`}`,
            { key: as },
          );
          expect([path, name, idsOf(dataOf(round)).reverse()]).toEqual([path, name, idsOf(dataOf(all))]);
          const paged: object[] = [];
          for (let cursor = ''; ;) {
            const page = await api.call(
              'GET',
              `${base}?limit=2${cursor === '' ? `&sort=${name}` : `&cursor=${cursor}`}`,
              { key: as },
            );
            paged.push(...dataOf(page));
            if (!page.body['has_more']) break;
            cursor = String(page.body['next_cursor']);
          }
          expect([path, name, idsOf(paged)]).toEqual([path, name, idsOf(dataOf(all))]);
          walked += 1;
        }
      }
    }
    expect(walked).toBeGreaterThan(40);
  }, 60_000);

  test('by name goes by name, whatever its case; by budget and dates by these', async () => {
    const as = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    for (const name of ['beta', 'Alpha', 'alpha', 'Gamma'])
      await api.call('POST', '/v1/venues', { key: as, body: { ...VENUE, name } });
    const named = async (sort: string) =>
      dataOf(await api.call('GET', `/v1/venues?sort=${sort}`, { key: as })).map(record => record['name']);
    expect([await named('name'), await named('-name'), await named('created_at')]).toEqual([
      ['Alpha', 'alpha', 'beta', 'Gamma'],
      ['Gamma', 'beta', 'alpha', 'Alpha'],
      ['beta', 'Alpha', 'alpha', 'Gamma'],
    ]);
    const budgets = dataOf(await api.call('GET', '/v1/campaigns?sort=budget&limit=100', { key })).map(record =>
      Number(record['budget']!['amount']),
    );
    const starts = dataOf(await api.call('GET', '/v1/campaigns?sort=-starts&limit=100', { key })).map(record =>
      String(record['starts']),
    );
    expect([budgets, starts]).toEqual([[...budgets].sort((a, b) => a - b), [...starts].sort().reverse()]);
    expect(new Set(budgets).size).toBeGreaterThan(1);
  });

  test('is carried by the cursor, which is refused by name with another', async () => {
    const first = await api.call('GET', '/v1/venues?sort=name&limit=1', { key: venueKey });
    const cursor = String(first.body['next_cursor']);
    const second = await api.call('GET', `/v1/venues?cursor=${cursor}&limit=1`, { key: venueKey });
    expect(second.body['data']).toEqual(
      (await api.call('GET', `/v1/venues?cursor=${cursor}&sort=name&limit=1`, { key: venueKey })).body['data'],
    );
    for (const other of ['-name', 'created_at', '-created_at']) {
      expect(await api.call('GET', `/v1/venues?cursor=${cursor}&sort=${other}`, { key: venueKey })).toMatchObject({
        status: 400,
        body: { code: 'bad_cursor', detail: expect.stringContaining('sort=name') },
      });
    }
    expect((await api.call('GET', '/v1/venues?sort=daily_visitors', { key: venueKey })).status).toBe(400);
  });

  test.each([
    'venues sort=name 1',
    'venues sort=name 0 x',
    'venues sort=name x',
    'venues sort=name 1 a\0b',
    'venues sort=constructor 1',
    'venues sort=__proto__ 1 x',
    'venues sort=price 1 x',
    'playlists 1',
    'venues',
    'campaigns sort=budget 1 much',
    'campaigns sort=starts 1 2026-02-30',
    'campaigns sort=starts 1 0000-01-01',
  ])('refuses the forged cursor %j', async text => {
    const [list, ...position] = text.split(' ') as [string, ...string[]];
    const [path, as] = list === 'campaigns' ? ['/v1/campaigns', key] : ['/v1/venues', venueKey];
    const sealed = api.sealer.sealEqually(position.join(' '), cursorPurpose(list));
    for (const cursor of [sealed, Buffer.from(text)])
      expect(await api.call('GET', `${path}?cursor=${cursor.toString('base64url')}`, { key: as })).toMatchObject({
        status: 400,
        body: { code: 'bad_cursor' },
      });
  });

  test('hides how many records the installation has, and is the same for the same page', async () => {
    const read = async () => {
      const { body } = await api.call('GET', '/v1/venues?limit=1', { key: venueKey });
      return { id: String(dataOf({ body })[0]!['id']), cursor: String(body['next_cursor']) };
    };
    const { id, cursor } = await read();
    const bytes = Buffer.from(cursor, 'base64url');
    expect(bytes.toString('latin1')).not.toContain(`${parseId('venue', id)!}`);
    expect(api.sealer.open(bytes, cursorPurpose('venues'))).toBe(`${parseId('venue', id)!}`);
    expect((await read()).cursor).toBe(cursor);
  });

  test('holds a name as long as names may be', async () => {
    const as = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    for (const letter of ['𝕒', '𝕓'])
      await api.call('POST', '/v1/venues', { key: as, body: { ...VENUE, name: letter.repeat(200) } });
    const first = await api.call('GET', '/v1/venues?sort=name&limit=1', { key: as });
    expect(
      dataOf(await api.call('GET', `/v1/venues?limit=1&cursor=${first.body['next_cursor']}`, { key: as })),
    ).toHaveLength(1);
  });
});

describe('pick-lists', () => {
  test.each(['ads_manager', 'screen_manager'])('are read with a key of %s', async surface => {
    const as = surface === 'ads_manager' ? key : venueKey;
    const of = async (path: string) => dataOf(await api.call('GET', path, { key: as }));
    expect(await of('/v1/categories')).toContainEqual({
      id: '1002',
      slug: 'alcohol',
      name: expect.any(String),
      policy: 'restricted',
      reason: expect.any(String),
    });
    expect(await of('/v1/venue-types')).toContainEqual({ name: 'entertainment.bars', parent: 'entertainment' });
    expect((await of('/v1/cities')).length).toBeGreaterThanOrEqual(0);
  });

  test('answer 200 whatever the headers, and a query that they do not take with 400', async () => {
    for (const path of ['/v1/categories', '/v1/venue-types', '/v1/cities']) {
      for (const [name, value] of [
        ['accept', 'text/html'],
        ['content-type', 'application/json'],
        ['accept-language', 'xx'],
      ] as const)
        expect([path, (await api.call('GET', path, { key, headers: { [name]: value } })).status]).toEqual([path, 200]);
      expect(await api.call('GET', `${path}?q=x`, { key })).toMatchObject({
        status: 400,
        body: { code: 'unknown_query_parameter' },
      });
    }
  });

  test('what they name is taken by campaigns and venues', async () => {
    const [categories, types] = [
      dataOf(await api.call('GET', '/v1/categories', { key })),
      dataOf(await api.call('GET', '/v1/venue-types', { key })),
    ];
    for (const category of categories)
      expect((await api.call('GET', `/v1/campaigns?category=${category['slug']}`, { key })).status).toBe(200);
    expect(
      (
        await api.call('POST', '/v1/campaigns', {
          key,
          body: campaignBody(api, [creative], {
            status: 'draft',
            targets: { venue_types: types.slice(0, 200).map(type => type['name']) },
          }),
        })
      ).status,
    ).toBe(201);
  });

  test('/cities counts the screens that are paired, spellings of one city together', async () => {
    for (const city of ['Köln', 'Köln', 'KÖLN']) {
      const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: { ...VENUE, city } })).body['id']!;
      const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
      await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Bar', code } });
    }
    expect(
      dataOf(await api.call('GET', '/v1/cities', { key })).filter(city => /^k.ln$/i.test(String(city['name']))),
    ).toEqual([{ name: 'Köln', venues: 3, screens: 3 }]);
  });
});

test('each PATCH says of its objects and lists that they are replaced as a whole, or merged', () => {
  type Schema = {
    $ref?: string;
    type?: string;
    properties?: Record<string, Schema>;
    anyOf?: Schema[];
    allOf?: Schema[];
  };
  type Patch = { description?: string; requestBody?: { content: Record<string, { schema: Schema }> } };
  const document = documentOf<{
    paths: Record<string, { patch?: Patch }>;
    components: { schemas: Record<string, Schema> };
  }>(api.app);
  const isNested = (schema: Schema): boolean => {
    const {
      type,
      anyOf = [],
      allOf = [],
    } = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!;
    return type === 'object' || type === 'array' || [...anyOf, ...allOf].some(isNested);
  };
  const patches = Object.entries(document.paths).flatMap(([path, { patch }]) =>
    patch ? [[path, patch] as const] : [],
  );
  expect(patches.length).toBeGreaterThan(6);
  for (const [path, { description = '', requestBody }] of patches) {
    const { schema } = requestBody!.content['application/json']!;
    const { properties } =
      schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!;
    const nested = Object.entries(properties!).flatMap(([name, property]) => (isNested(property) ? [name] : []));
    expect([path, nested.filter(name => !description.includes(`\`${name}\``))]).toEqual([path, []]);
    expect([path, nested.length === 0 || description.includes('replaced as a whole')]).toEqual([path, true]);
  }
});

describe('a record that was rejected or archived', () => {
  test('a rejected campaign is corrected and submitted again; its budget is reserved again', async () => {
    const before = await balance();
    const id = await create({ landing_url: undefined });
    await reject(id);
    expect([(await read(id))['status'], await balance()]).toEqual(['rejected', before]);
    expect(
      await patch(id, { landing_url: 'https://example.com/better', budget: { amount: 60, currency: 'EUR' } }),
    ).toMatchObject({ status: 200, body: { status: 'rejected', budget: { amount: 60 } } });
    expect(await balance()).toBe(before);
    expect(await patch(id, { status: 'pending_review' })).toMatchObject({
      status: 200,
      body: { status: 'pending_review', rejection: null, review: { waiting_for: 'rules' } },
    });
    expect(await balance()).toBe(before - 60);
    await api.review();
    expect((await read(id))['status']).toBe('live');
    await api.call('DELETE', `/v1/campaigns/${id}`, { key });
    expect(await balance()).toBe(before);
  });

  test('a campaign that was rejected for its category gets another one, and is submitted again', async () => {
    const id = await create({ category: 'tobacco' });
    await api.review();
    expect(await read(id)).toMatchObject({
      status: 'rejected',
      rejection: { code: expect.stringContaining('category') },
    });
    expect(await patch(id, { category: 'nonsense' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/category', code: 'unknown_value' }] },
    });
    expect(await patch(id, { category: 'travel', status: 'pending_review' })).toMatchObject({
      status: 200,
      body: { status: 'pending_review', category: 'travel_and_tourism', rejection: null },
    });
    await api.review();
    expect((await read(id))['status']).toBe('live');
    expect(await patch(id, { category: 'alcohol' })).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await patch(id, { category: 'travel', name: 'Same' })).status).toBe(200);
    expect(
      dataOf(await api.call('GET', `/v1/audit?entity_id=${id}&action=campaign.updated`, { key })).map(
        entry => entry['diff']!['category'],
      ),
    ).toContainEqual({ from: 'tobacco', to: 'travel_and_tourism' });
  });

  test('a campaign whose category changes while it waits is reviewed by the rules of the new one', async () => {
    const id = await create({ category: 'alcohol' });
    await api.review();
    expect((await read(id))['review']).toEqual({ waiting_for: 'operator' });
    expect((await patch(id, { category: '1494' })).body['review']).toEqual({ waiting_for: 'rules' });
    await api.review();
    expect((await read(id))['status']).not.toBe('pending_review');
  });

  test('a campaign that has spent money is not submitted again: its budget would begin again', async () => {
    const id = await create();
    await api.review();
    await api.authority.wantHand(parseId('campaign', id)!, 2_000_000);
    await handBudgets(api.workers);
    await chargePlay(api, parseId('campaign', id)!, 1_000_000);
    await reject(id);
    expect(await patch(id, { status: 'pending_review' })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect((await patch(id, { name: 'Renamed' })).status).toBe(200);
  });

  test('an asset that nothing shows is archived and restored; one that is shown is not, and says where', async () => {
    const made = async (name: string) => {
      const asset = (await api.call('POST', '/v1/assets', { key: venueKey, body: { name, filename: 'a.png' } })).body;
      await upload(api, asset['upload_url']!, PIXEL, 'image/png');
      await api.render();
      return asset['id']!;
    };
    const [shown, photo, idle] = [await made('Poster'), await made('Front'), await made('Old')];
    const items = [{ type: 'image', asset_id: shown, duration_ms: 5_000 }];
    const playlist = (await api.call('POST', '/v1/playlists', { key: venueKey, body: { name: 'Evening', items } }))
      .body['id']!;
    const venue = (
      await api.call('POST', '/v1/venues', {
        key: venueKey,
        body: { ...VENUE, name: 'Pictured', photo_asset_id: photo },
      })
    ).body['id']!;
    const archive = (id: string, as = venueKey) => api.call('DELETE', `/v1/assets/${id}`, { key: as });
    expect(await archive(shown)).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining(`the playlist Evening (${playlist})`) },
    });
    const more = await Promise.all(
      ['A', 'B', 'C', 'D', 'E'].map(name =>
        api.call('POST', '/v1/playlists', { key: venueKey, body: { name, items } }),
      ),
    );
    expect((await archive(shown)).body['detail']).toMatch(/is shown by (the playlist \w+ \(\w+\)(, )?){5} and others/);
    for (const { body } of more) await api.call('DELETE', `/v1/playlists/${body['id']}`, { key: venueKey });
    const shownBy = async (query: string) =>
      dataOf(await api.call('GET', `/v1/playlists?${query}`, { key: venueKey })).map(record => record['id']);
    expect([await shownBy(`asset=${shown}`), await shownBy(`asset=${idle}`)]).toEqual([[playlist], []]);
    expect(await archive(photo)).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining(`the venue Pictured (${venue})`) },
    });
    expect([(await archive(idle, key)).status, (await archive(idle)).status, (await archive(idle)).status]).toEqual([
      404, 204, 204,
    ]);
    const listed = async (query: string) =>
      dataOf(await api.call('GET', `/v1/assets?limit=100${query}`, { key: venueKey })).map(record => record['id']);
    expect([
      (await listed('')).includes(idle),
      await listed('&status=archived'),
      (await listed('&status=ready,archived')).includes(idle),
    ]).toEqual([false, [idle], true]);
    expect((await api.call('GET', `/v1/assets/${idle}`, { key: venueKey })).body).toMatchObject({
      status: 'ready',
      archived_at: expect.stringMatching(/Z$/),
    });
    for (const [path, body, pointer] of [
      ['/v1/playlists', { name: 'New', items: [{ ...items[0], asset_id: idle }] }, '/items/0/asset_id'],
      ['/v1/venues', { ...VENUE, photo_asset_id: idle }, '/photo_asset_id'],
    ] as const) {
      expect(await api.call('POST', path, { key: venueKey, body })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer, code: 'unknown_asset' }] },
      });
    }
    expect(await api.call('POST', `/v1/assets/${idle}/restore`, { key: venueKey })).toMatchObject({
      status: 200,
      body: { id: idle, archived_at: null },
    });
    expect([
      (await api.call('POST', `/v1/assets/${idle}/restore`, { key })).status,
      (await listed('')).includes(idle),
    ]).toEqual([404, true]);
    await api.call('DELETE', `/v1/playlists/${playlist}`, { key: venueKey });
    expect((await archive(shown)).status).toBe(204);
  });

  test('no file is taken for an archived asset, and one that was there waits until it is restored', async () => {
    const asset = (await api.call('POST', '/v1/assets', { key: venueKey, body: { name: 'Late', filename: 'a.png' } }))
      .body;
    await api.call('DELETE', `/v1/assets/${asset['id']}`, { key: venueKey });
    expect((await upload(api, asset['upload_url']!, PIXEL, 'image/png')).status).toBe(404);
    await api.call('POST', `/v1/assets/${asset['id']}/restore`, { key: venueKey });
    expect((await upload(api, asset['upload_url']!, PIXEL, 'image/png')).status).toBe(200);
  });

  describe('a client', () => {
    let agency: string;
    let client: string;
    const as = (method: string, path: string, body?: object) =>
      api.call(method, path, { key: agency, headers: { 'x-workspace-id': client }, ...(body && { body }) });
    const archive = () => api.call('DELETE', `/v1/agency/clients/${client}`, { key: agency });

    beforeAll(async () => {
      agency = await createKey(api, await createWorkspace(api, { kind: 'agency', funds: 1_000 }), {
        surface: 'agency',
      });
      client = (
        await api.call('POST', '/v1/agency/clients', {
          key: agency,
          body: { name: 'Acorn', billing_model: 'pass-through', currency: 'EUR' },
        })
      ).body['id']!;
      await api.call('POST', `/v1/agency/clients/${client}/transfers`, {
        key: agency,
        body: { amount: { amount: 500, currency: 'EUR' }, direction: 'to_client' },
      });
    });

    test('with campaigns that have not ended is not archived, and they are named; nor is one whose wallet holds money', async () => {
      const created = (
        await as('POST', '/v1/creatives', {
          name: 'Spot',
          orientation: 'landscape',
          duration_ms: 10_000,
          filename: 'spot.png',
        })
      ).body;
      await upload(api, created['upload_url']!, PIXEL, 'image/png');
      await api.render();
      const campaign = (await as('POST', '/v1/campaigns', campaignBody(api, [created['id']!], { name: 'Running' })))
        .body['id']!;
      expect(await archive()).toMatchObject({
        status: 409,
        body: { code: 'state_conflict', detail: expect.stringContaining(`Running (${campaign})`) },
      });
      const more = await Promise.all(
        [1, 2, 3, 4, 5].map(number =>
          as(
            'POST',
            '/v1/campaigns',
            campaignBody(api, [created['id']!], { name: `More ${number}`, budget: { amount: 50, currency: 'EUR' } }),
          ),
        ),
      );
      expect((await archive()).body['detail']).toMatch(/ended: (More \d \(\w+\)(, )?){5} and others\./);
      for (const { body } of more) await as('DELETE', `/v1/campaigns/${body['id']}`);
      await as('DELETE', `/v1/campaigns/${campaign}`);
      expect(await archive()).toMatchObject({
        status: 409,
        body: { code: 'state_conflict', detail: expect.stringContaining('500 EUR') },
      });
      await api.call('POST', `/v1/agency/clients/${client}/transfers`, {
        key: agency,
        body: { amount: { amount: 500, currency: 'EUR' }, direction: 'to_agency' },
      });
      const other = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
      expect((await api.call('DELETE', `/v1/agency/clients/${client}`, { key: other })).status).toBe(404);
      expect([(await archive()).status, (await archive()).status]).toEqual([204, 204]);
    });

    test('that is archived is out of the list, is read as before, and changes no more', async () => {
      const listed = async (query = '') =>
        dataOf(await api.call('GET', `/v1/agency/clients${query}`, { key: agency })).map(record => record['id']);
      expect([await listed(), await listed('?status=archived'), await listed('?status=active,archived')]).toEqual([
        [],
        [client],
        [client],
      ]);
      expect(
        dataOf(await api.call('GET', '/v1/agency/clients?status=archived', { key: agency }))[0]!['archived_at'],
      ).toMatch(/Z$/);
      expect([(await as('GET', '/v1/campaigns')).status, (await as('GET', '/v1/invoices')).status]).toEqual([200, 200]);
      const refused = { status: 403, body: { code: 'workspace_archived' } };
      expect(
        await as('POST', '/v1/creatives', { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 }),
      ).toMatchObject(refused);
      expect(
        await api.call('PATCH', `/v1/agency/clients/${client}`, { key: agency, body: { name: 'New' } }),
      ).toMatchObject(refused);
      expect(
        await api.call('POST', `/v1/agency/clients/${client}/transfers`, {
          key: agency,
          body: { amount: { amount: 5, currency: 'EUR' }, direction: 'to_client' },
        }),
      ).toMatchObject(refused);
    });

    test('refuses keys of its own people, too, but for keys and people', async () => {
      const handle = parseId('workspace', client)!;
      const [user] = await api.sql<
        { handle: Handle<'user'> }[]
      >`select handle from users where workspace_handle = ${handle} limit 1`;
      const own = await createKey(api, { handle, user: user!.handle });
      expect((await api.call('GET', '/v1/campaigns', { key: own })).status).toBe(200);
      expect(
        await api.call('POST', '/v1/creatives', {
          key: own,
          body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 },
        }),
      ).toMatchObject({ status: 403, body: { code: 'workspace_archived' } });
      expect((await api.call('POST', '/v1/keys', { key: own, body: { name: 'CI' } })).status).toBe(201);
    });

    test('is restored', async () => {
      expect(await api.call('POST', `/v1/agency/clients/${client}/restore`, { key: agency })).toMatchObject({
        status: 200,
        body: { id: client, archived_at: null },
      });
      expect(
        (await as('POST', '/v1/creatives', { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 })).status,
      ).toBe(201);
      expect(
        dataOf(await api.call('GET', `/v1/audit?entity_id=${client}`, { key: agency }))
          .map(entry => entry['action'])
          .filter(action => /archived|restored/.test(String(action))),
      ).toEqual(['client.restored', 'client.archived']);
    });
  });

  test('a venue without screens is archived, one with screens is not', async () => {
    const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!;
    const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
    const screen = (
      await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Bar', code } })
    ).body['id']!;
    expect(await api.call('DELETE', `/v1/venues/${venue}`, { key: venueKey })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining('1 paired screen') },
    });
    await api.call('DELETE', `/v1/screens/${screen}`, { key: venueKey });
    expect((await api.call('DELETE', `/v1/venues/${venue}`, { key: venueKey })).status).toBe(204);
    expect([
      (await api.call('GET', `/v1/venues/${venue}`, { key: venueKey })).status,
      dataOf(await api.call('GET', '/v1/venues?limit=100', { key: venueKey })).some(record => record['id'] === venue),
    ]).toEqual([404, false]);
    expect((await api.call('DELETE', `/v1/venues/${venue}`, { key: venueKey })).status).toBe(404);
  });
});
