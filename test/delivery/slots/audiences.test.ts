/**
 * Audiences from a file to the plays of a screen: a real delivery process on real engines, and the operator's command.
 * A play carries the number of the audience that it was counted with.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { HOUR_COLUMNS } from '#domain/audience/audience-file.ts';
import { decodePlayId, parseSigningKeys, type PlayFacts } from '#domain/plays/play.ts';
import { hourOfWeekAt, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import { impressionsThousandths } from '#domain/screens/venue.ts';
import { beginAudiences, listAudiences } from '#sql/audience/audiences.ts';
import { selectPlaces } from '#sql/plan/network-rows.ts';
import { readNetwork } from '#sql/plan/forecast-network.ts';
import { importAudiences } from '../../../cli/admin/supply/audiences.ts';
import { ScreenClient } from '../../support/screen-client.ts';
import { addCampaign, addScreen, createWorld, SIGNING_KEYS, type World } from '../delivery-under-test.ts';

const HEADER = ['screen', 'vendor', 'method', 'version', 'valid_from', ...HOUR_COLUMNS].join(',');
const KEYS = parseSigningKeys(SIGNING_KEYS);
/** Delivery reads a change within a second; a busy machine takes longer. */
const MS_MAX = 10_000;

let world: World;
let zone: string;

beforeAll(async () => {
  world = await createWorld();
  const [venue] = await world.sql<{ timezone: string }[]>`select timezone from venues where handle = ${world.venue}`;
  zone = venue!.timezone;
});
afterAll(() => world.close());

/** Before the screen are `base` people on Monday at midnight, and one more in each hour of the week. */
function lineOf(screen: string, version: string, { base, validFrom }: { base: number; validFrom: Date }): string {
  const people = HOUR_COLUMNS.map((_, hour) => base + hour);
  return [screen, 'Example Metrics', 'panel', version, validFrom.toISOString(), ...people].join(',');
}

const load = (...lines: string[]) => importAudiences(world.sql, new Date(), [HEADER, ...lines].join('\n'));
const expected = ({ startsAt, durationMs }: PlayFacts, base: number) =>
  impressionsThousandths(base + hourOfWeekAt(zoneOffsetMinutes(zone, startsAt), startsAt), durationMs);

test('a play counts the people of its hour, and has the number of the audience', async () => {
  await addCampaign(world);
  const { id, token, handle } = await addScreen(world);
  const other = await addScreen(world);
  const delivery = await world.start();
  const { client } = await ScreenClient.connect(delivery.url, token);
  const next = createPlays(client);
  const own = await next(0);
  // One audience is in force, one is still to come.
  const validFrom = new Date(Date.now() - 1_000);
  expect(await load(lineOf(id, '1', { base: 100, validFrom }))).toEqual({ screens: 1, begun: 1 });
  const later = new Date(Date.now() + 3_600_000);
  expect(await load(lineOf(id, '2', { base: 5_000, validFrom: later }))).toEqual({ screens: 1, begun: 0 });
  const first = await next(1);
  expect(first.impressionsEst).toBe(expected(first, 100));
  expect(first.impressionsMax).toBe(first.impressionsEst);
  expect(first.impressionsEst).not.toBe(own.impressionsEst);
  await inUnitOfWork(world.sql, { actor: SYSTEM_ACTOR, now: later }, async unit => {
    expect(await beginAudiences(unit, 10)).toBe(1);
  });
  const second = await next(2);
  expect(second.impressionsEst).toBe(expected(second, 5_000));
  client.close();
  // A screen of the same venue without an audience counts the venue's own figures.
  const { client: beside } = await ScreenClient.connect(delivery.url, other.token);
  expect(await createPlays(beside)(0)).toMatchObject({ impressionsEst: own.impressionsEst });
  beside.close();
  // A process that starts anew knows the audience, too.
  await delivery.stop();
  const again = await world.start();
  const { client: back } = await ScreenClient.connect(again.url, token);
  expect(await createPlays(back)(2)).toMatchObject({ screen: handle });
  back.close();
}, 60_000);

test('a file with one wrong line imports nothing and names the line and the field', async () => {
  const { id } = await addScreen(world);
  const right = lineOf(id, '1', { base: 1, validFrom: new Date(Date.now() - 1_000) });
  const unknown = lineOf('scr_zzzzzzzzzzzzz', '1', { base: 1, validFrom: new Date() });
  const before = await listAudiences(world.sql, 100);
  await expect(load(right, unknown)).rejects.toThrow('Nothing was imported.\nline 3, screen: ');
  expect(await listAudiences(world.sql, 100)).toEqual(before);
});

test('an audience used by plays cannot be replaced, and a future one can', async () => {
  const { id } = await addScreen(world);
  const validFrom = new Date(Date.now() - 1_000);
  const begun = lineOf(id, '1', { base: 1, validFrom });
  await load(begun);
  expect(await load(begun)).toEqual({ screens: 1, begun: 0 });
  await expect(load(lineOf(id, '1', { base: 2, validFrom }))).rejects.toThrow('line 2, valid_from: plays count');
  const later = new Date(Date.now() + 86_400_000);
  await load(lineOf(id, '2', { base: 3, validFrom: later }));
  await load(lineOf(id, '3', { base: 4, validFrom: later }));
  const mine = (await listAudiences(world.sql, 100)).filter(({ valid_from: from }) => +from === +later);
  expect(mine).toMatchObject([{ version: '3', screens: 1, begun: 0 }]);
});

test('plan and forecast read the current audience, and not the next one', async () => {
  const { id } = await addScreen(world, { orientation: 'portrait', ad_ratio: 0.5 });
  await load(lineOf(id, '1', { base: 10, validFrom: new Date(Date.now() - 1_000) }));
  await load(lineOf(id, '2', { base: 500, validFrom: new Date(Date.now() + 86_400_000) }));
  const audiences = [[0.5, HOUR_COLUMNS.map((_, hour) => (10 + hour) * 1_000)]];
  const planned = (await selectPlaces(world.sql)).filter(({ orientation }) => orientation === 'portrait');
  expect(planned).toMatchObject([{ ad_share: 0.5, audiences }]);
  const { texts } = await readNetwork(world.sql, Date.now());
  const places = JSON.parse(texts.places) as { orientation: string; audiences: unknown }[];
  expect(places.filter(({ orientation }) => orientation === 'portrait')).toMatchObject([{ audiences }]);
});

/** Asks for slots until a play carries the number of an audience. */
function createPlays(client: ScreenClient): (audience: number) => Promise<PlayFacts> {
  let id = 0;
  return async audience => {
    let facts: PlayFacts | undefined;
    const askForSlot = async () => {
      id += 1;
      client.send({ t: 'slot', id });
      const [slot] = (await client.next('fill', id))['slots'] as [{ play_id?: string }];
      facts = slot.play_id === undefined ? undefined : decodePlayId(slot.play_id, KEYS);
      return facts?.audience;
    };
    await expect.poll(askForSlot, { interval: 20, timeout: MS_MAX }).toBe(audience);
    return facts!;
  };
}
