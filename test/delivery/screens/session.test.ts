/**
 * The screen protocol over real sockets, against a real delivery process with real engines: hello, slots, reports,
 * changes, bounds, money, and several processes side by side.
 */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Packr, Unpackr } from 'msgpackr';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatId, parseId } from '#domain/id.ts';
import {
  decodePlayId,
  decodeScanCode,
  encodePlayId,
  parseSigningKeys,
  type PlayFacts,
  reservationMicros,
} from '#domain/plays/play.ts';
import { createPlayQueue } from '#ingest/queue/play-queue.ts';
import { readIssueRecords } from '../../../delivery/money/issue-log.ts';
import { findFreePort } from '../../../engines/processes/free-port.ts';
import { expectWithin } from '../../support/latency.ts';
import { type Message, ScreenClient } from '../../support/screen-client.ts';
import {
  addCampaign,
  addScreen,
  type CampaignRow,
  change,
  createWorld,
  type DeliveryProcess,
  PUBLIC_URL,
  type ScreenRow,
  SIGNING_KEYS,
  type World,
} from '../delivery-under-test.ts';

type Fill = {
  play_id: string;
  campaign_id: string;
  creative_id: string;
  kind: string;
  url: string;
  duration_ms: number;
  scan_url: string;
  starts_at: number;
  expires_at: number;
};

/** Run once more by `test/delivery/sockets/by-ws.test.ts`. */
const IS_WS = process.env['SOCKET_LIBRARY'] === 'ws';
const keys = parseSigningKeys(SIGNING_KEYS);
let world: World;
let delivery: DeliveryProcess;
let screen: ScreenRow;
let campaign: CampaignRow;
let messageId = 0;

beforeAll(async () => {
  world = await createWorld();
  screen = await addScreen(world);
  campaign = await addCampaign(world);
  delivery = await world.start();
});
afterAll(() => world.close());

async function slots(client: ScreenClient, fields: object = {}): Promise<(Fill & { no_fill?: string })[]> {
  const id = ++messageId;
  client.send({ t: 'slot', id, ...fields });
  return (await client.next('fill', id))['slots'] as (Fill & { no_fill?: string })[];
}

/** Asks until the answer is what is waited for; a grant takes some milliseconds, a change as long. */
async function slotUntil(
  client: ScreenClient,
  wanted: (slot: Fill & { no_fill?: string }) => boolean,
  fields: object = {},
): Promise<Fill & { no_fill?: string }> {
  for (;;) {
    const [slot] = await slots(client, fields);
    if (wanted(slot!)) return slot!;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
const isFill = (slot: { no_fill?: string }): boolean => slot.no_fill === undefined;

async function report(client: ScreenClient, plays: object[], fields: object = {}): Promise<Message> {
  const id = ++messageId;
  client.send({ t: 'plays', id, plays, ...fields });
  return client.next('ack', id);
}
const played = (fill: Fill) => ({ play_id: fill.play_id, started_at: fill.starts_at, played_ms: fill.duration_ms });

describe('hello', () => {
  test('is answered with the settings of the screen and the files it may need', async () => {
    const { client, welcome } = await ScreenClient.connect(delivery.url, screen.token);
    expect(welcome).toMatchObject({
      screen_id: screen.id,
      venue_id: formatId('venue', world.venue),
      timezone: 'Europe/Berlin',
      ad_ratio: 1,
      orientation: 'landscape',
      sensor: false,
      playlist: [{ type: 'ad_slot', weight: 1 }],
    });
    expect(Math.abs((welcome['time'] as number) - Date.now())).toBeLessThan(2_000);
    const [asset] = (await client.next('prefetch'))['assets'] as { url: string; sha256: string; bytes: number }[];
    expect(asset).toMatchObject({ bytes: 1234 });
    expect(asset!.url).toBe(`${PUBLIC_URL}/assets/${asset!.sha256}.png`);
    client.close();
  });

  test('gets no list of files if the screen already has it', async () => {
    const first = await ScreenClient.connect(delivery.url, screen.token);
    const { list } = await first.client.next('prefetch');
    first.client.close();
    const holds = await ScreenClient.connect(delivery.url, screen.token, { list });
    await slots(holds.client); // is answered after what follows on the welcome
    expect(holds.client.heard('prefetch')).toBe(0);
    holds.client.close();
    const other = await ScreenClient.connect(delivery.url, screen.token, { list: 'another' });
    expect((await other.client.next('prefetch'))['list']).toBe(list);
    other.client.close();
  });

  test.each([
    ['an unknown token', async () => (await unpairedToken()).unknown, 4002],
    ['what is no token', async () => 'dt_nonsense', 4002],
    ['the token of a screen that was unpaired', async () => (await unpairedToken()).revoked, 4001],
  ])('with %s closes the connection', async (_, tokenOf, code) => {
    const client = await ScreenClient.open(delivery.url);
    client.send({ t: 'hello', token: await tokenOf(), platform: 'linux', player: 'test/1', time: 1 });
    expect(await client.closed()).toBe(code);
  });

  test('with the token of a screen whose pairing has not arrived here yet is welcomed', async () => {
    const added = await addScreen(world);
    const { client, welcome } = await ScreenClient.connect(delivery.url, added.token);
    expect(welcome['screen_id']).toBe(added.id);
    client.close();
  });

  test('that does not come within 5 s closes with 4003', async () => {
    const client = await ScreenClient.open(delivery.url);
    expect(await client.closed()).toBe(4003);
  });

  test('is accepted only once, and nothing is answered before it', async () => {
    const client = await ScreenClient.open(delivery.url);
    client.send({ t: 'slot', id: 5 });
    expect(await client.next('error')).toMatchObject({ code: 'not_ready', id: 5 });
    client.send({ t: 'hello', token: screen.token, platform: 'linux', player: 'test/1', time: 1 });
    await client.next('welcome');
    client.send({ t: 'hello', token: screen.token, platform: 'linux', player: 'test/1', time: 1 });
    expect(await client.next('error')).toMatchObject({ code: 'bad_message' });
    client.close();
  });

  test('on a newer connection of the same screen closes the older one with 4004', async () => {
    const { client: older } = await ScreenClient.connect(delivery.url, screen.token);
    const { client: newer } = await ScreenClient.connect(delivery.url, screen.token);
    expect(await older.closed()).toBe(4004);
    newer.close();
  });

  async function unpairedToken(): Promise<{ unknown: string; revoked: string }> {
    const gone = await addScreen(world);
    await world.sql`update screens set unpaired_at = ${new Date()} where handle = ${gone.handle}`;
    await change(world, 'screen', gone.handle);
    const { formatDeviceToken } = await import('#domain/access/key.ts');
    return { unknown: formatDeviceToken(new Uint8Array(32).fill(9)), revoked: gone.token };
  }
});

describe('slots', () => {
  test('get complete fills, signed and in the issue log before they arrive', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    await slotUntil(client, isFill);
    const at = Date.now() + 1_000;
    const fills = await slots(client, { count: 3, at });
    expect(fills).toHaveLength(3);
    fills.forEach((fill, index) => {
      expect(Object.keys(fill)).toEqual([
        'play_id',
        'campaign_id',
        'creative_id',
        'kind',
        'url',
        'duration_ms',
        'scan_url',
        'starts_at',
        'expires_at',
      ]);
      const facts = decodePlayId(fill.play_id, keys)!;
      expect(facts).toMatchObject({
        campaign: campaign.handle,
        creative: campaign.creative,
        screen: screen.handle,
        venue: world.venue,
        plan: false,
        startsAt: at + index * 6_000,
        durationMs: 6_000,
      });
      expect(fill).toMatchObject({
        campaign_id: campaign.id,
        kind: 'still',
        duration_ms: 6_000,
        starts_at: facts.startsAt,
        expires_at: facts.startsAt + 900_000,
      });
      const code = fill.scan_url.slice(`${PUBLIC_URL}/s/`.length);
      expect(decodeScanCode(code, keys)).toEqual({
        campaign: campaign.handle,
        creative: campaign.creative,
        screen: screen.handle,
        slotMinute: Math.floor(facts.startsAt / 60_000),
      });
      expect(isOnRecord(facts)).toBe(true);
    });
    client.close();
  });

  test('of an offline playlist may be started for 48 hours', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    const fill = await slotUntil(client, isFill, { plan: true, at: Date.now() + 40 * 3_600_000 });
    expect(fill.expires_at - fill.starts_at).toBe(48 * 3_600_000);
    client.close();
  });

  test('that ask with a field of a later version are filled like others', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    await slotUntil(client, isFill);
    expect(await slotUntil(client, isFill, { later: 'than this' })).toMatchObject({
      campaign_id: expect.stringMatching(/^cmp_/) as unknown,
    });
    client.close();
  }, 10_000);

  test('have the same form in MessagePack', async () => {
    const socket = new WebSocket(delivery.url, 'marquee.v1.msgpack');
    socket.binaryType = 'arraybuffer';
    const packr = new Packr({ useRecords: false });
    const unpackr = new Unpackr({ useRecords: false });
    const heard: Message[] = [];
    let wake: () => void = () => undefined;
    socket.addEventListener('message', event => {
      heard.push(unpackr.unpack(new Uint8Array(event.data as ArrayBuffer)) as Message);
      wake();
    });
    const next = async (type: string): Promise<Message> => {
      for (;;) {
        const at = heard.findIndex(message => message.t === type);
        if (at >= 0) return heard.splice(at, 1)[0]!;
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    };
    await new Promise(resolve => socket.addEventListener('open', resolve));
    expect(socket.protocol).toBe('marquee.v1.msgpack');
    socket.send(
      packr.pack({ t: 'hello', token: screen.token, platform: 'tizen', player: 'x', time: Date.now(), recent: [] }),
    );
    expect(await next('welcome')).toMatchObject({ screen_id: screen.id });
    socket.send(packr.pack({ t: 'slot', id: 2 ** 40, count: 2 }));
    const fill = await next('fill');
    expect(fill['id']).toBe(2 ** 40);
    for (const slot of fill['slots'] as Fill[]) {
      expect(decodePlayId(slot.play_id, keys)).toMatchObject({ startsAt: slot.starts_at });
      expect(slot).toMatchObject({ campaign_id: campaign.id, duration_ms: 6_000, kind: 'still' });
      expect(slot.scan_url.startsWith(`${PUBLIC_URL}/s/`)).toBe(true);
    }
    socket.send(new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff]));
    expect(await next('error')).toMatchObject({ code: 'bad_message' });
    socket.send('{"t":"slot","id":1}');
    expect(await next('error')).toMatchObject({ code: 'bad_message' });
    socket.close();
  });

  function isOnRecord(facts: PlayFacts): boolean {
    const folder = join(world.dataDir, 'delivery', 'node-1');
    return readdirSync(folder).some(name =>
      [...readIssueRecords(join(folder, name))].some(
        record =>
          record.kind === 'block' &&
          record.campaign === facts.campaign &&
          facts.issueNumber >= record.first &&
          facts.issueNumber < record.first + record.count,
      ),
    );
  }
});

describe('reports', () => {
  test('are acknowledged once Redis has them, and again when repeated', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    const fill = await slotUntil(client, isFill, { at: client.pastAt() });
    expect(await report(client, [played(fill)])).toMatchObject({ refused: [] });
    expect(await report(client, [played(fill), played(fill)])).toMatchObject({ refused: [] });
    const playQueue = createPlayQueue({ redis: world.redis });
    const { epoch } = decodePlayId(fill.play_id, keys)!;
    expect((await playQueue.completed([`${epoch}-1.0`, `${epoch}-2.0`])).missing).toEqual([]);
    await playQueue.close();
    client.close();
  });

  test('get a reason for each play that cannot count, and the rest is accepted', async () => {
    const other = await addScreen(world);
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    const { client: elsewhere } = await ScreenClient.connect(delivery.url, other.token);
    const foreign = await slotUntil(elsewhere, isFill, { at: elsewhere.pastAt() });
    const [early, late, short, good] = (await slots(client, { count: 4, at: client.pastAt(4) })) as [
      Fill,
      Fill,
      Fill,
      Fill,
    ];
    const [ahead] = (await slots(client, { at: Date.now() + 3 * 3_600_000 })) as [Fill];
    const old = encodePlayId(
      { ...decodePlayId(good.play_id, keys)!, startsAt: Date.now() - 31 * 86_400_000 },
      keys.current,
    );
    const ack = await report(client, [
      played(good),
      { ...played(good), play_id: `${good.play_id.slice(0, -1)}${good.play_id.endsWith('A') ? 'B' : 'A'}` },
      played(foreign),
      { ...played(early), started_at: early.starts_at - 5_001 },
      { ...played(late), started_at: late.expires_at + 5_001 },
      { ...played(short), played_ms: 5_499 },
      { ...played(good), play_id: old, started_at: Date.now() - 31 * 86_400_000 },
      played(ahead),
    ]);
    expect((ack['refused'] as { reason: string }[]).map(({ reason }) => reason)).toEqual([
      'bad_signature',
      'other_screen',
      'before_slot',
      'after_expiry',
      'too_short',
      'too_late',
      'before_end',
    ]);
    client.close();
    elsewhere.close();
  });

  test('of a play that cannot be over yet are refused, and accepted once it can be, by a clock at most 5 s fast', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    const fill = await slotUntil(client, isFill, { at: Date.now() - 500 });
    const refused = [{ play_id: fill.play_id, reason: 'before_end' }];
    expect(await report(client, [played(fill)])).toMatchObject({ refused });
    await new Promise(resolve => setTimeout(resolve, fill.starts_at + 1_050 - Date.now()));
    expect(
      await report(client, [
        { ...played(fill), started_at: fill.starts_at + 10_000 },
        { ...played(fill), played_ms: 11_000 },
      ]),
    ).toMatchObject({ refused: [...refused, ...refused] });
    expect(await report(client, [played(fill)])).toMatchObject({ refused: [] });
    client.close();
  });

  test('of overlapping ads are refused except for one at a time, whatever was requested', async () => {
    const own = await addScreen(world);
    const { client } = await ScreenClient.connect(delivery.url, own.token);
    await slotUntil(client, isFill, { at: client.pastAt() });
    const at = Date.now() - 40_000;
    const fills: Fill[] = [];
    // seven minutes, about as much as it may hold at once
    for (let ask = 0; ask < 12; ask++) fills.push(...(await slots(client, { at, count: 6 })));
    expect(new Set(fills.map(fill => fill.starts_at)).size).toBe(6);
    const first = await report(client, fills.slice(0, 6).map(played));
    expect(first).toMatchObject({ refused: [] });
    const again = (await report(client, fills.map(played)))['refused'] as { play_id: string; reason: string }[];
    expect(again).toEqual(fills.slice(6).map(({ play_id }) => ({ play_id, reason: 'overlap' })));
    client.close();
  });

  test('without plays are acknowledged, and so is a fill that cannot be played', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    expect(await report(client, [], { settled_to: Date.now() })).toMatchObject({ refused: [] });
    const fill = await slotUntil(client, isFill);
    client.send({ t: 'cannot_play', id: 77, play_id: fill.play_id, reason: 'decode' });
    expect(await client.next('ack', 77)).toMatchObject({ refused: [] });
    client.send({ t: 'cannot_play', id: 78, play_id: 'x', reason: 'decode' });
    expect(await client.next('ack', 78)).toMatchObject({ refused: [{ play_id: 'x', reason: 'bad_signature' }] });
    client.close();
  });
});

describe('changes', () => {
  test('a pause takes effect within 100 ms of its commit and withdraws the fills', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    await slotUntil(client, isFill);
    await expectWithin(100, async () => {
      await world.sql`update campaigns set status = 'paused' where handle = ${campaign.handle}`;
      await change(world, 'campaign', campaign.handle);
      const committedAt = performance.now();
      expect(await client.next('withdraw')).toMatchObject({ campaign_id: campaign.id });
      const tookMs = performance.now() - committedAt;
      expect((await slots(client))[0]).toEqual({ no_fill: 'paused' });
      await world.sql`update campaigns set status = 'live' where handle = ${campaign.handle}`;
      await change(world, 'campaign', campaign.handle);
      await slotUntil(client, isFill);
      return tookMs;
    });
    client.close();
  });

  test.each(['deleted', 'rejected'])('a campaign that is %s while it runs withdraws the fills', async how => {
    const own = await addCampaign(world);
    await change(world, 'campaign', own.handle);
    const { client } = await ScreenClient.connect(delivery.url, (await addScreen(world)).token);
    await slotUntil(client, slot => slot.campaign_id === own.id); // known as live
    if (how === 'rejected') await world.sql`update campaigns set status = 'rejected' where handle = ${own.handle}`;
    else await world.sql`update campaigns set status = 'paused', deleted_at = now() where handle = ${own.handle}`;
    await change(world, 'campaign', own.handle);
    expect(await client.next('withdraw')).toMatchObject({ campaign_id: own.id });
    client.close();
  });

  test('of a screen are sent to it, and the end of its pairing closes with 4001', async () => {
    const own = await addScreen(world);
    const { client } = await ScreenClient.connect(delivery.url, own.token);
    await world.sql`update screens set ad_ratio = 0, orientation = 'portrait' where handle = ${own.handle}`;
    await change(world, 'screen', own.handle);
    expect(await client.next('config')).toEqual({ t: 'config', ad_ratio: 0, orientation: 'portrait' });
    expect((await slots(client))[0]).toEqual({ no_fill: 'ad_ratio' });
    await world.sql`update screens set unpaired_at = now() where handle = ${own.handle}`;
    await change(world, 'screen', own.handle);
    await client.next('unpaired');
    expect(await client.closed()).toBe(4001);
  });

  test('withdraw a creative that is no longer ready', async () => {
    const extra = await addCampaign(world);
    const { client } = await ScreenClient.connect(delivery.url, (await addScreen(world)).token);
    await slotUntil(client, slot => slot.campaign_id === extra.id); // known as ready, and sent
    await world.sql`update creatives set status = 'detached' where handle = ${extra.creative}`;
    await change(world, 'creative', extra.creative);
    expect(await client.next('withdraw')).toMatchObject({ creative_id: formatId('creative', extra.creative) });
    client.close();
  });

  test('presence follows connections', async () => {
    const own = await addScreen(world);
    const { client } = await ScreenClient.connect(delivery.url, own.token);
    const online = async (): Promise<boolean | undefined> =>
      (
        await world.sql<{ online: boolean }[]>`select online from screen_presence where screen_handle = ${own.handle}`
      )[0]?.online;
    await vi.waitFor(async () => expect(await online()).toBe(true), { timeout: 10_000 });
    client.close();
    await vi.waitFor(async () => expect(await online()).toBe(false), { timeout: 10_000 });
  });

  test('presence has the newest reported play, and no play that was only issued', async () => {
    const own = await addScreen(world);
    const { client } = await ScreenClient.connect(delivery.url, own.token);
    const fill = await slotUntil(client, isFill, { at: client.pastAt() });
    const presence = async () =>
      (
        await world.sql<{ online: boolean; played_at: Date | null; played_ms: number; creative_handle: number }[]>`
          select online, played_at, played_ms, creative_handle from screen_presence where screen_handle = ${own.handle}`
      )[0];
    await vi.waitFor(async () => expect(await presence()).toMatchObject({ online: true, played_at: null }), {
      timeout: 10_000,
    });
    expect(await report(client, [played(fill)])).toMatchObject({ refused: [] });
    client.close();
    const reported = { played_at: new Date(fill.starts_at), played_ms: fill.duration_ms };
    const creative = parseId('creative', fill.creative_id);
    await vi.waitFor(
      async () => expect(await presence()).toMatchObject({ online: false, ...reported, creative_handle: creative }),
      { timeout: 10_000 },
    );
  });
});

describe('bounds', () => {
  test('a message over 64 KiB is answered with too_large and 4000, one over 128 KiB ends the connection', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    client.send(JSON.stringify({ t: 'slot', id: 1, padding: 'x'.repeat(70_000) }));
    expect(await client.next('error')).toMatchObject({ code: 'too_large' });
    expect(await client.closed()).toBe(4000);
    const { client: second } = await ScreenClient.connect(delivery.url, screen.token);
    second.send('x'.repeat(140_000));
    expect(await second.closed()).toBe(IS_WS ? 1009 : 1006);
  });

  test('more than 10 messages per second on average close with 4005', async () => {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    for (let message = 0; message < 60; message++) client.send({ t: 'slot', id: message });
    expect(await client.next('error')).toMatchObject({ code: 'too_many' });
    expect(await client.closed()).toBe(4005);
  });

  test.each(
    [
      '',
      'nonsense',
      '[]',
      'null',
      '7',
      '"x"',
      '{"t":7}',
      '{"t":"nope"}',
      '{"t":"__proto__"}',
      '{"t":"toString"}',
      '['.repeat(30_000),
    ].map((text, index) => ({ text, index })),
  )('malformed message %# is answered with an error and the connection lives', async ({ text }) => {
    const { client } = await ScreenClient.connect(delivery.url, (await addScreen(world)).token);
    client.send(text);
    expect(['bad_message', 'unknown_type']).toContain((await client.next('error'))['code']);
    await slots(client);
    client.close();
  });

  test('an upgrade for unsupported sub-protocols is refused', async () => {
    const socket = new WebSocket(delivery.url, 'graphql-ws');
    expect(
      await new Promise(resolve => {
        socket.addEventListener('error', () => resolve('error'));
        socket.addEventListener('open', () => resolve('open'));
      }),
    ).toBe('error');
  });
});

describe('money', () => {
  test('a budget of exactly three plays gives three fills and then budget_exhausted', async () => {
    const own = await addScreen(world, { orientation: 'portrait' });
    const { client } = await ScreenClient.connect(delivery.url, own.token);
    const facts = decodePlayId((await anyFill()).play_id, keys)!;
    const tiny = await addCampaign(world, { budget_micros: reservationMicros(facts) * 3 });
    await world.sql`update creatives set orientation = 'portrait' where handle = ${tiny.creative}`;
    await change(world, 'creative', tiny.creative);
    let fills = 0;
    await slotUntil(client, slot => {
      if (isFill(slot)) fills++;
      return slot.no_fill === 'budget_exhausted';
    });
    expect(fills).toBe(3);
    client.close();
  });

  async function anyFill(): Promise<Fill> {
    const { client } = await ScreenClient.connect(delivery.url, screen.token);
    const fill = await slotUntil(client, isFill);
    client.close();
    return fill;
  }
});

describe('several processes', () => {
  test('a newer connection at another process closes the older one; a drain closes with 4008 and returns unissued money', async () => {
    const second = await world.start({ DELIVERY_NODE: 'node-2' });
    const own = await addScreen(world);
    const { client: first } = await ScreenClient.connect(delivery.url, own.token);
    // Either of two connections may count as the newer one until the first has its rank.
    await vi.waitUntil(() => world.redis.hexists('screens:ranks', String(own.handle)), { timeout: 10_000 });
    const { client: moved } = await ScreenClient.connect(second.url, own.token);
    expect(await first.closed()).toBe(4004);
    const fill = await slotUntil(moved, isFill);
    const facts = decodePlayId(fill.play_id, keys)!;
    const log = join(world.dataDir, 'delivery', 'node-2', `${facts.epoch}.log`);
    expect(existsSync(log)).toBe(true);
    const ending = second.stop();
    expect(await moved.closed()).toBe(4008);
    const refused = once(connect(Number(new URL(second.url).port), '127.0.0.1'), 'connect');
    await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' }); // screens go elsewhere
    expect(await ending).toBe(0);
    const [open, doubt] = await world.redis.hmget(
      `{plays:0}:c${facts.campaign}:amounts`,
      `open:${facts.epoch}`,
      `doubt:${facts.epoch}`,
    );
    expect([open, Number(doubt)]).toEqual([null, reservationMicros(facts)]);
    expect(existsSync(log)).toBe(false);
  });

  test('processes of one instance share a port on purpose, and one of another instance may not', async () => {
    const port = String(await findFreePort());
    const shared = { DELIVERY_PORT: port, DELIVERY_SHARED_PORT: '1' };
    const started = await Promise.allSettled([
      world.start({ ...shared, DELIVERY_NODE: 'shared-1' }),
      world.start({ ...shared, DELIVERY_NODE: 'shared-2' }),
    ]);
    // By ws, a port can be shared from Node 22.12 on.
    const outcome = IS_WS && process.version < 'v22.12' ? 'rejected' : 'fulfilled';
    expect(started.map(({ status }) => status)).toEqual([outcome, outcome]);
    await expect(world.start({ ...shared, DATA_DIR: await mkdtemp(join(world.dataDir, 'other-')) })).rejects.toThrow(
      'delivery ended with 1',
    );
    for (const one of started) if (one.status === 'fulfilled') await one.value.stop();
  }, 60_000); // three processes start one after another

  test.each([
    'delivery_before_decode',
    'delivery_after_decode',
    'delivery_before_store',
    'delivery_after_store',
    'delivery_before_ack',
  ])(
    'a process killed at %s has acknowledged nothing, and the next one takes the same report under a new epoch',
    async point => {
      const dying = await world.start({ DELIVERY_NODE: 'node-4', FAULT: point });
      const own = await addScreen(world);
      const { client } = await ScreenClient.connect(dying.url, own.token);
      const fill = await slotUntil(client, isFill, { at: client.pastAt() });
      client.send({ t: 'plays', id: 1, plays: [played(fill)] });
      await expect(client.next('ack')).rejects.toThrow('1006');
      const { client: again } = await ScreenClient.connect(delivery.url, own.token);
      expect(await report(again, [played(fill)])).toMatchObject({ refused: [] });
      expect(decodePlayId((await slotUntil(again, isFill)).play_id, keys)!.epoch).not.toBe(
        decodePlayId(fill.play_id, keys)!.epoch,
      );
      again.close();
    },
  );

  test('a second process on a port in use fails with an error', async () => {
    const port = new URL(delivery.url.replace('ws:', 'http:')).port;
    await expect(world.start({ DELIVERY_PORT: port, DELIVERY_NODE: 'node-3' })).rejects.toThrow(
      'delivery ended with 1',
    );
  });
});

test('metrics are served', async () => {
  const text = await (await fetch(`${delivery.opsUrl}/metrics`)).text();
  expect(text).toMatch(/^delivery_fills [1-9]/m);
  expect(text).toMatch(/^delivery_no_fills\{reason="ad_ratio"\} [1-9]/m);
  expect(text).toMatch(/^delivery_decision_seconds_bucket\{le="0.00001"\} \d/m);
});
