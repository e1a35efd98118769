/**
 * Places and rules from a file to a screen: a real delivery process on real engines, and the operator's commands. The
 * restrictions that Postgres makes are compared with the domain's own distances.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { distanceKm } from '#domain/geography.ts';
import { importPlaces, importRules, removeOne } from '../../../cli/admin/supply/place-rules.ts';
import { ScreenClient } from '../../support/screen-client.ts';
import { addCampaign, addScreen, createWorld, type World } from '../delivery-under-test.ts';

const PLACES = 'id,kind,latitude,longitude,name';
const RULES = 'name,category,kind,distance_m,jurisdiction,from,to,days,source';
/** Delivery reads a change within a second. */
const SLOTS_MAX = 500;

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const places = (file: string) => importPlaces(world.sql, new Date(), file);
const rules = (file: string) => importRules(world.sql, new Date(), file);

test('a campaign stops at a screen near a school when the rule is added, and plays again when it is removed', async () => {
  const { id } = await addCampaign(world, { category: 'alcohol' });
  const { token } = await addScreen(world);
  const delivery = await world.start();
  const { client } = await ScreenClient.connect(delivery.url, token);
  const nextAnswer = createSlots(client);
  await nextAnswer(id);
  expect(await places(`${PLACES}\ns1,school,52.5009,13.4,Example school`)).toEqual({ places: 1, venues_changed: 0 });
  // 100 m away: a rule of 50 m does not reach it.
  expect(await rules(`${RULES}\nNear,alcohol,school,50,,,,,Example Act`)).toEqual({ rules: 1, venues_changed: 0 });
  expect(await rules(`${RULES}\nFar,alcohol,school,200,DE,,,,Example Act`)).toEqual({ rules: 1, venues_changed: 1 });
  // A screen drops what it holds of the category.
  expect(await client.next('withdraw')).toEqual({ t: 'withdraw', campaign_id: id });
  await nextAnswer('restricted');
  expect(await removeOne(world.sql, new Date(), 'Far')).toEqual({ removed: 'Far', venues_changed: 1 });
  await nextAnswer(id);
  // All hours of all days, as a rule of hours.
  await rules(`${RULES}\nDay,alcohol,,,DE,00:00,12:00,,Example Act\nNight,alcohol,,,DE,12:00,24:00,,Example Act`);
  await nextAnswer('restricted');
  await removeOne(world.sql, new Date(), 'Day');
  await removeOne(world.sql, new Date(), 'Night');
  await nextAnswer(id);
  client.close();
}, 60_000);

test('a file with one wrong line imports nothing and names the line and the field', async () => {
  const before = await world.sql`select id from sensitive_places order by id`;
  await expect(places(`${PLACES}\nn1,school,52.5,13.4,A\nn2,school,52.5,413.4,B`)).rejects.toThrow(
    'Nothing was imported.\nline 3, longitude: must be a number from -180 to 180',
  );
  await expect(rules(`${RULES}\nNew,alcohol,school,200,,,,,Act\nBad,wine,school,200,,,,,Act`)).rejects.toThrow(
    'line 3, category: must be a category, such as alcohol',
  );
  expect(await world.sql`select id from sensitive_places order by id`).toEqual(before);
  expect(await world.sql`select from place_rules where name in ('New', 'Bad')`).toHaveLength(0);
});

test('a venue is restricted by exactly the rules that have a place of their kind within their distance', async () => {
  const [first] = await world.sql<{ lat: number; lng: number }[]>`
    select lat, lng from venues where handle = ${world.venue}`;
  const near = (around: number) => fc.double({ min: around - 0.01, max: around + 0.01, noNaN: true });
  const place = fc.record({ kind: fc.constantFrom('school', 'park'), lat: near(first!.lat), lng: near(first!.lng) });
  const rule = fc.record({ kind: fc.constantFrom('school', 'park'), distanceM: fc.integer({ min: 1, max: 2_000 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(place, { maxLength: 6 }),
      fc.array(rule, { minLength: 1, maxLength: 6 }),
      async (some, others) => {
        await world.sql`delete from sensitive_places`;
        await world.sql`delete from place_rules`;
        await places([PLACES, ...some.map(({ kind, lat, lng }, at) => `p${at},${kind},${lat},${lng},`)].join('\n'));
        await rules(
          [RULES, ...others.map(({ kind, distanceM }, at) => `r${at},alcohol,${kind},${distanceM},,,,,Act`)].join('\n'),
        );
        const rows = await world.sql<{ rules: string[] }[]>`
          select jsonb_path_query_array(restrictions, '$[*].rule') as rules from venue_restrictions()
          where venue_handle = ${world.venue}`;
        const expected = others.flatMap(({ kind, distanceM }, at) =>
          some.some(one => one.kind === kind && distanceKm(one, first!) * 1_000 <= distanceM) ? [`r${at}`] : [],
        );
        expect(rows[0]?.rules ?? []).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
  await world.sql`delete from place_rules`;
}, 60_000);

/** Asks for slots until the answer is the reason or the campaign that is wanted. */
function createSlots(client: ScreenClient): (wanted: string) => Promise<void> {
  let id = 0;
  return async wanted => {
    let answer = '';
    for (let tries = 0; tries < SLOTS_MAX && answer !== wanted; tries++) {
      id += 1;
      client.send({ t: 'slot', id });
      const [slot] = (await client.next('fill', id))['slots'] as [{ no_fill?: string; campaign_id?: string }];
      answer = slot.no_fill ?? slot.campaign_id ?? '';
      if (answer !== wanted)
        await new Promise(resolve => {
          setTimeout(resolve, 20);
        });
    }
    expect(answer).toBe(wanted);
  };
}
