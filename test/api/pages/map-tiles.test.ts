/**
 * Street tiles as the API serves them: which archives it takes, who may read them, and by which ranges. The console's
 * maps with them are in test/web/console-map.test.ts.
 */
import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Compression, TileType } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMapArchive, RANGE_BYTES_MAX, type MapArchive } from '../../../api/pages/map-archive.ts';
import { createLog } from '../../../runtime/log.ts';
import { pmtilesOf, vectorTile } from '../../web/support/pmtiles.ts';
import { createKey, createWorkspace, startApi, type TestApi } from '../support/app-under-test.ts';

const PATH = '/console/map-tiles';
const VECTOR = { vector_layers: [{ id: 'roads' }] };
const LINE = [
  [0, 0],
  [4096, 4096],
] as const;
const TILE = { z: 0, x: 0, y: 0, data: vectorTile({ roads: [{ kind: 'highway', of: 'line', points: LINE }] }) };
/** A picture that is larger than an answer may be; nothing looks into it. */
const LARGE = { z: 1, x: 0, y: 0, data: new Uint8Array(RANGE_BYTES_MAX + 1_000) };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-map-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Line = { level: number; msg: string; err?: { message: string } };

/** A log whose lines the test reads. */
function readLog() {
  const lines: Line[] = [];
  const log = createLog('api', 'error', { write: (line: string) => lines.push(JSON.parse(line) as Line) });
  return { log, lines };
}

async function write(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

describe('an archive', () => {
  const vector = pmtilesOf({ tiles: [TILE], type: TileType.Mvt, metadata: VECTOR });
  const damaged = Buffer.from(vector);
  damaged.fill(7, 127, 150);

  test.each([
    ['streets', vector],
    ['pictures', pmtilesOf({ tiles: [TILE], type: TileType.Png, metadata: {} })],
  ])('of %s is taken', async (name, bytes) => {
    const { log, lines } = readLog();
    const archive = await openMapArchive(await write(`${name}.pmtiles`, bytes), log);
    expect([archive?.bytes, lines]).toEqual([bytes.length, []]);
    await archive?.close();
  });

  test.each([
    ['is nothing', undefined, 'ENOENT'],
    ['is empty', Buffer.alloc(0), ''],
    ['is something else', Buffer.from('<html>'.repeat(100)), 'Wrong magic number'],
    ['is cut off', vector.subarray(0, vector.length - 1), 'is cut off'],
    ['is damaged', damaged, ''],
    [
      'cannot be unpacked',
      pmtilesOf({ tiles: [TILE], type: TileType.Mvt, metadata: VECTOR, compression: Compression.Zstd }),
      'browsers cannot unpack tiles of Zstd',
    ],
    [
      'has other layers',
      pmtilesOf({ tiles: [TILE], type: TileType.Mvt, metadata: { vector_layers: [{ id: 'transportation' }] } }),
      "none of the layers of Protomaps' basemap is in the tiles, but: transportation",
    ],
  ])('that %s is named in the log, and is none', async (name, bytes, reason) => {
    const path = bytes ? await write(`${name}.pmtiles`, bytes) : join(folder, 'absent');
    const { log, lines } = readLog();
    expect(await openMapArchive(path, log)).toBeUndefined();
    expect(lines).toMatchObject([{ msg: 'the file of MAP_TILES is unusable: maps show countries alone' }]);
    expect(lines[0]!.err!.message).toContain(reason);
  });
});

describe('/console/map-tiles', () => {
  const bytes = pmtilesOf({ tiles: [TILE, LARGE], type: TileType.Png, metadata: {}, compression: Compression.None });
  const { log } = readLog();
  let path: string;
  let archive: MapArchive;
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    path = await write('served.pmtiles', bytes);
    archive = (await openMapArchive(path, log))!;
    api = await startApi({ mapArchive: archive, log });
    key = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  });
  afterAll(async () => {
    await api.close();
    await archive.close();
  });

  const ask = (range: string | undefined, options = {}) =>
    api.call('GET', PATH, { key, headers: range === undefined ? {} : { range }, ...options });

  test('returns a range of the file under the name of the archive', async () => {
    const { status, headers, raw } = await ask('bytes=100-299');
    expect([status, headers['content-range'], headers['content-length'], headers['etag']]).toEqual([
      206,
      `bytes 100-299/${bytes.length}`,
      '200',
      `"${archive.version}"`,
    ]);
    expect(raw.equals(bytes.subarray(100, 300))).toBe(true);
    expect(headers['cache-control']).toContain('private');
  });

  test('ends a range where the file ends', async () => {
    const { raw, headers } = await ask(`bytes=${bytes.length - 10}-${bytes.length + 500}`);
    expect([raw.length, headers['content-range']]).toEqual([
      10,
      `bytes ${bytes.length - 10}-${bytes.length - 1}/${bytes.length}`,
    ]);
  });

  test('ends a huge range at the bound of an answer', async () => {
    const { status, raw, headers } = await ask('bytes=0-');
    expect([status, raw.length, headers['content-range']]).toEqual([
      206,
      RANGE_BYTES_MAX,
      `bytes 0-${RANGE_BYTES_MAX - 1}/${bytes.length}`,
    ]);
  });

  test.each([
    ['that begins behind the end', `bytes=${bytes.length}-`],
    ['of no bytes', 'bytes=-0'],
    ['that is absent', undefined],
    ['that are several', 'bytes=0-1,5-6'],
    ['of another unit', 'tiles=0-1'],
  ])('refuses a range %s with 416 and the size', async (_, range) => {
    const { status, headers, raw } = await ask(range);
    expect([status, headers['content-range'], raw.length]).toEqual([416, `bytes */${bytes.length}`, 0]);
  });

  test('needs a session, and does not count against the limit of a key', async () => {
    expect((await ask('bytes=0-9', { key: undefined })).status).toBe(401);
    expect((await ask('bytes=0-9', { key: 'sk_live_nothing' })).status).toBe(401);
    const cookie = `marquee_session=${'a'.repeat(43)}`;
    expect((await api.call('GET', PATH, { headers: { range: 'bytes=0-9', cookie } })).status).toBe(401);
    expect((await ask('bytes=0-9')).headers['x-ratelimit-limit']).toBeUndefined();
  });

  test('reports a file that was changed in place', async () => {
    await write('next.pmtiles', bytes);
    await truncate(path, 500);
    const { status, body } = await ask('bytes=0-99');
    expect([status, body['code']]).toEqual([503, 'engine_unavailable']);
  });

  test('keeps serving the opened archive when another one takes its name', async () => {
    const own = (await openMapArchive(await write('own.pmtiles', bytes), log))!;
    await rename(join(folder, 'next.pmtiles'), join(folder, 'own.pmtiles'));
    expect(await own.read({ first: 0, last: 9 })).toBeDefined();
    await own.close();
  });
});

test('an API without tiles has none', async () => {
  const api = await startApi();
  const key = await createKey(api, await createWorkspace(api));
  expect((await api.call('GET', PATH, { key, headers: { range: 'bytes=0-9' } })).status).toBe(404);
  await api.close();
});
