/**
 * Files are uploaded to signed addresses and downloaded as assets. An upload is taken once, judged by its first bytes,
 * and can be replaced after a rejection. The API and the upload check run in this process on real engines and a storage
 * folder of their own.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UPLOAD_BYTES_MAX } from '../../../domain/campaigns/creative.ts';
import { parseId } from '../../../domain/id.ts';
import { claimUpload } from '#sql/creatives/upload-claims.ts';
import { takeInStaged } from '../../../workers/media/check-uploads.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  MP4,
  startApi,
  upload,
  type Answer,
  type TestApi,
} from '../support/app-under-test.ts';
import { PIXEL } from '../../support/media.ts';
import { standIn } from '../../support/stand-in.ts';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown> = {}) =>
  api.call('POST', '/v1/creatives', {
    key,
    body: { name: 'A', orientation: 'portrait', duration_ms: 9_000, filename: 'a.mp4', ...changes },
  });
const read = (created: Answer) => api.call('GET', `/v1/creatives/${created.body['id']}`, { key });

describe('uploads', () => {
  test('an uploaded file waits for its check, and its address is closed', async () => {
    const created = await create();
    expect(created.body).toMatchObject({
      status: 'awaiting_upload',
      content_type: 'video/mp4',
      url: null,
      uploaded_at: null,
      upload_url: expect.stringContaining('http://api.test/uploads/cre_'),
    });
    const sha256 = createHash('sha256').update(MP4).digest('hex');
    expect(await upload(api, created.body['upload_url']!, MP4, 'video/mp4')).toMatchObject({
      status: 200,
      body: { id: created.body['id'], status: 'awaiting_upload', sha256, bytes: MP4.length },
    });
    expect((await read(created)).body).toMatchObject({
      status: 'awaiting_upload',
      url: null,
      uploaded_at: expect.any(String),
      upload_url: null,
      expires_at: null,
    });
    const [event] = await api.sql<{ type: string }[]>`select type from outbox order by handle desc limit 1`;
    expect(event!.type).toBe('creative.uploaded');
  });

  test.each([
    ['mp4', 'video/mp4', 'a.mp4', MP4],
    ['mov', 'video/quicktime', 'a.mov', Buffer.from('\0\0\0\x14ftypqt  xxxx', 'latin1')],
    ['webm', 'video/webm', 'a.webm', Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.from('....webm')])],
    ['jpeg', 'image/jpeg', 'a.JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])],
    ['png', 'image/png', 'a.png', PIXEL],
    ['webp', 'image/webp', 'a.webp', Buffer.from('RIFF....WEBPVP8 ')],
  ])('%s is recognized by its first bytes', async (_name, contentType, filename, payload) => {
    const created = await create({ filename });
    expect(created.body['content_type']).toBe(contentType);
    expect((await upload(api, created.body['upload_url']!, payload, contentType)).status).toBe(200);
  });

  test.each([
    ['is empty', Buffer.alloc(0), 'empty_file', 'empty'],
    ['is another type', PIXEL, 'wrong_content', 'image/png'],
    ['is a ZIP archive', Buffer.from('PK\u0003\u0004...', 'latin1'), 'wrong_content', 'a ZIP archive'],
    ['is a web page', Buffer.from('<!doctype html><title>404</title>'), 'wrong_content', 'a web page'],
    ['is text', Buffer.from('hello'), 'wrong_content', 'does not begin like video/mp4'],
  ])('a file that %s rejects the creative at once, with its reason', async (_name, payload, code, detail) => {
    const created = await create();
    expect(await upload(api, created.body['upload_url']!, payload, 'video/mp4')).toMatchObject({
      status: 422,
      body: { code: 'upload_rejected', errors: [{ code, detail: expect.stringContaining(detail) }] },
    });
    expect((await read(created)).body).toMatchObject({
      status: 'rejected',
      rejection: { code, detail: expect.stringContaining(detail) },
      url: null,
    });
    const [event] = await api.sql<{ type: string }[]>`select type from outbox order by handle desc limit 1`;
    expect(event!.type).toBe('creative.rejected');
    expect((await api.storage.staged()).map(({ key }) => key)).not.toContain(created.body['id']);
  });

  test('a right file at the same address replaces a wrong one', async () => {
    const created = await create();
    const url = created.body['upload_url']!;
    expect((await upload(api, url, Buffer.from('hello'), 'video/mp4')).status).toBe(422);
    expect((await upload(api, url, MP4, 'video/mp4')).status).toBe(200);
    expect((await read(created)).body).toMatchObject({
      status: 'awaiting_upload',
      rejection: null,
      uploaded_at: expect.any(String),
    });
    expect((await upload(api, url, MP4, 'video/mp4')).status).toBe(409);
  });

  test('a rejected creative gets a new address by naming another file', async () => {
    const created = await create();
    const path = `/v1/creatives/${created.body['id']}`;
    await upload(api, created.body['upload_url']!, Buffer.from('hello'), 'video/mp4');
    expect(await api.call('PATCH', path, { key, body: { duration_ms: 8_000 } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/filename' }] },
    });
    const mended = await api.call('PATCH', path, { key, body: { filename: 'spot.png' } });
    expect(mended.body).toMatchObject({
      status: 'awaiting_upload',
      rejection: null,
      bytes: null,
      filename: 'spot.png',
    });
    expect((await upload(api, mended.body['upload_url']!, PIXEL, 'image/png')).status).toBe(200);
    await api.render();
    expect((await read(created)).body).toMatchObject({ status: 'ready' });
  });

  test('a file staged under a former name is dropped, and not mistaken for the named file', async () => {
    const created = await create();
    const id = created.body['id']!;
    const isStaged = async () => (await api.storage.staged()).some(({ key }) => key === id);
    await upload(api, created.body['upload_url']!, Buffer.from('hello'), 'video/mp4');
    await (await api.storage.receive(Readable.from([MP4]), { bytesMax: MP4.length })).stage(id); // as to an S3 store
    const stranger = await createKey(api, await createWorkspace(api));
    const name = (as: string, filename: string) =>
      api.call('PATCH', `/v1/creatives/${id}`, { key: as, body: { filename } });
    expect([(await name(stranger, 'spot.png')).status, await isStaged()]).toEqual([404, true]);
    expect([(await name(key, 'spot.exe')).status, await isStaged()]).toEqual([422, true]);
    expect([(await name(key, 'spot.png')).status, await isStaged()]).toEqual([200, false]);
    await takeInStaged({
      sql: api.sql,
      storage: api.storage,
      queue: standIn({}),
      now: () => new Date(api.clock.now()),
    });
    expect((await read(created)).body).toMatchObject({ status: 'awaiting_upload', uploaded_at: null });
  });

  test('a content type that was not announced gives 415, and the address stays valid', async () => {
    const created = await create();
    expect((await upload(api, created.body['upload_url']!, MP4, 'image/png')).status).toBe(415);
    expect((await upload(api, created.body['upload_url']!, MP4, undefined)).status).toBe(415);
    expect((await upload(api, created.body['upload_url']!, MP4, 'Video/MP4; codecs=x')).status).toBe(200);
  });

  test('an expired address gives 410, a forged one 404 whatever it names, and a used one 409', async () => {
    const created = await create();
    const url = created.body['upload_url']!;
    expect(await upload(api, url.replace(/signature=./, 'signature=-'), MP4, 'video/mp4')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await upload(api, url.replace(/expires=\d/, 'expires=9'), MP4, 'video/mp4')).toMatchObject({ status: 404 });
    expect(await upload(api, 'http://api.test/uploads/cre_0?expires=1&signature=x', MP4, 'video/mp4')).toMatchObject({
      status: 404,
    });
    expect(await upload(api, 'http://api.test/uploads/cre_0', MP4, 'video/mp4')).toMatchObject({
      status: 400,
      body: { code: 'bad_query_parameter' },
    });
    api.clock.offsetMs += 3_600_001;
    expect(await upload(api, url, MP4, 'video/mp4')).toMatchObject({ status: 410, body: { code: 'upload_expired' } });
    expect((await read(created)).body).toMatchObject({ upload_url: null, expires_at: null });
    api.clock.offsetMs -= 3_600_001;
    expect((await upload(api, url, MP4, 'video/mp4')).status).toBe(200);
    expect(await upload(api, url, MP4, 'video/mp4')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test('two simultaneous uploads are one upload', async () => {
    const url = (await create()).body['upload_url']!;
    const answers = await Promise.all([upload(api, url, MP4, 'video/mp4'), upload(api, url, MP4, 'video/mp4')]);
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409]);
  });

  test('while a file is being stored no row is locked, a second upload is refused, and the workers ignore the file', async () => {
    const created = await create();
    const handle = parseId('creative', created.body['id']!)!;
    const url = created.body['upload_url']!;
    const { receive } = api.storage;
    const during: unknown[] = [];
    api.storage.receive = async (...given) => {
      api.storage.receive = receive;
      const received = await receive.apply(api.storage, given);
      const stage = async (name: string): Promise<void> => {
        await received.stage(name);
        during.push(await api.sql`select uploaded_at from creatives where handle = ${handle} for update skip locked`);
        await takeInStaged({
          sql: api.sql,
          storage: api.storage,
          queue: standIn({}),
          now: () => new Date(api.clock.now()),
        });
        during.push((await upload(api, url, MP4, 'video/mp4')).status, (await read(created)).body['uploaded_at']);
      };
      return Object.assign(Object.create(received) as typeof received, { stage });
    };
    expect((await upload(api, url, MP4, 'video/mp4')).status).toBe(200);
    expect(during).toEqual([[{ uploaded_at: null }], 409, null]);
    expect(await api.sql`select 1 from upload_claims`).toEqual([]);
  });

  test('the workers take over the file of a process that died after some minutes', async () => {
    const created = await create();
    const handle = parseId('creative', created.body['id']!)!;
    const now = api.clock.now();
    expect(await claimUpload(api.sql, { kind: 'creative', handle, part: 'file' }, new Date(now))).toBeDefined();
    await (await api.storage.receive(Readable.from([MP4]), { bytesMax: UPLOAD_BYTES_MAX })).stage(created.body['id']!);
    const takeInAt = async (ms: number) => {
      await takeInStaged({ sql: api.sql, storage: api.storage, queue: standIn({}), now: () => new Date(ms) });
      return (await read(created)).body['uploaded_at'] as unknown;
    };
    expect(await takeInAt(now + 4 * 60_000)).toBeNull();
    expect(await takeInAt(now + 6 * 60_000)).toEqual(expect.any(String));
    await api.sql`delete from upload_claims`;
  });

  test('a file whose declared length is too large is refused before it is read', async () => {
    const { pathname, search } = new URL((await create()).body['upload_url']!);
    const answer = await api.call('PUT', pathname + search, {
      payload: 'x',
      headers: { 'content-type': 'video/mp4', 'content-length': String(UPLOAD_BYTES_MAX + 1) },
    });
    expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  test('the file goes through over a real connection without being held in memory', async () => {
    const created = await create();
    const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { pathname, search } = new URL(created.body['upload_url']!);
    const chunk = Buffer.alloc(1024 * 1024, 7);
    let sent = 0;
    const before = process.memoryUsage().arrayBuffers;
    let heldMax = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        heldMax = Math.max(heldMax, process.memoryUsage().arrayBuffers - before);
        controller.enqueue(sent === 0 ? MP4 : chunk);
        sent += 1;
        if (sent > 150) controller.close();
      },
    });
    const response = await fetch(address + pathname + search, {
      method: 'PUT',
      body,
      duplex: 'half',
      headers: { 'content-type': 'video/mp4' },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ bytes: MP4.length + 150 * chunk.length });
    // well under half of the file; this process also holds what the client has read ahead
    expect(heldMax).toBeLessThan(60 * 1024 * 1024);
  });
});

describe('assets', () => {
  let path: string;
  beforeAll(async () => {
    const received = await api.storage.receive(Readable.from([MP4]), { bytesMax: MP4.length });
    path = `/assets/${await received.keep('mp4')}`;
  });

  test('a file is sent whole, as immutable and with its hash as ETag', async () => {
    const { status, headers, raw } = await api.call('GET', path);
    expect([status, raw.equals(MP4)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      etag: `"${path.slice(8, 72)}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'content-length': String(MP4.length),
    });
  });

  test('a range is answered 206', async () => {
    const { status, headers, raw } = await api.call('GET', path, { headers: { range: 'bytes=100-199' } });
    expect([status, headers['content-range'], headers['content-length'], raw.equals(MP4.subarray(100, 200))]).toEqual([
      206,
      `bytes 100-199/${MP4.length}`,
      '100',
      true,
    ]);
    expect((await api.call('GET', path, { headers: { range: 'bytes=-8' } })).raw.equals(MP4.subarray(-8))).toBe(true);
  });

  test('a range beyond the end is answered 416', async () => {
    const { status, headers } = await api.call('GET', path, { headers: { range: 'bytes=9999999-' } });
    expect([status, headers['content-range']]).toEqual([416, `bytes */${MP4.length}`]);
  });

  test('a range of another version returns the whole file', async () => {
    expect((await api.call('GET', path, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } })).status).toBe(200);
    expect(
      (await api.call('GET', path, { headers: { range: 'bytes=0-1', 'if-range': `"${path.slice(8, 72)}"` } })).status,
    ).toBe(206);
  });

  test('a file that the client already has gives 304, and HEAD has no body', async () => {
    expect(await api.call('GET', path, { headers: { 'if-none-match': `W/"${path.slice(8, 72)}"` } })).toMatchObject({
      status: 304,
    });
    const head = await api.call('HEAD', path);
    expect([head.status, head.headers['content-length'], head.raw.length]).toEqual([200, String(MP4.length), 0]);
  });

  test.each([
    '/assets/x',
    `/assets/${'0'.repeat(64)}.mp4`,
    '/assets/..%2f..%2fetc%2fpasswd',
    `/assets/${'0'.repeat(64)}.exe`,
  ])('%s is 404', async url => {
    expect(await api.call('GET', url)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('creatives', () => {
  test('lists filter by status and orientation, and pages neither skip nor repeat while creatives are added', async () => {
    const home = await createKey(api, await createWorkspace(api));
    const make = (name: string, orientation: string) =>
      api.call('POST', '/v1/creatives', {
        key: home,
        body: { name, orientation, duration_ms: 9_000, filename: 'a.mp4' },
      });
    for (let number = 1; number <= 5; number += 1)
      await make(`C${number}`, number % 2 === 0 ? 'portrait' : 'landscape');
    const first = await api.call('GET', '/v1/creatives?limit=2', { key: home });
    await make('C6', 'portrait');
    const second = await api.call('GET', `/v1/creatives?limit=2&cursor=${first.body['next_cursor']}`, { key: home });
    const third = await api.call('GET', `/v1/creatives?limit=2&cursor=${second.body['next_cursor']}`, { key: home });
    expect([first, second, third].map(page => dataOf(page).map(creative => creative['name']))).toEqual([
      ['C5', 'C4'],
      ['C3', 'C2'],
      ['C1'],
    ]);
    expect(third.body).toMatchObject({ has_more: false, next_cursor: null });
    expect(
      dataOf(await api.call('GET', '/v1/creatives?orientation=portrait&status=awaiting_upload', { key: home })).map(
        creative => creative['name'],
      ),
    ).toEqual(['C6', 'C4', 'C2']);
    expect(dataOf(await api.call('GET', '/v1/creatives?status=ready', { key: home }))).toEqual([]);
  });

  test('detaching the last creative of a live campaign pauses it; another one keeps it live', async () => {
    const [one, two] = [await createReadyCreative(api, key, 'One'), await createReadyCreative(api, key, 'Two')];
    const campaign = (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [one, two]) })).body[
      'id'
    ]!;
    await api.review();
    const statusOf = async () => (await api.call('GET', `/v1/campaigns/${campaign}`, { key })).body['status'];
    expect((await api.call('DELETE', `/v1/creatives/${one}`, { key })).status).toBe(204);
    expect(await statusOf()).toBe('live');
    expect((await api.call('DELETE', `/v1/creatives/${two}`, { key })).status).toBe(204);
    expect(await statusOf()).toBe('paused');
    expect((await api.call('DELETE', `/v1/creatives/${two}`, { key })).status).toBe(404);
    expect(await api.call('PATCH', `/v1/campaigns/${campaign}`, { key, body: { status: 'live' } })).toMatchObject({
      status: 409,
      body: { code: 'creative_not_ready' },
    });
    const actions = await api.sql<{ action: string }[]>`select action from audit_entries order by handle desc limit 2`;
    expect(actions.map(entry => entry.action)).toEqual(['campaign.paused', 'creative.detached']);
  });
});
