/** What delivery loads: the network of one instance, read as a whole by copies and again row by row. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Handle } from '#domain/id.ts';
import { createLog } from '#runtime/log.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { CampaignFacts } from '../../../delivery/decision/facts.ts';
import { CopiedRows, copyRows } from '../../../delivery/snapshot/copied-rows.ts';
import { createLoader, type Loader } from '../../../delivery/snapshot/loader.ts';
import { addCampaign, addModule, addScreen, createWorld, PUBLIC_URL, type World } from '../delivery-under-test.ts';

const HOURS = { mon: [{ start: '22:00', end: '02:00' }], sun: [] };

const SILENT = createLog('delivery', 'error');

let world: World;
let loader: Loader;

beforeAll(async () => {
  world = await createWorld();
  loader = createLoader({ sql: world.sql, publicUrl: PUBLIC_URL, log: SILENT });
});
afterAll(() => world.close());

async function addVenue(fields: Record<string, unknown>): Promise<Handle<'venue'>> {
  const [row] = await world.sql<{ handle: Handle<'venue'> }[]>`insert into venues ${world.sql({
    workspace_handle: world.workspace,
    name: 'v',
    type: 'retail.malls',
    city: 'Köln',
    lat: -33.85,
    lng: 151.2,
    timezone: 'Australia/Sydney',
    daily_visitors: 10,
    dwell_minutes: 12.5,
    created_at: new Date(),
    ...fields,
  })} returning handle`;
  return row!.handle;
}

/** The start of a fill of each file is encoded when it is first asked for, so the test asks for it. */
const spelled = (campaigns: readonly CampaignFacts[]): unknown =>
  campaigns.map(({ creatives, ...campaign }) => ({
    ...campaign,
    creatives: creatives.map(({ files, ...creative }) => ({
      ...creative,
      files: files.map(({ parts, asset }) => ({ json: Buffer.from(parts.json).toString(), asset })),
    })),
  }));

describe('all data loaded at a start', () => {
  test('equals the same rows read one by one', async () => {
    const venues = [
      world.venue,
      await addVenue({ opening_hours: world.sql.json(HOURS), blocked_categories: ['alcohol', 'gambling'] }),
      await addVenue({ opening_hours: world.sql.json(HOURS), audience_max: 7.5, coordinates_shown: 'hidden' }),
    ];
    await world.sql`insert into venue_menus (venue_handle, menu, updated_at, page_name) values (${venues[2]!}, '{}', now(), ${'ab'.repeat(16)})`;
    const screens = [
      await addScreen(world, { venue_handle: venues[1], orientation: 'portrait', blocked_categories: ['politics'] }),
      await addScreen(world, { token_hash: null, ad_ratio: 0.25 }),
      await addScreen(world, { sandbox: true }),
    ];
    await addModule(world, screens[2]!);
    const campaigns = [
      await addCampaign(world, { frequency_per_hour_max: 3 }),
      await addCampaign(world, {
        status: 'paused',
        targets: world.sql.json({ cities: ['Köln', 'New York'], venue_types: ['retail'], areas: [], days: ['mon'] }),
      }),
    ];
    const all = await loader.loadAll();
    const few = {
      venues: await loader.loadVenues(venues),
      screens: await loader.loadScreens(screens.map(screen => screen.handle)),
      campaigns: await loader.loadCampaigns(campaigns.map(campaign => campaign.handle)),
    };
    const inOrder = <Row extends { handle: number }>(rows: readonly Row[]) =>
      rows.toSorted((one, other) => one.handle - other.handle);
    expect(inOrder(all.venues)).toEqual(inOrder(few.venues));
    expect(inOrder(all.screens)).toEqual(inOrder(few.screens));
    expect(spelled(all.campaigns)).toEqual(spelled(few.campaigns));
    expect([all.venues.length, all.screens.length, all.campaigns.length]).toEqual([3, 3, 2]);
    expect(all.screens.map(screen => screen.sensorKey === undefined)).toEqual([true, true, false]);
    expect(inOrder(all.venues).map(venue => [venue.hours !== undefined, venue.blockedCategories.length])).toEqual([
      [false, 0],
      [true, 2],
      [true, 0],
    ]);
    expect(inOrder(all.venues).map(({ lat, lng }) => [lat, lng])).toEqual([
      [52.5, 13.4],
      [-33.9, 151.2], // the city's, rounded
      [null, null],
    ]);
    expect(JSON.stringify(spelled(all.campaigns))).toContain(`${PUBLIC_URL}/assets/`);
  });

  test('shares the data that many venues have in common', async () => {
    const { venues } = await loader.loadAll();
    const [one, other] = venues.filter(venue => venue.hours !== undefined);
    expect(one!.hours).toBe(other!.hours);
  });

  test('is from one moment, over any number of connections', async () => {
    let begun = 0;
    // A venue is added when the first transaction has its snapshot, and each of the others is about to begin.
    const begin = async (...given: Parameters<Postgres['begin']>): Promise<unknown> => {
      if (++begun > 1) await addVenue({ name: 'late' });
      return world.sql.begin(...given);
    };
    const sql = new Proxy(world.sql, {
      get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)) as unknown,
    });
    const before = (await loader.loadAll()).venues;
    const { venues } = await createLoader({ sql, publicUrl: PUBLIC_URL, log: SILENT }).loadAll();
    expect(begun).toBe(3);
    expect(venues.map(({ handle }) => handle).toSorted()).toEqual(before.map(({ handle }) => handle).toSorted());
    expect((await loader.loadAll()).venues).toHaveLength(venues.length + 2);
  });
});

const ROWS = 50;
type Row = { big: number; small: number; part: number; even: boolean; word: string | null; words: readonly string[] };

describe('a copy', () => {
  const rows = (): Promise<(Row & { made: unknown; bytes: string; nothing: number | null })[]> =>
    copyRows(
      world.sql,
      world.sql`
        select 9007199254740991 - n as big, -n::integer as small, n / 4.0::float8 as part, n % 2 = 0 as even,
          case when n % 3 > 0 then 'ä' || n end as word, array_fill('x,"é'::text, array[n::integer % 4]) as words,
          jsonb_build_object('n', n) as made, '\\x00ff'::bytea as bytes, null::bigint as nothing
        from generate_series(1, ${world.sql.unsafe(String(ROWS))}) as n`,
      row => ({
        big: row.bigint(),
        small: row.integer(),
        part: row.double(),
        even: row.boolean(),
        word: row.textOrNull(),
        words: row.texts(),
        made: row.json(),
        bytes: row.bytesOrNull()!.toString('hex'),
        nothing: row.bigintOrNull(),
      }),
    );

  test('returns every value as Postgres has it', async () => {
    expect(await rows()).toEqual(
      Array.from({ length: ROWS }, (_, index) => index + 1).map(n => ({
        big: Number.MAX_SAFE_INTEGER - n,
        small: -n,
        part: n / 4,
        even: n % 2 === 0,
        word: n % 3 > 0 ? `ä${n}` : null,
        words: Array.from({ length: n % 4 }, () => 'x,"é'),
        made: { n },
        bytes: '00ff',
        nothing: null,
      })),
    );
  });

  test('reads rows whose bytes are split anywhere', async () => {
    const answer: Buffer[] = [];
    const stream =
      await world.sql`copy (select n, n::text as word from generate_series(1::bigint, 20) as n) to stdout (format binary)`.readable();
    for await (const chunk of stream) answer.push(chunk as Buffer);
    const bytes = Buffer.concat(answer);
    for (let length = 1; length <= bytes.length; length++) {
      const read: unknown[] = [];
      const copied = new CopiedRows(row => read.push([row.bigint(), row.text()]));
      for (let from = 0; from < bytes.length; from += length) copied.take(bytes.subarray(from, from + length));
      expect(read).toEqual(Array.from({ length: 20 }, (_, index) => [index + 1, String(index + 1)]));
    }
  });

  test('ends if its last bytes are cut anywhere', async () => {
    // The system hands on 64 KiB at once, so that the end of some of these comes after their row.
    for (let bytes = 65_300; bytes < 65_600; bytes += 3) {
      const text = world.sql`select repeat('x', ${world.sql.unsafe(String(bytes))}) as text`;
      const rows = await world.sql.begin(db => copyRows(db, text, row => row.text().length));
      expect(rows).toEqual([bytes]);
    }
  });

  test('with a wrong type is a bug, and leaves the connection usable', async () => {
    await world.sql.begin(async db => {
      const numbers = db`select n::integer as n from generate_series(1, 100000) as n`;
      await expect(copyRows(db, numbers, row => row.bigint())).rejects.toThrow('the length of its type');
      expect(await db`select 1 as one`).toEqual([{ one: 1 }]);
    });
  });
});
