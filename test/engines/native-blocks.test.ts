/**
 * ClickHouse's native compression against ClickHouse itself: the files of a table are blocks of the same kind, so their
 * checksums prove ours.
 */
import { createClient } from '@clickhouse/client';
import { uncompressSync } from 'lz4-napi';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cityHash128 } from '../../engines/clickhouse/native-compression/city-hash.ts';
import { NativeBlocks } from '../../engines/clickhouse/native-compression/native-blocks.ts';
import { startTestEngines } from '../support/engines/engines.ts';

let engines: Awaited<ReturnType<typeof startTestEngines>>;
beforeAll(async () => {
  engines = await startTestEngines({
    external: { databaseUrl: 'postgres://elsewhere', redisUrl: 'redis://elsewhere' },
    supervise: true,
  });
});
afterAll(() => engines?.remove());

type Block = { checksum: string; own: string; method: number; data: Buffer };

function blocksOf(bytes: Buffer): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < bytes.length;) {
    const block = bytes.subarray(at + 16, at + 16 + bytes.readUInt32LE(at + 17));
    const packed = Buffer.concat([block.subarray(5, 9), block.subarray(9)]);
    const method = block[0]!;
    const checksum = bytes.subarray(at, at + 16).toString('hex');
    const data = method === 0x82 ? uncompressSync(packed) : block.subarray(9);
    blocks.push({ checksum, own: cityHash128(block).toString('hex'), method, data });
    at += 16 + block.length;
  }
  return blocks;
}

const pack = async (data: Buffer) => buffer(new NativeBlocks().end(data));

describe('a block', () => {
  test('of a ClickHouse table has the checksum computed here, for any size', async () => {
    const admin = createClient({ url: engines.urls.clickhouseUrl });
    await admin.command({
      query: `CREATE TABLE packed (size UInt16, text String CODEC(LZ4)) ENGINE = MergeTree PARTITION BY size
        ORDER BY size SETTINGS min_bytes_for_wide_part = 0`,
    });
    for (let size = 0; size < 40; size += 1)
      await admin.command({
        query: `INSERT INTO packed SELECT ${size}, randomPrintableASCII(${size * 8}) FROM numbers(${1 + (size % 3)})`,
      });
    await admin.close();
    const data = join(engines.dataDir, 'clickhouse', 'data', 'store');
    const files = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.bin'))
      .map(entry => readFileSync(join(entry.parentPath, entry.name)));
    const blocks = files.flatMap(blocksOf);
    expect(blocks.length).toBeGreaterThanOrEqual(80);
    expect(blocks.map(({ own }) => own)).toEqual(blocks.map(({ checksum }) => checksum));
  });

  test.each([[1], [15], [16], [127], [128], [1_000], [2 ** 20], [3 * 2 ** 20 + 5]])(
    'of %i packed bytes unpacks to the same bytes',
    async size => {
      const data = Buffer.alloc(size, 'campaign, screen, venue; ');
      const blocks = blocksOf(await pack(data));
      expect(blocks).toHaveLength(Math.ceil(size / 2 ** 20));
      expect(blocks.every(({ checksum, own, method }) => checksum === own && method === 0x82)).toBe(true);
      expect(Buffer.concat(blocks.map(block => block.data)).equals(data)).toBe(true);
    },
  );
});

describe('compress=1', () => {
  const ask = async (sql: string) => {
    const { url, username, password } = engines.clickhouse;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const reply = await fetch(`${url}/?compress=1`, { method: 'POST', body: sql, headers: { authorization } });
    return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
  };

  test('leaves an error as plain text, as ClickHouse does', async () => {
    const { reply, bytes } = await ask('SELECT nothing');
    expect([reply.status, bytes.toString()]).toEqual([404, expect.stringMatching(/^Code: 47\./)]);
  });

  test.each([
    ['a small answer', 'SELECT number FROM numbers(1000)', 1_000],
    ['one that is streamed', 'SELECT number FROM numbers(1000000)', 1_000_000],
  ])('packs %s', async (_name, sql, rows) => {
    const { reply, bytes } = await ask(sql);
    expect([reply.status, reply.headers.get('content-encoding')]).toEqual([200, null]);
    const text = Buffer.concat(blocksOf(bytes).map(({ data }) => data)).toString();
    expect(text.trimEnd().split('\n')).toEqual(Array.from({ length: rows }, (_, number) => String(number)));
  });
});
