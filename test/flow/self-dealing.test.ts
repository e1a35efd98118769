/**
 * A venue that is its own best customer: it says what it likes of itself and its screens, over the API and the socket,
 * on real engines and processes. What a play costs, and what the venue earns of it, stays within what is plausible.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, type Handle } from '#domain/id.ts';
import { costMicros } from '#domain/money/money.ts';
import { decodePlayId, type PlayFacts, parseSigningKeys, type SigningKeys } from '#domain/plays/play.ts';
import type { Postgres } from '#sql/postgres.ts';
import { enrolSensor, revokeSensor } from '../../cli/admin/supply/sensors.ts';
import { pairModule, SensingModule } from '../../cli/sensing-module.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
  type PairedScreen,
} from '../support/network.ts';
import { type Fill, ScreenClient } from '../support/screen-client.ts';

const RATE_MICROS = 5_100; // a bar
const SLOT_SHARE = 6 / 15; // stills of six seconds
const CLAIM = { daily_visitors: 100_000, dwell_minutes: 1_440 };
/** 120 visitors of 45 minutes, always open: what a small bar has in the mean. */
const SMALL_BAR_PEOPLE = (120 * 45) / 1440;

let instance: TestInstance;
let sql: Postgres;
let network: Network;
let keys: SigningKeys;
let messages = 0;

beforeAll(async () => {
  instance = await startTestInstance();
  ({ sql } = instance);
  network = await createSmallNetwork(sql, instance.apiUrl);
  keys = parseSigningKeys(instance.secrets.signingKeys);
  await createCampaign(network.brand, { creatives: [await createReadyCreative(network.brand)] });
});

afterAll(async () => {
  await instance.remove();
});

const BAR = {
  name: 'Our own bar',
  type: 'entertainment.bars',
  city: 'Berlin',
  lat: 52.5,
  lng: 13.3,
  timezone: 'Europe/Berlin',
  daily_visitors: 400,
  dwell_minutes: 45,
};
const createVenue = async (changes: object = {}) =>
  (await network.venue.post<{ id: string }>('/v1/venues', { ...BAR, ...changes })).id;
const pairAt = (venueId: string) => pairScreen({ ...network, venueId }, instance.apiUrl);
const factsOf = (fill: Fill): PlayFacts => decodePlayId(fill.play_id, keys)!;
const thousandthsOf = (people: number) => Math.max(1, Math.round(people * SLOT_SHARE * 1_000));

type Earned = { tier: string; plays: number; gross: number; earned: number };
const earnedAt = async (venueId: string) => sql<Earned[]>`
  select tier, plays::int as plays, gross_micros as gross, earned_micros as earned from venue_earnings where venue_handle = ${parseId('venue', venueId)!} order by tier`;
/** Once so many plays at the venue are settled. */
const settledAt = (venueId: string, plays: number) =>
  eventually(async () => {
    const rows = await earnedAt(venueId);
    return rows.reduce((sum, row) => sum + row.plays, 0) >= plays ? rows : undefined;
  }, 30_000);

const connect = async (screen: PairedScreen) => (await ScreenClient.connect(instance.deliveryUrl, screen.token)).client;
/** Makes a change of which delivery tells the screen, and waits until it has. */
async function tell(client: ScreenClient, change: () => Promise<unknown>, setting: string): Promise<void> {
  await change();
  while (!(setting in (await client.next('config'))));
}

async function report(
  client: ScreenClient,
  fill: Fill,
  fields: object,
  { module, tamper = 0 }: { module?: SensingModule; tamper?: number } = {},
) {
  const id = ++messages;
  const play = { play_id: fill.play_id, started_at: fill.starts_at, played_ms: fill.duration_ms, ...fields } as {
    play_id: string;
    audience?: number;
  };
  const attestation = module && { attestation: module.attest([play]) };
  const sent = play.audience === undefined ? play : { ...play, audience: play.audience + tamper };
  client.send({ t: 'plays', id, plays: [sent], ...attestation });
  return client.next('ack', id);
}

async function enrol(): Promise<SensingModule> {
  const [owner] = await sql<
    { workspace: Handle<'workspace'> }[]
  >`select workspace_handle as workspace from venues where handle = ${parseId('venue', network.venueId)!}`;
  const module = new SensingModule(`MQ-${++messages}`);
  await enrolSensor(sql, new Date(), { workspace: owner!.workspace, ...module });
  return module;
}

describe('a venue that pays itself', () => {
  test('with a stadium of visitors, a declared sensor and a million people in one play earns what a small bar earns', async () => {
    const venue = await createVenue(CLAIM);
    const screen = await pairAt(venue);
    await expect(network.venue.patch(`/v1/screens/${screen.id}`, { sensor_paired: true })).rejects.toThrow(
      'sensor_not_paired',
    );
    const client = await connect(screen);
    const fill = await client.fill();
    expect(factsOf(fill)).toMatchObject({
      sensor: false,
      impressionsEst: thousandthsOf(SMALL_BAR_PEOPLE),
      impressionsMax: thousandthsOf(SMALL_BAR_PEOPLE),
    });
    expect(await report(client, fill, { audience: 1_000_000 })).toMatchObject({ refused: [], unattested: 1 });
    const gross = costMicros(RATE_MICROS, thousandthsOf(SMALL_BAR_PEOPLE));
    expect(await settledAt(venue, 1)).toEqual([{ tier: 'minimum', plays: 1, gross, earned: Math.floor(gross * 0.1) }]);
    client.close();
  }, 90_000);

  test('gains nothing by raising its figures once it has earned, nor by a dearer type or another city', async () => {
    const venue = await createVenue({ lat: 52.55 });
    const screen = await pairAt(venue);
    const client = await connect(screen);
    const first = await client.fill();
    await report(client, first, {});
    await settledAt(venue, 1);
    for (const change of [
      CLAIM,
      { type: 'education.schools' },
      { city: 'Munich', lat: 48.1, lng: 11.6 },
      { daily_visitors: 1_500, dwell_minutes: 60 },
    ]) {
      expect(await network.venue.patch(`/v1/venues/${venue}`, change)).toMatchObject({
        type: BAR.type,
        city: BAR.city,
        daily_visitors: 400,
        figures: { review: { status: 'pending' } },
      });
    }
    // delivery has read all before it, too
    await tell(client, () => network.venue.patch(`/v1/screens/${screen.id}`, { ad_ratio: 0.99 }), 'ad_ratio');
    expect(factsOf(await client.fill())).toMatchObject({
      rateMicros: RATE_MICROS,
      impressionsEst: factsOf(first).impressionsEst,
    });
    client.close();
  }, 90_000);

  test('counts a full room and no more in the minute for which it says that it is open', async () => {
    const minute = (offset: number) => new Date(Date.now() + offset * 60_000).toISOString().slice(11, 16);
    const now = { start: minute(-2), end: minute(3) };
    const venue = await createVenue({
      timezone: 'UTC',
      opening_hours: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, [now]])),
    });
    const client = await connect(await pairAt(venue));
    expect(factsOf(await client.fill())).toMatchObject({ impressionsMax: thousandthsOf(100) });
    client.close();
  }, 60_000);

  test('earns with a screen that it moves to its richest venue and back what that venue holds, while it stands there', async () => {
    const [bar, mall] = [
      await createVenue({ lat: 52.6 }),
      await createVenue({ type: 'retail.malls', lat: 52.61, daily_visitors: 60_000, dwell_minutes: 240 }),
    ];
    const screen = await pairAt(bar);
    const client = await connect(screen);
    const here = await client.fill();
    await tell(client, () => network.venue.patch(`/v1/screens/${screen.id}`, { venue_id: mall }), 'venue_id');
    const there = await client.fill();
    await tell(client, () => network.venue.patch(`/v1/screens/${screen.id}`, { venue_id: bar }), 'venue_id');
    for (const fill of [here, there, await client.fill()])
      expect(await report(client, fill, {})).toMatchObject({ refused: [] });
    expect(factsOf(there)).toMatchObject({ rateMicros: 4_300, impressionsMax: thousandthsOf(100) });
    expect(await settledAt(bar, 2)).toMatchObject([
      { plays: 2, gross: 2 * costMicros(RATE_MICROS, factsOf(here).impressionsEst) },
    ]);
    expect(await settledAt(mall, 1)).toMatchObject([{ plays: 1, gross: costMicros(4_300, thousandthsOf(100)) }]);
    client.close();
  }, 90_000);

  test('has the people of its room counted once by twenty screens', async () => {
    const venue = await createVenue({ lat: 52.7 });
    const screens: PairedScreen[] = [];
    for (let number = 0; number < 20; number++) screens.push(await pairAt(venue));
    const client = await connect(screens.at(-1)!); // who is known by now knows of all of them
    expect(factsOf(await client.fill()).impressionsEst).toBe(thousandthsOf((400 * 45) / 1440 / 2));
    client.close();
  }, 90_000);
});

describe('a paired sensing module', () => {
  test('is believed as far as people can have the screen in view, and earns the share of measured audiences', async () => {
    const venue = await createVenue({ lat: 52.8 });
    const screen = await pairAt(venue);
    const module = await enrol();
    const client = await connect(screen);
    await tell(client, () => pairModule(network.venue, screen.id, module), 'sensor');
    const fill = await client.fill();
    const { impressionsEst, impressionsMax } = factsOf(fill);
    expect(impressionsMax).toBe(2 * impressionsEst);
    expect(await report(client, fill, { audience: 1_000_000 }, { module })).toEqual({
      t: 'ack',
      id: messages,
      refused: [],
    });
    const measured = costMicros(RATE_MICROS, impressionsMax);
    expect(await settledAt(venue, 1)).toEqual([
      { tier: 'sensing', plays: 1, gross: measured, earned: Math.floor(measured * 0.5) },
    ]);
    // A play that it did not count is an estimate, and earns as the others of the week do.
    expect(await report(client, await client.fill(), {})).toEqual({ t: 'ack', id: messages, refused: [] });
    const gross = measured + costMicros(RATE_MICROS, impressionsEst);
    expect(await settledAt(venue, 2)).toEqual([{ tier: 'sensing', plays: 2, gross, earned: Math.floor(gross * 0.5) }]);
    expect(await network.venue.get(`/v1/screens/${screen.id}`)).toMatchObject({
      sensor: { serial: module.serial, attested_at: expect.stringMatching(/Z$/) },
    });
    client.close();
  }, 90_000);

  test("is not believed in another one's words, with a number that was changed, without a signature, or once it is revoked", async () => {
    const venue = await createVenue({ lat: 52.9 });
    const [module, stranger] = [await enrol(), await enrol()];
    const screens = await Promise.all([1, 2, 3, 4].map(() => pairAt(venue)));
    let gross = 0;
    for (const [at, how] of [{ module: stranger }, { module, tamper: 90 }, {}, { module }].entries()) {
      const screen = screens[at]!;
      if (at > 0) await network.venue.patch(`/v1/screens/${screens[at - 1]!.id}`, { sensor_paired: false });
      const client = await connect(screen);
      await tell(client, () => pairModule(network.venue, screen.id, module), 'sensor');
      const fill = await client.fill();
      expect(factsOf(fill).sensor).toBe(true);
      if (at === 3) await tell(client, () => revokeSensor(sql, new Date(), module.serial), 'sensor');
      expect(await report(client, fill, { audience: 10 }, how)).toMatchObject({ refused: [], unattested: 1 });
      gross += costMicros(RATE_MICROS, factsOf(fill).impressionsEst);
      client.close();
    }
    const rows = await settledAt(venue, 4);
    expect(rows.map(row => row.tier)).not.toContain('sensing');
    expect(rows.reduce((sum, row) => sum + row.gross, 0)).toBe(gross);
  }, 120_000);
});
