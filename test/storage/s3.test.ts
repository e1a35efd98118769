/**
 * Objects in an S3 store: the same promises as for files, and uploads that go straight to the store. A real S3 server
 * of the test on loopback.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ObjectStorage } from '../../storage/object-storage.ts';
import { openStorage } from '../../storage/open.ts';
import { startS3, type TestS3 } from '../support/engines/s3.ts';

const KEY = 'cre_0123456789abc';
let folder: string;
let s3: TestS3;
let storage: ObjectStorage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-test-s3-'));
  process.env['TMPDIR'] = folder; // what else runs here spools too
  s3 = await startS3();
  storage = await openStorage(s3.storageUrl(), { now: Date.now() });
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const staged = () => s3.believing(() => storage.staged());
const receive = (bytes: Buffer, bytesMax = bytes.length) => storage.receive(Readable.from([bytes]), { bytesMax });

async function bytesOf(stream: Readable | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('objects in an S3 store', () => {
  test('an object is found by the hash of its bytes and read back, whole or in part', async () => {
    const bytes = randomBytes(300_000);
    const received = await receive(bytes);
    expect([received.sha256, received.bytes, received.head]).toEqual([
      createHash('sha256').update(bytes).digest('hex'),
      300_000,
      bytes.subarray(0, 4_096),
    ]);
    const name = await received.keep('mp4');
    expect(name).toBe(`${received.sha256}.mp4`);
    expect(await storage.find(name)).toEqual({ bytes: 300_000 });
    expect((await bytesOf(await storage.read(name))).equals(bytes)).toBe(true);
    expect(await bytesOf(await storage.read(name, { first: 10, last: 19 }))).toEqual(bytes.subarray(10, 20));
    expect(await (await receive(bytes)).keep('mp4')).toBe(name);
  });

  test('a missing object is not found, and an invalid name causes no request', async () => {
    expect(await storage.find(`${'0'.repeat(64)}.mp4`)).toBeUndefined();
    expect(await storage.find('../../etc/passwd')).toBeUndefined();
    await expect(storage.read('../x')).rejects.toMatchObject({ code: 'storage_bad_name' });
    await expect(storage.readStaged('../x')).rejects.toMatchObject({ code: 'storage_bad_name' });
  });

  test('an oversized file leaves nothing behind on this machine', async () => {
    await expect(receive(Buffer.alloc(11), 10)).rejects.toMatchObject({ code: 'storage_too_large' });
    await (await receive(Buffer.alloc(3))).discard();
    expect(await readdir(join(folder, 'marquee-s3-spool'))).toEqual([]);
  });
});

describe('uploads straight to the store', () => {
  test('a signed address accepts one file of its type, which is listed, read and dropped', async () => {
    const now = Date.now();
    const url = (await storage.uploadAddress(KEY, { contentType: 'video/mp4', now, expiresAt: now + 60_000 }))!;
    const put = (type: string, to = url) =>
      fetch(to, { method: 'PUT', body: 'the file', headers: { 'content-type': type } });
    expect((await put('image/png')).status).toBe(403);
    expect((await put('video/mp4', url.replace('cre_0', 'cre_1'))).status).toBe(403);
    expect(await staged()).toEqual([]);
    expect((await put('video/mp4')).status).toBe(200);
    expect(await staged()).toEqual([{ key: KEY, bytes: 8, since: expect.any(Number) }]);
    expect((await bytesOf(await storage.readStaged(KEY))).toString()).toBe('the file');
    await storage.dropStaged(KEY);
    await storage.dropStaged(KEY);
    expect([await staged(), await storage.readStaged(KEY)]).toEqual([[], undefined]);
  });

  test('an expired address is refused by the store', async () => {
    const now = Date.now() - 120_000;
    const url = (await storage.uploadAddress(KEY, { contentType: 'video/mp4', now, expiresAt: now + 60_000 }))!;
    expect((await fetch(url, { method: 'PUT', body: 'late', headers: { 'content-type': 'video/mp4' } })).status).toBe(
      403,
    );
  });

  test('clients are sent to the public name of the store', async () => {
    const other = await openStorage(s3.storageUrl('&public_endpoint=https://files.example'), { now: Date.now() });
    expect(
      await other.uploadAddress(KEY, { contentType: 'video/mp4', now: Date.now(), expiresAt: Date.now() + 60_000 }),
    ).toMatch(/^https:\/\/files\.example\/files\/some\/prefix\/staged\/cre_/);
  });

  test('files received by the API can be staged as well', async () => {
    await (await receive(Buffer.from('staged'))).stage(KEY);
    expect((await bytesOf(await storage.readStaged(KEY))).toString()).toBe('staged');
    await storage.dropStaged(KEY);
  });
});

test.each([
  ['all pages', 2_500, 2_500],
  ['at most ten pages', 12_000, 10_000],
])('a list of staged files has %s of the store', async (_, objects, listed) => {
  const store = await startListing(objects);
  const { port } = store.address() as AddressInfo;
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  const paged = await openStorage(`s3://a:b@files/prefix?endpoint=${endpoint}&path_style=1`, { now: Date.now() });
  expect((await paged.staged()).map(({ key }) => key)).toEqual(Array.from({ length: listed }, (__, at) => keyAt(at)));
  store.closeAllConnections();
  store.close();
});

const keyAt = (at: number): string => `cre_${String(at).padStart(13, '0')}`;

/** Lists so many objects as a store does: the server above cannot, because OpenSSL 3 lacks the cipher of its tokens. */
async function startListing(objects: number): Promise<Server> {
  const server = createServer((request, response) => {
    const from = Number(new URL(request.url!, 'http://x').searchParams.get('continuation-token') ?? 0);
    const to = Math.min(from + 1_000, objects);
    const contents = Array.from(
      { length: to - from },
      (_, at) => `<Contents><Key>prefix/staged/${keyAt(from + at)}</Key><Size>1</Size></Contents>`,
    );
    const next = to < objects ? `<NextContinuationToken>${to}</NextContinuationToken>` : '';
    response
      .setHeader('content-type', 'application/xml')
      .end(
        `<ListBucketResult><IsTruncated>${to < objects}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
      );
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

test('a wrong key, an unreachable store and an invalid address are faults that say so', async () => {
  const stranger = await openStorage(s3.storageUrl('', 'S3RVER:wrong'), { now: Date.now() });
  await expect(stranger.staged()).rejects.toMatchObject({ code: 'storage_unavailable', retryable: true });
  const away = await openStorage(`s3://a:b@files?endpoint=${encodeURIComponent('http://127.0.0.1:1')}&path_style=1`, {
    now: Date.now(),
  });
  await expect(away.find(`${'0'.repeat(64)}.mp4`)).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(openStorage(s3.storageUrl('&acl=public'), { now: Date.now() })).rejects.toMatchObject({
    code: 'storage_bad_address',
  });
});
