/**
 * From an upload to the files that screens play: what is kept as it is, what is encoded, and what is rejected with
 * which advice. The API and the media worker run in this process on real engines, with files that ffmpeg and sharp make
 * here.
 */
import { createHash, randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORMS } from '../../../domain/screens/screen.ts';
import {
  campaignBody,
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  upload,
  type Answer,
  type TestApi,
} from '../support/app-under-test.ts';
import { makeFile, makeVideo, PIXEL } from '../../support/media.ts';
import { rowsOf } from '../support/answer.ts';

let api: TestApi;
let key: string;
let video: Buffer;

beforeAll(async () => {
  [api, video] = await Promise.all([startApi(), makeVideo()]);
  key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown> = {}) =>
  api.call('POST', '/v1/creatives', {
    key,
    body: { name: 'A', orientation: 'landscape', duration_ms: 6_000, filename: 'a.mp4', ...changes },
  });
const read = (created: Answer) => api.call('GET', `/v1/creatives/${created.body['id']}`, { key });
const TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (url: string) => new URL(url).pathname;
const noise = (size: number) =>
  sharp(randomBytes(size * size * 3), { raw: { width: size, height: size, channels: 3 } });

/** Creates, uploads and lets the workers look; answers the creative as it is then. */
async function put(file: Buffer, changes: Record<string, unknown> = {}): Promise<Answer> {
  const created = await create(changes);
  const type =
    TYPES[
      String(changes['filename'] ?? 'a.mp4')
        .split('.')
        .at(-1)!
    ]!;
  expect((await upload(api, created.body['upload_url']!, file, type)).status).toBe(200);
  await api.render();
  return read(created);
}

describe('files that are accepted', () => {
  test('a small video that fits every profile is played as uploaded', async () => {
    const { body } = await put(video);
    const url = `http://api.test/assets/${hash(video)}.mp4`;
    expect(body).toMatchObject({
      status: 'ready',
      url,
      bytes: video.length,
      progress: null,
      rejection: null,
      renditions: [{ platforms: [...PLATFORMS], url, bytes: video.length }],
    });
    const poster = await api.call('GET', pathOf(body['poster_url']!));
    expect(poster.headers['content-type']).toBe('image/jpeg');
    expect(await sharp(poster.raw).metadata()).toMatchObject({ format: 'jpeg', width: 160, height: 90 });
    expect(await api.storage.staged()).toEqual([]);
    const events = await api.sql<
      { type: string; payload: { object: { status: string } } }[]
    >`select type, payload from outbox order by handle`;
    expect(events.map(({ type, payload }) => [type, payload.object.status])).toEqual([
      ['creative.uploaded', 'awaiting_upload'],
      ['creative.ready', 'ready'],
    ]);
  });

  test('equal content is checked and rendered once, whoever uploads it', async () => {
    const stranger = await createKey(api, await createWorkspace(api));
    const before = await put(video);
    const foundAt = await api.sql`select found_at from media_contents order by found_at`;
    const created = await api.call('POST', '/v1/creatives', {
      key: stranger,
      body: { name: 'B', orientation: 'landscape', duration_ms: 6_000, filename: 'b.mp4' },
    });
    await upload(api, created.body['upload_url']!, video, 'video/mp4');
    await api.render();
    const after = await api.call('GET', `/v1/creatives/${created.body['id']}`, { key: stranger });
    expect([after.body['status'], after.body['poster_url'], after.body['renditions']]).toEqual([
      'ready',
      before.body['poster_url'],
      before.body['renditions'],
    ]);
    expect(await api.sql`select found_at from media_contents order by found_at`).toEqual(foundAt);
  });

  test('a file that screens cannot play is encoded, never enlarged, and only once if one encoding fits all', async () => {
    const file = await makeVideo({
      name: 'a.webm',
      encoder: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '16'],
    });
    const { body } = await put(file, { filename: 'a.webm' });
    const [rendition] = rowsOf<{ platforms: string[]; url: string }>(body['renditions']);
    expect(body).toMatchObject({ status: 'ready', renditions: [{ platforms: [...PLATFORMS] }] });
    const ranged = await api.call('GET', pathOf(rendition!.url), { headers: { range: 'bytes=4-7' } });
    expect([ranged.status, ranged.raw.toString(), ranged.headers['content-type']]).toEqual([206, 'ftyp', 'video/mp4']);
    // What was made is itself a file that fits everywhere.
    const again = await put((await api.call('GET', pathOf(rendition!.url))).raw);
    expect(again.body).toMatchObject({
      status: 'ready',
      renditions: [{ platforms: [...PLATFORMS], url: again.body['url'] }],
    });
    const [{ media }] = await api.sql<
      [{ media: { width: number; height: number } }]
    >`select media from creatives order by handle desc limit 1`;
    expect([media.width, media.height]).toEqual([160, 90]);
  });

  test('platforms with other limits get their own file', async () => {
    const { body } = await put(await makeVideo({ rate: 60 }));
    const renditions = rowsOf<{ platforms: string[]; url: string }>(body['renditions']);
    expect(renditions.map(({ platforms }) => platforms)).toEqual([
      ['android_tv', 'google_tv', 'windows'],
      ['tizen', 'webos', 'fire_tv', 'linux', 'browser'],
    ]);
    expect(renditions[0]!.url).toBe(body['url']);
  });

  test('the same streams in QuickTime are only remuxed, once for all platforms', async () => {
    const { body } = await put(await makeVideo({ name: 'a.mov', audio: true }), { filename: 'a.mov' });
    expect(body).toMatchObject({
      status: 'ready',
      url: expect.stringMatching(/\.mov$/),
      renditions: [{ platforms: [...PLATFORMS], url: expect.stringMatching(/\.mp4$/) }],
    });
  });

  test('a video stored on its side is described as shown and encoded upright', async () => {
    const turned = await makeVideo({ name: 'a.mov' });
    // The matrix of the first track's header: a quarter turn. It stands 40 bytes behind the box's name.
    [0, 0x10000, 0, -0x10000, 0, 0].forEach((value, index) =>
      turned.writeInt32BE(value, turned.indexOf('tkhd') + 4 + 40 + index * 4),
    );
    const { body } = await put(turned, { filename: 'a.mov', orientation: 'portrait' });
    expect(body).toMatchObject({ status: 'ready', renditions: [{ url: expect.stringMatching(/\.mp4$/) }] });
    const [{ media }] = await api.sql<
      [{ media: { width: number; height: number } }]
    >`select media from creatives order by handle desc limit 1`;
    expect([media.width, media.height]).toEqual([90, 160]);
  });

  test("a large still becomes an upright JPEG of the screen's size; a small one stays as it is", async () => {
    const large = await sharp({
      create: { width: 2400, height: 1200, channels: 4, background: { r: 200, g: 10, b: 10, alpha: 0.5 } },
    })
      .webp()
      .toBuffer();
    const { body } = await put(large, { filename: 'a.webp' });
    const [rendition] = rowsOf<{ url: string; platforms: string[] }>(body['renditions']);
    expect([body['status'], rendition!.platforms]).toEqual(['ready', [...PLATFORMS]]);
    const shown = await api.call('GET', pathOf(rendition!.url));
    expect(await sharp(shown.raw).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1920,
      height: 960,
      hasAlpha: false,
    });
    const small = await put(PIXEL, { filename: 'a.png', orientation: 'portrait' });
    expect(small.body).toMatchObject({ status: 'ready', renditions: [{ url: small.body['url'] }] });
  });

  test('a still with a sound becomes a video of its duration for all platforms', async () => {
    const created = await create({ filename: 'a.png', audio_filename: 'jingle.mp3', duration_ms: 7_000 });
    expect(created.body).toMatchObject({
      kind: 'still',
      audio_content_type: 'audio/mpeg',
      audio_upload_url: expect.stringMatching(/\/uploads\/cre_[^/]+\/audio\?/),
    });
    const still = await sharp({ create: { width: 160, height: 90, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const jingle = await makeFile('a.mp3', ['-f', 'lavfi', '-i', 'sine=440', '-t', '2']);
    expect((await upload(api, created.body['upload_url']!, still, 'image/png')).status).toBe(200);
    expect(await api.render()).toEqual([]);
    expect((await upload(api, created.body['upload_url']!, still, 'image/png')).status).toBe(409);
    expect((await read(created)).body).toMatchObject({
      status: 'awaiting_upload',
      upload_url: null,
      audio_upload_url: created.body['audio_upload_url'],
    });
    expect((await upload(api, created.body['audio_upload_url']!, jingle, 'audio/mpeg')).status).toBe(200);
    expect(await api.render()).toEqual(['ready']);
    const { body } = await read(created);
    expect(body).toMatchObject({
      status: 'ready',
      kind: 'still',
      url: expect.stringMatching(/\.png$/),
      renditions: [{ platforms: [...PLATFORMS], url: expect.stringMatching(/\.mp4$/) }],
    });
    const played = await api.call('GET', pathOf(rowsOf<{ url: string }>(body['renditions'])[0]!.url));
    const again = await put(played.raw, { duration_ms: 7_000 });
    expect(again.body['status']).toBe('ready');
    const [{ media }] = await api.sql<
      [{ media: { audio: { codec: string } } }]
    >`select media from creatives order by handle desc limit 1`;
    expect(media.audio.codec).toBe('aac');
  });
});

describe('files that are rejected, each with what to change', () => {
  const cases: [string, () => Promise<Buffer>, Record<string, unknown>, string, RegExp][] = [
    [
      'is cut off',
      async () => {
        const whole = await makeVideo({
          encoder: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'],
        });
        return whole.subarray(0, Math.floor(whole.length / 2));
      },
      {},
      'corrupted',
      /Export or upload it again/,
    ],
    [
      'has noise in its middle',
      async () => {
        const noisy = Buffer.from(video);
        randomBytes(2_000).copy(noisy, Math.floor(video.length / 2));
        return noisy;
      },
      {},
      'corrupted',
      /cannot be decoded/,
    ],
    [
      'only begins like a video',
      async () => Buffer.concat([video.subarray(0, 32), randomBytes(5_000)]),
      {},
      'corrupted',
      /cannot be decoded/,
    ],
    [
      "is a playlist of another file behind a video's first bytes",
      async () =>
        Buffer.concat([
          Buffer.from([0, 0, 0, 24]),
          Buffer.from('ftypisom\n#EXTM3U\n#EXTINF:6,\nfile:///etc/passwd\n', 'latin1'),
        ]),
      {},
      'corrupted',
      /cannot be decoded/,
    ],
    [
      'is a still that is cut off',
      async () => (await noise(200).png().toBuffer()).subarray(0, 60_000),
      { filename: 'a.png' },
      'corrupted',
      /image cannot be decoded/,
    ],
    [
      'has sound alone',
      () => makeFile('a.mp4', ['-f', 'lavfi', '-i', 'sine=440', '-t', '6']),
      {},
      'no_picture',
      /no picture/,
    ],
    [
      'lies down',
      async () => video,
      { orientation: 'portrait' },
      'wrong_orientation',
      /160 x 90, which is landscape; the creative was declared portrait/,
    ],
    [
      'lies down as a still',
      () =>
        sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
          .jpeg()
          .toBuffer(),
      { filename: 'a.jpg', orientation: 'portrait' },
      'wrong_orientation',
      /20 x 10/,
    ],
    [
      'is too short',
      async () => video,
      { duration_ms: 7_000 },
      'wrong_duration',
      /lasts 6000 ms; the creative was declared with 7000 ms/,
    ],
    ['is too long', () => makeVideo({ seconds: 7 }), {}, 'wrong_duration', /250 ms more or less/],
    [
      'has more pixels than 8K',
      () =>
        sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      { filename: 'a.png' },
      'too_many_pixels',
      /8000 x 5000/,
    ],
  ];
  test.each(cases)('one that %s', async (_name, make, changes, code, detail) => {
    const { body } = await put(await make(), changes);
    expect(body).toMatchObject({
      status: 'rejected',
      rejection: { code, detail: expect.stringMatching(detail) },
      url: null,
      poster_url: null,
      renditions: [],
    });
    expect(body['rejection']!['detail']).not.toMatch(/\/tmp|marquee-media/);
    const [event] = await api.sql<
      { type: string; payload: { object: { rejection: { code: string } } } }[]
    >`select type, payload from outbox order by handle desc limit 1`;
    expect([event!.type, event!.payload.object.rejection.code]).toEqual(['creative.rejected', code]);
    expect((await api.storage.staged()).map(staged => staged.key)).not.toContain(body['id']);
  });

  test('a sound that cannot be decoded rejects the still', async () => {
    const created = await create({ filename: 'a.png', audio_filename: 'jingle.mp3' });
    await upload(api, created.body['upload_url']!, PIXEL, 'image/png');
    await upload(
      api,
      created.body['audio_upload_url']!,
      Buffer.concat([Buffer.from('ID3'), randomBytes(3_000)]),
      'audio/mpeg',
    );
    expect(await api.render()).toEqual(['rejected']);
    expect((await read(created)).body['rejection']).toMatchObject({
      code: 'corrupted',
      detail: expect.stringContaining('sound'),
    });
  });
});

describe('the life of a creative', () => {
  test('a creative made by AI is marked from its creation on, and others are not', async () => {
    const made = await create({ synthetic: true });
    expect(made).toMatchObject({ status: 201, body: { synthetic: true } });
    expect((await read(made)).body).toMatchObject({ synthetic: true });
    const renamed = await api.call('PATCH', `/v1/creatives/${made.body['id']}`, { key, body: { name: 'B' } });
    expect(renamed.body).toMatchObject({ name: 'B', synthetic: true });
    expect((await create()).body).toMatchObject({ synthetic: false });
  });

  test('a draft has no file until one is named', async () => {
    const draft = await create({ filename: undefined });
    expect(draft.body).toMatchObject({
      status: 'draft',
      kind: null,
      filename: null,
      content_type: null,
      upload_url: null,
      expires_at: null,
    });
    expect(dataOf(await api.call('GET', '/v1/creatives?status=draft', { key })).map(({ id }) => id)).toEqual([
      draft.body['id'],
    ]);
    const path = `/v1/creatives/${draft.body['id']}`;
    expect((await api.call('PATCH', path, { key, body: { duration_ms: 18_000 } })).body).toMatchObject({
      status: 'draft',
      duration_ms: 18_000,
    });
    expect(await api.call('PATCH', path, { key, body: { filename: 'a.png' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/duration_ms' }] },
    });
    const named = await api.call('PATCH', path, {
      key,
      body: { filename: 'a.png', duration_ms: 6_000, name: 'Named' },
    });
    expect(named.body).toMatchObject({
      status: 'awaiting_upload',
      name: 'Named',
      content_type: 'image/png',
      upload_url: expect.any(String),
    });
    await upload(api, named.body['upload_url']!, PIXEL, 'image/png');
    expect(await api.call('PATCH', path, { key, body: { filename: 'b.png' } })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    await api.render();
    expect((await api.call('PATCH', path, { key, body: { name: 'Renamed' } })).body).toMatchObject({
      status: 'ready',
      name: 'Renamed',
    });
    const declared = await api.call('PATCH', path, { key, body: { synthetic: true } });
    expect(declared.body).toMatchObject({ status: 'ready', name: 'Renamed', synthetic: true });
    const [entry] = await api.sql<{ diff: object }[]>`
      select diff from audit_entries where entity_type = 'creative' order by handle desc limit 1`;
    expect(entry!.diff).toEqual({ synthetic: { from: false, to: true } });
    const actions = await api.sql<
      { action: string }[]
    >`select action from audit_entries where entity_type = 'creative' order by handle desc limit 7`;
    expect(actions.map(({ action }) => action)).toEqual([
      'creative.updated',
      'creative.updated',
      'creative.ready',
      'creative.uploaded',
      'creative.updated',
      'creative.updated',
      'creative.created',
    ]);
  });

  test('an expired upload address is replaced by naming the file again', async () => {
    const created = await create();
    api.clock.offsetMs += 3_600_001;
    expect(
      (await api.call('PATCH', `/v1/creatives/${created.body['id']}`, { key, body: { orientation: 'portrait' } })).body,
    ).toMatchObject({ orientation: 'portrait', upload_url: null });
    const again = await api.call('PATCH', `/v1/creatives/${created.body['id']}`, {
      key,
      body: { filename: 'a.mp4', orientation: 'landscape' },
    });
    expect((await upload(api, again.body['upload_url']!, video, 'video/mp4')).status).toBe(200);
    api.clock.offsetMs -= 3_600_001;
    expect(await api.render()).toEqual(['ready']);
  });

  test('a campaign may be created once the file has arrived, and its review waits for the check', async () => {
    const created = await create();
    const book = () => api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [created.body['id']!]) });
    expect(await book()).toMatchObject({ status: 409, body: { code: 'creative_not_ready' } });
    await upload(api, created.body['upload_url']!, video, 'video/mp4');
    const campaign = await book();
    expect(campaign).toMatchObject({ status: 201, body: { status: 'pending_review' } });
    const statusOf = async () =>
      (await api.call('GET', `/v1/campaigns/${campaign.body['id']}`, { key })).body['status'];
    await api.review();
    expect(await statusOf()).toBe('pending_review');
    await api.render();
    api.clock.offsetMs += 10_000; // the review looks again after a while
    await api.review();
    api.clock.offsetMs -= 10_000;
    expect(await statusOf()).toBe('live');
  });

  test('a creative detached during its check stays detached, and its upload is dropped', async () => {
    const created = await create();
    await upload(api, created.body['upload_url']!, video, 'video/mp4');
    const [{ handle }] = await api.sql<[{ handle: number }]>`select handle from creatives order by handle desc limit 1`;
    const rendered = api.render();
    expect((await api.call('DELETE', `/v1/creatives/${created.body['id']}`, { key })).status).toBe(204);
    await rendered;
    const [row] = await api.sql<{ status: string }[]>`select status from creatives where handle = ${handle}`;
    expect(row!.status).toBe('detached');
  });
});

describe('assets of playlists', () => {
  test('an image is uploaded and checked in the same way, for both surfaces, and is refused to other workspaces', async () => {
    const venue = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    const created = await api.call('POST', '/v1/assets', { key: venue, body: { name: 'Menu', filename: 'menu.png' } });
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^ast_/),
        status: 'awaiting_upload',
        upload_url: expect.stringContaining('/uploads/ast_'),
        play_url: null,
      },
    });
    expect((await upload(api, created.body['upload_url']!, PIXEL, 'image/png')).status).toBe(200);
    expect(await api.render()).toEqual(['ready']);
    const asset = await api.call('GET', `/v1/assets/${created.body['id']}`, { key: venue });
    expect(asset.body).toMatchObject({
      status: 'ready',
      url: asset.body['play_url'],
      poster_url: expect.any(String),
      rejection: null,
    });
    expect((await api.call('GET', pathOf(asset.body['play_url']!))).raw.equals(PIXEL)).toBe(true);
    expect(dataOf(await api.call('GET', '/v1/assets?status=ready', { key: venue })).map(({ id }) => id)).toEqual([
      created.body['id'],
    ]);
    expect((await api.call('GET', `/v1/assets/${created.body['id']}`, { key })).status).toBe(404);
    expect(await api.sql`select 1 from change_log where entity = 'asset'`).toHaveLength(1);
  });

  test('a file that is not an image is refused by its name or rejected by its content', async () => {
    expect(await api.call('POST', '/v1/assets', { key, body: { name: 'Menu', filename: 'menu.mp4' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/filename' }] },
    });
    const created = await api.call('POST', '/v1/assets', { key, body: { name: 'Menu', filename: 'menu.jpg' } });
    expect(await upload(api, created.body['upload_url']!, PIXEL, 'image/jpeg')).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'wrong_content' }] },
    });
    expect((await api.call('GET', `/v1/assets/${created.body['id']}`, { key })).body).toMatchObject({
      status: 'rejected',
      rejection: { code: 'wrong_content' },
    });
  });
});
