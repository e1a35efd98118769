/**
 * Objects as files: each is found under the hash of its bytes, and nothing half-written stays. Real files in a
 * temporary folder.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ObjectStorage } from '../../storage/object-storage.ts';
import { openStorage } from '../../storage/open.ts';

let folder: string;
let storage: ObjectStorage;
const now = Date.now();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-storage-'));
  storage = await openStorage(pathToFileURL(folder).href, { now });
});
afterAll(() => rm(folder, { recursive: true }));

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('objects as files', () => {
  test('an object is found by the hash of its bytes and read back, whole or in part', async () => {
    const bytes = randomBytes(300_000);
    const received = await storage.receive(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), {
      bytesMax: 300_000,
    });
    expect(received.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(received.bytes).toBe(300_000);
    expect(received.head).toEqual(bytes.subarray(0, 4_096));
    const name = await received.keep('mp4');
    expect(await storage.find(name)).toEqual({ bytes: 300_000 });
    expect(await bytesOf(await storage.read(name))).toEqual(bytes);
    expect(await bytesOf(await storage.read(name, { first: 10, last: 19 }))).toEqual(bytes.subarray(10, 20));
  });

  test('no other user of the machine can read stored, staged or incoming files, including those of an earlier version', async () => {
    const name = await (await storage.receive(Readable.from([Buffer.from('an export')]), { bytesMax: 10 })).keep('csv');
    await (
      await storage.receive(Readable.from([Buffer.from('an upload')]), { bytesMax: 10 })
    ).stage('cre_0123456789abd.audio');
    const kept = join(folder, name.slice(0, 2));
    await chmod(kept, 0o755);
    await openStorage(pathToFileURL(folder).href, { now });
    const modes = await Promise.all(
      ['incoming', 'staged', 'staged/cre_0123456789abd.audio', kept, join(kept, name)].map(async path =>
        ((await stat(resolve(folder, path))).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(['700', '700', '600', '700', '600']);
    await storage.dropStaged('cre_0123456789abd.audio');
  });

  test('the same bytes twice are one object', async () => {
    const keep = async () =>
      (await storage.receive(Readable.from([Buffer.from('same')]), { bytesMax: 10 })).keep('png');
    expect(await keep()).toBe(await keep());
  });

  test('a discarded, oversized or truncated file leaves nothing behind', async () => {
    await (await storage.receive(Readable.from([Buffer.from('no')]), { bytesMax: 10 })).discard();
    await expect(
      storage.receive(Readable.from([Buffer.alloc(8), Buffer.alloc(3)]), { bytesMax: 10 }),
    ).rejects.toMatchObject({ code: 'storage_too_large', retryable: false });
    const broken = Readable.from(
      (function* cut() {
        yield Buffer.from('half');
        throw new Error('the line was cut');
      })(),
    );
    await expect(storage.receive(broken, { bytesMax: 10 })).rejects.toThrow('the line was cut');
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });

  test('an upload is staged under its key until it is dropped; a later one replaces it', async () => {
    const key = 'cre_0123456789abc.audio';
    const stage = async (text: string) =>
      (await storage.receive(Readable.from([Buffer.from(text)]), { bytesMax: 10 })).stage(key);
    await stage('one');
    await stage('another');
    expect(await storage.staged()).toEqual([{ key, bytes: 7, since: expect.any(Number) }]);
    expect((await bytesOf((await storage.readStaged(key))!)).toString()).toBe('another');
    await storage.dropStaged(key);
    await storage.dropStaged(key);
    expect([await storage.staged(), await storage.readStaged(key)]).toEqual([[], undefined]);
    await expect(storage.readStaged('../incoming')).rejects.toMatchObject({ code: 'storage_bad_name' });
    expect(await storage.uploadAddress(key, { contentType: 'video/mp4', now, expiresAt: now + 1 })).toBeUndefined();
  });

  test('an empty file is stored as an empty file', async () => {
    const received = await storage.receive(Readable.from([]), { bytesMax: 10 });
    expect(received.bytes).toBe(0);
    await received.discard();
  });

  test.each([
    '../etc/passwd',
    'x',
    '0'.repeat(64),
    `${'0'.repeat(64)}.mp4/..`,
    `${'A'.repeat(64)}.mp4`,
    `${'0'.repeat(64)}.mp4`,
  ])('%s is not an object', async name => {
    expect(await storage.find(name)).toBeUndefined();
  });

  test('an invalid name never reaches a path', async () => {
    await expect(storage.read('../../secret')).rejects.toMatchObject({ code: 'storage_bad_name' });
  });

  test('uploads that a killed process left a day ago are removed at the next start; younger ones stay', async () => {
    const old = join(folder, 'incoming', 'old');
    await writeFile(old, 'x');
    await utimes(old, new Date(now - 25 * 3_600_000), new Date(now - 25 * 3_600_000));
    await writeFile(join(folder, 'incoming', 'young'), 'x');
    await openStorage(pathToFileURL(folder).href, { now });
    expect(await readdir(join(folder, 'incoming'))).toEqual(['young']);
  });

  test('a folder that cannot be made is refused by name', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, 'x');
    await expect(openStorage(pathToFileURL(join(file, 'inside')).href, { now })).rejects.toThrow('a-file');
  });

  test('an unknown scheme is refused', async () => {
    await expect(openStorage('ftp://host/', { now })).rejects.toMatchObject({ code: 'storage_unknown' });
  });
});
