/**
 * Each screen is given the file of its platform, to fetch and to play. A real delivery process on real engines, and one
 * screen of each platform.
 */
import { jsonb } from '#sql/postgres.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { PLATFORMS, type Platform } from '#domain/screens/screen.ts';
import { ScreenClient } from '../../support/screen-client.ts';
import {
  addCampaign,
  addScreen,
  change,
  createWorld,
  type CampaignRow,
  type DeliveryProcess,
  PUBLIC_URL,
  type World,
} from '../delivery-under-test.ts';

let world: World;
let delivery: DeliveryProcess;
let campaign: CampaignRow;
const object = () => ({ object: `${randomBytes(32).toString('hex')}.mp4`, bytes: 1_000 });
const [widest, middle, narrowest] = VIDEO_PROFILES.map(({ name }) => name) as [string, string, string];
const files = { [widest]: object(), [middle]: object(), [narrowest]: object() };

beforeAll(async () => {
  world = await createWorld();
  campaign = await addCampaign(world);
  await setRenditions(files, { kind: 'video', filename: 'a.mov', content_type: 'video/quicktime' });
  delivery = await world.start();
});
afterAll(() => world.close());

async function setRenditions(renditions: object, columns: Record<string, unknown> = {}): Promise<void> {
  await world.sql`update creatives set ${world.sql({ ...columns, renditions: jsonb(world.sql, renditions) })} where handle = ${campaign.creative}`;
  await change(world, 'creative', campaign.creative);
}

type Shown = { url: string; kind: string; labels?: string[]; political?: object };

/** The first grant takes some milliseconds. */
async function firstFill(client: ScreenClient): Promise<Shown> {
  for (let id = 1; ; id += 1) {
    client.send({ t: 'slot', id });
    const [slot] = (await client.next('fill', id))['slots'] as [Shown & { no_fill?: string }];
    if (slot.no_fill === undefined) return slot;
    await new Promise(resolve => {
      setTimeout(resolve, 20);
    });
  }
}

async function ask(platform: Platform): Promise<{ fill: { url: string; kind: string }; prefetched: string[] }> {
  const { token } = await addScreen(world);
  const { client } = await ScreenClient.connect(delivery.url, token, { platform });
  const assets = (await client.next('prefetch'))['assets'] as { url: string; sha256: string; bytes: number }[];
  const slot = await firstFill(client);
  client.close();
  for (const asset of assets)
    expect(asset.url).toBe(`${PUBLIC_URL}/assets/${asset.sha256}.${asset.url.split('.').at(-1)}`);
  return { fill: { url: slot.url, kind: slot.kind }, prefetched: assets.map(({ url }) => url) };
}

test('each platform fetches and plays the file of its profile', async () => {
  const expected: Record<Platform, string> = {
    android_tv: widest,
    google_tv: widest,
    windows: widest,
    tizen: middle,
    webos: middle,
    fire_tv: middle,
    linux: narrowest,
    browser: narrowest,
  };
  for (const platform of PLATFORMS) {
    const url = `${PUBLIC_URL}/assets/${files[expected[platform]]!.object}`;
    expect(await ask(platform)).toEqual({ fill: { url, kind: 'video' }, prefetched: [url] });
  }
});

test('a still is the same for all, and a still with a sound plays as a video', async () => {
  const still = { object: `${randomBytes(32).toString('hex')}.jpg`, bytes: 10 };
  await setRenditions({ still_1080p_4m: still }, { kind: 'still', filename: 'a.webp', content_type: 'image/webp' });
  const shown = async (platform: Platform, url: string) => {
    for (;;) {
      const answer = await ask(platform); // the change is on its way to the process
      if (answer.fill.url === url) return answer.fill.kind;
    }
  };
  expect(await shown('tizen', `${PUBLIC_URL}/assets/${still.object}`)).toBe('still');
  expect(await shown('browser', `${PUBLIC_URL}/assets/${still.object}`)).toBe('still');
  await setRenditions(files);
  expect(await shown('browser', `${PUBLIC_URL}/assets/${files[narrowest]!.object}`)).toBe('video');
});

test('a creative made by AI plays with its label once declared, and without it before', async () => {
  const { token } = await addScreen(world);
  const { client } = await ScreenClient.connect(delivery.url, token, { platform: 'browser' });
  expect(await firstFill(client)).not.toHaveProperty('labels');
  await world.sql`update creatives set synthetic = true where handle = ${campaign.creative}`;
  await change(world, 'creative', campaign.creative);
  await expect.poll(async () => (await firstFill(client)).labels, { timeout: 10_000 }).toEqual(['synthetic']);
  client.close();
});

test('an ad plays with its sponsor once its campaign is political, and with a corrected sponsor afterwards', async () => {
  const { token } = await addScreen(world);
  const { client } = await ScreenClient.connect(delivery.url, token, { platform: 'browser' });
  expect(await firstFill(client)).not.toHaveProperty('political');
  const declare = async (political: object | null) => {
    await world.sql`update campaigns set political = ${political && jsonb(world.sql, political)}
      where handle = ${campaign.handle}`;
    await change(world, 'campaign', campaign.handle);
  };
  const shown = () => expect.poll(async () => (await firstFill(client)).political, { timeout: 10_000 });
  const [email, process] = ['office@example.org', 'Example election'];
  await declare({ sponsor: { name: 'Example Party', email }, process });
  await shown().toEqual({ sponsor: 'Example Party', process });
  expect((await firstFill(client)).labels).toContain('political');
  await declare({ sponsor: { name: 'Example Union', email }, process });
  await shown().toEqual({ sponsor: 'Example Union', process });
  await declare({ sponsor: { name: 'Example Union', email } });
  await shown().toEqual({ sponsor: 'Example Union' });
  client.close();
});
