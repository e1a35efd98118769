/**
 * Checking and rendering of uploads: programs run within bounds, checks that do not end are repeated or given up, equal
 * files are encoded once, and forgotten uploads are dropped. Runs in this process with real ffmpeg, a real Postgres, a
 * storage folder and a small S3 server.
 */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, type Handle } from '../../domain/id.ts';
import { createLog } from '../../runtime/log.ts';
import { openRedis } from '../../sql/redis.ts';
import { isAnyAwaited } from '#sql/creatives/media-life.ts';
import type { ObjectStorage } from '../../storage/object-storage.ts';
import { openStorage } from '../../storage/open.ts';
import { checkUploadsJob, takeInStaged } from '../../workers/media/check-uploads.ts';
import type { MediaDependencies } from '../../workers/media/media-job.ts';
import { renderMedia, type MediaOutcome } from '../../workers/media/render-media.ts';
import { runLimited } from '../../workers/media/inspection/limited-process.ts';
import { openMediaQueue, startRendering, type MediaQueue } from '../../workers/media/queue.ts';
import type { JobContext } from '../../workers/schedule.ts';
import { freshPostgres, freshRedisUrl } from '../support/engines/databases.ts';
import { handle } from '../support/handle.ts';
import { makeVideo, PIXEL, PROGRAMS } from '../support/media.ts';
import { eventually } from '../support/network.ts';
import { startS3 } from '../support/engines/s3.ts';

const WEBM = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '16'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const signal = new AbortController().signal;
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let folder: string;
let storage: ObjectStorage;
let deps: MediaDependencies;
let workspace: number;

beforeAll(async () => {
  postgres = await freshPostgres();
  folder = await mkdtemp(join(tmpdir(), 'marquee-test-media-'));
  process.env['TMPDIR'] = folder; // jobs of other test files make folders too
  storage = await openStorage(pathToFileURL(join(folder, 'storage')).href, { now: Date.now() });
  deps = { sql: postgres.sql, storage, programs: PROGRAMS, log: createLog('test', 'silent'), now: () => new Date() };
  const [row] = await postgres.sql<
    { handle: number }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now()) returning handle`;
  workspace = row!.handle;
});
afterAll(async () => {
  await postgres.drop();
  await rm(folder, { recursive: true });
});

type Row = {
  status: string;
  rejection: { code: string } | null;
  renditions: Record<string, { object: string }> | null;
  check_starts: number;
  uploaded_at: Date | null;
};
const read = async (handle: number) =>
  (await postgres.sql<Row[]>`select * from creatives where handle = ${handle}`)[0]!;
const keyOf = (handle: Handle<'creative'>) => formatId('creative', handle);

async function makeCreative(contentType: string, changes: Record<string, unknown> = {}): Promise<Handle<'creative'>> {
  const [row] = await postgres.sql<{ handle: Handle<'creative'> }[]>`insert into creatives ${postgres.sql({
    workspace_handle: workspace,
    name: 'Spot',
    orientation: 'landscape',
    kind: contentType.startsWith('image/') ? 'still' : 'video',
    duration_ms: 6_000,
    filename: 'spot',
    content_type: contentType,
    status: 'awaiting_upload',
    sandbox: false,
    upload_expires_at: new Date(Date.now() + 3_600_000),
    created_at: new Date(),
    ...changes,
  })} returning handle`;
  return row!.handle;
}

/** A creative whose file has come. */
async function makeUploaded(
  bytes: Buffer,
  contentType: string,
  changes: Record<string, unknown> = {},
): Promise<Handle<'creative'>> {
  const handle = await makeCreative(contentType, { uploaded_at: new Date(), ...changes });
  const received = await storage.receive(Readable.from([bytes]), { bytesMax: bytes.length });
  await received.stage(keyOf(handle));
  return handle;
}

/** An ffmpeg that notes each encoding in a file, and then does what `then` says. */
async function ffmpegThat(then: string): Promise<{ path: string; encodings(): Promise<number> }> {
  const path = join(await mkdtemp(join(folder, 'program-')), 'ffmpeg');
  await writeFile(
    path,
    `#!/bin/sh\ncase "$*" in *libx264*) echo . >> "${path}.log"; ${then};; *) exec ffmpeg "$@";; esac\n`,
  );
  await writeFile(`${path}.log`, '');
  await chmod(path, 0o755);
  return { path, encodings: async () => (await readFile(`${path}.log`, 'utf8')).split('\n').length - 1 };
}

const NO_QUEUE: MediaQueue = { add: async () => undefined, close: async () => undefined };
const foldersOfJobs = async () => (await readdir(folder)).filter(name => name.startsWith('marquee-media-'));

describe('a program is bounded', () => {
  const limits = { cpuMsMax: 10_000, bytesWrittenMax: 1024 * 1024 };

  test('in memory, CPU time, size of files and priority', async () => {
    const { stdout } = await runLimited('/bin/sh', ['-c', 'ulimit -v; ulimit -t; ulimit -f; nice'], { limits, signal });
    const [memoryKb, cpuSeconds, blocks, niceness] = stdout.trim().split('\n');
    // Other systems than Linux know no bound of memory.
    expect([process.platform === 'linux' ? memoryKb : '2097152', cpuSeconds, blocks]).toEqual([
      '2097152',
      '10',
      '2048',
    ]);
    expect(Number(niceness)).toBeGreaterThanOrEqual(15);
  });

  test('in time: it is killed with its child processes', async () => {
    await expect(
      runLimited('/bin/sh', ['-c', 'sleep 60 & sleep 60'], { limits: { ...limits, cpuMsMax: 100 }, signal }),
    ).rejects.toMatchObject({ code: 'media_timeout', retryable: true });
  });

  test('in CPU time: the system kills a loop, and that is not a verdict', async () => {
    await expect(
      runLimited('/bin/sh', ['-c', 'while :; do :; done'], { limits: { ...limits, cpuMsMax: 1_000 }, signal }),
    ).rejects.toMatchObject({ code: 'media_timeout' });
  });

  test('by the drain of its service', async () => {
    const stop = new AbortController();
    const running = runLimited('sleep', ['60'], { limits, signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'media_stopped' });
    await expect(runLimited('true', [], { limits, signal: stop.signal })).rejects.toMatchObject({
      code: 'media_stopped',
    });
  });

  test('and a missing program is reported', async () => {
    await expect(runLimited('/nowhere/ffmpeg', [], { limits, signal })).rejects.toMatchObject({
      code: 'media_program_missing',
    });
  });
});

describe('a check that does not end', () => {
  test('without ffmpeg or storage is not blamed on the file, and leaves nothing behind', async () => {
    const handle = await makeUploaded(await makeVideo(), 'video/mp4');
    await expect(
      renderMedia(
        { ...deps, programs: { ffmpeg: '/nowhere', ffprobe: '/nowhere' } },
        { kind: 'creative', handle },
        { signal },
      ),
    ).rejects.toMatchObject({ code: 'media_program_missing' });
    expect(await read(handle)).toMatchObject({ status: 'awaiting_upload', check_starts: 0 });
    expect(await foldersOfJobs()).toEqual([]);
    expect(await renderMedia(deps, { kind: 'creative', handle }, { signal })).toBe('ready');
    expect(await renderMedia(deps, { kind: 'creative', handle }, { signal })).toBe('gone');
  });

  test('because of the file is tried three times, and then the file is rejected', async () => {
    const { path, encodings } = await ffmpegThat('exit 1');
    const failing = { ...deps, programs: { ...PROGRAMS, ffmpeg: path } };
    const handle = await makeUploaded(await makeVideo({ name: 'a.webm', encoder: WEBM }), 'video/webm');
    for (let start = 1; start <= 3; start += 1) {
      await expect(renderMedia(failing, { kind: 'creative', handle }, { signal })).rejects.toMatchObject({
        code: 'media_not_encoded',
      });
      expect((await read(handle)).check_starts).toBe(start);
    }
    expect(await renderMedia(failing, { kind: 'creative', handle }, { signal })).toBe('rejected');
    expect([await encodings(), (await read(handle)).rejection!.code]).toEqual([3, 'cannot_be_processed']);
  });
});

test('a file with megabytes of metadata gets its verdict', async () => {
  const comment = join(folder, 'comment.txt');
  await writeFile(comment, `;FFMETADATA1\ncomment=${'x'.repeat(3_000_000)}\n`);
  const bytes = await makeVideo({ encoder: ['-i', comment, '-map_metadata', '1', '-t', '6', ...H264] });
  expect(bytes.length).toBeGreaterThan(3_000_000);
  const creative = await makeUploaded(bytes, 'video/mp4');
  expect(await renderMedia(deps, { kind: 'creative', handle: creative }, { signal })).toBe('ready');
});

test('a file longer than its header says is rejected after half a minute', async () => {
  const bytes = await makeVideo({ name: 'a.webm', seconds: 40, encoder: WEBM });
  const duration = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3; // milliseconds, in the head of a WebM file
  expect(bytes.readDoubleBE(duration)).toBeCloseTo(40_000, -3);
  bytes.writeDoubleBE(6_000, duration);
  const creative = await makeUploaded(bytes, 'video/webm');
  expect(await renderMedia(deps, { kind: 'creative', handle: creative }, { signal })).toBe('rejected');
  expect((await read(creative)).rejection).toMatchObject({
    code: 'wrong_duration',
    detail: expect.stringMatching(/lasts 6000 ms, and goes on for at least (29|30)\d{3} ms/) as string,
  });
});

test('equal files rendered at the same moment are encoded once', async () => {
  const { path, encodings } = await ffmpegThat('exec ffmpeg "$@"');
  const counting = { ...deps, programs: { ...PROGRAMS, ffmpeg: path } };
  const file = await makeVideo({ name: 'a.webm', rate: 6, encoder: WEBM });
  const handles = [await makeUploaded(file, 'video/webm'), await makeUploaded(file, 'video/webm')];
  const progress: number[] = [];
  expect(
    await Promise.all(
      handles.map(handle =>
        renderMedia(counting, { kind: 'creative', handle }, { signal, onProgress: percent => progress.push(percent) }),
      ),
    ),
  ).toEqual(['ready', 'ready']);
  const [one, other] = await Promise.all(handles.map(read));
  expect(other!.renditions).toEqual(one!.renditions);
  expect(await encodings()).toBe(1);
  expect(progress.length).toBeGreaterThan(2);
  expect(progress.every(percent => percent > 0 && percent < 100)).toBe(true);
});

test('an unneeded staged file is dropped, at once or after a day', async () => {
  const [ready, unknown, awaited] = [
    await makeCreative('image/png', { status: 'ready' }),
    handle('creative', 9_999_999),
    await makeCreative('image/png'),
  ];
  for (const handle of [ready, unknown, awaited])
    await (await storage.receive(Readable.from([PIXEL]), { bytesMax: 100 })).stage(keyOf(handle));
  const stagedAfter = async (now: Date) => {
    await takeInStaged({ sql: postgres.sql, storage, queue: NO_QUEUE, now: () => now });
    const keys = new Set((await storage.staged()).map(({ key }) => key));
    return [ready, unknown, awaited].map(handle => keys.has(keyOf(handle)));
  };
  expect(await stagedAfter(new Date())).toEqual([true, false, true]);
  expect((await read(awaited)).uploaded_at).toBeInstanceOf(Date);
  expect(await stagedAfter(new Date(Date.now() + 25 * 3_600_000))).toEqual([false, false, true]);
});

test('a staged file whose other file never arrived is dropped a day after the end of its address', async () => {
  const still = { audio_filename: 'sound.mp3', audio_content_type: 'audio/mpeg' };
  const [half, whole] = [await makeCreative('image/png', still), await makeCreative('image/png', still)];
  const stage = async (key: string) => (await storage.receive(Readable.from([PIXEL]), { bytesMax: 100 })).stage(key);
  for (const key of [keyOf(half), keyOf(whole), `${keyOf(whole)}.audio`]) await stage(key);
  const stagedAfter = async (hours: number) => {
    const now = new Date(Date.now() + hours * 3_600_000);
    await takeInStaged({ sql: postgres.sql, storage, queue: NO_QUEUE, now: () => now });
    const keys = new Set((await storage.staged()).map(({ key }) => key));
    return [keyOf(half), keyOf(whole), `${keyOf(whole)}.audio`].map(key => keys.has(key));
  };
  expect(await stagedAfter(0)).toEqual([true, true, true]);
  expect(await stagedAfter(24)).toEqual([true, true, true]);
  expect(await stagedAfter(26)).toEqual([false, true, true]); // the address was valid for an hour
});

test('a staged file that cannot be read hides no other one', async () => {
  const creatives = [await makeCreative('image/png'), await makeCreative('image/png'), await makeCreative('image/png')];
  for (const creative of creatives)
    await (await storage.receive(Readable.from([PIXEL]), { bytesMax: 100 })).stage(keyOf(creative));
  const { key: broken } = (await storage.staged()).find(({ key }) => creatives.map(keyOf).includes(key))!;
  const partly: ObjectStorage = {
    ...storage,
    readStaged: key => (key === broken ? Promise.reject(new Error('forbidden')) : storage.readStaged(key)),
  };
  const now = () => new Date();
  await expect(takeInStaged({ sql: postgres.sql, storage: partly, queue: NO_QUEUE, now })).rejects.toThrow('forbidden');
  const arrived = await Promise.all(creatives.map(async creative => (await read(creative)).uploaded_at !== null));
  expect(arrived).toEqual(creatives.map(creative => keyOf(creative) !== broken));
});

test('a file that replaces a rejected one is accepted while its address is valid, and a rejected one is checked once', async () => {
  const creative = await makeCreative('image/png');
  const stage = async (bytes: Buffer) =>
    (await storage.receive(Readable.from([bytes]), { bytesMax: 100 })).stage(keyOf(creative));
  const statusAfterLook = async (now = new Date()) => {
    await takeInStaged({ sql: postgres.sql, storage, queue: NO_QUEUE, now: () => now });
    return (await read(creative)).status;
  };
  const render = () => renderMedia(deps, { kind: 'creative', handle: creative }, { signal });
  await stage(Buffer.from('<html>not found</html>'));
  expect(await statusAfterLook()).toBe('awaiting_upload');
  expect([await render(), await statusAfterLook()]).toEqual(['rejected', 'rejected']);
  await stage(PIXEL);
  expect(await statusAfterLook(new Date(Date.now() + 3_600_000 + 16 * 60_000))).toBe('rejected');
  expect([await statusAfterLook(), await render()]).toEqual(['awaiting_upload', 'ready']);
});

test('the storage is polled only while a rejected file may be replaced', async () => {
  const isLookedAt = () => isAnyAwaited(postgres.sql, 'asset', new Date());
  const [row] = await postgres.sql<{ handle: number }[]>`insert into assets ${postgres.sql({
    workspace_handle: workspace,
    name: 'Picture',
    filename: 'picture.png',
    content_type: 'image/png',
    status: 'rejected',
    sandbox: false,
    upload_expires_at: new Date(Date.now() + 60_000),
    created_at: new Date(),
  })} returning handle`;
  expect(await isLookedAt()).toBe(true);
  await postgres.sql`update assets set upload_expires_at = ${new Date()} where handle = ${row!.handle}`;
  expect(await isLookedAt()).toBe(false);
});

test('an upload straight to an S3 store is found, queued, checked, and stored under its hash', async () => {
  const s3 = await startS3();
  const redisUrl = await freshRedisUrl();
  const [commands, worker] = [openRedis(redisUrl, { role: 'worker' }), openRedis(redisUrl, { role: 'worker' })];
  const bucket = await openStorage(s3.storageUrl(), { now: Date.now() });
  const queue = openMediaQueue({ redis: commands });
  const rendering = startRendering({ ...deps, storage: bucket }, { connection: worker });
  const job = checkUploadsJob({ storage: bucket, queue });
  try {
    await s3.believing(async () => {
      const [good, bad] = [await makeCreative('image/png'), await makeCreative('video/mp4')];
      const put = async (handle: Handle<'creative'>, type: string, body: Buffer) => {
        const url = await bucket.uploadAddress(keyOf(handle), {
          contentType: type,
          now: Date.now(),
          expiresAt: Date.now() + 60_000,
        });
        return (await fetch(url!, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': type } }))
          .status;
      };
      expect([
        await put(good, 'image/png', PIXEL),
        await put(bad, 'video/mp4', Buffer.from('<html>not found</html>')),
      ]).toEqual([200, 200]);
      const context = { sql: postgres.sql, now: () => new Date() } as JobContext;
      const verdicts = await eventually(async () => {
        await job.run(context);
        const rows = await Promise.all([good, bad].map(read));
        return rows.every(row => row.status !== 'awaiting_upload') ? rows : undefined;
      }, 30_000);
      expect(verdicts.map(row => row.status)).toEqual(['ready', 'rejected'] satisfies MediaOutcome[]);
      expect(verdicts[1]!.rejection).toMatchObject({
        code: 'wrong_content',
        detail: expect.stringContaining('a web page'),
      });
      const [still] = Object.values(verdicts[0]!.renditions!);
      expect(await bucket.find(still!.object)).toEqual({ bytes: PIXEL.length });
      await eventually(async () => ((await bucket.staged()).length === 0 ? true : undefined));
    });
  } finally {
    await rendering.close();
    await queue.close();
    commands.disconnect();
    worker.disconnect();
    await s3.close();
  }
});

test('a workspace that uploads many files at once delays the file of another by at most one check', async () => {
  const redisUrl = await freshRedisUrl();
  const [commands, worker] = [openRedis(redisUrl, { role: 'worker' }), openRedis(redisUrl, { role: 'worker' })];
  const queue = openMediaQueue({ redis: commands });
  const [other] = await postgres.sql<
    { handle: number }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Other', 'EUR', now()) returning handle`;
  const many: Handle<'creative'>[] = [];
  for (let index = 0; index < 8; index++) many.push(await makeUploaded(PIXEL, 'image/png'));
  const one = await makeUploaded(PIXEL, 'image/png', { workspace_handle: other!.handle });
  await checkUploadsJob({ storage, queue }).run({ sql: postgres.sql, now: () => new Date() } as JobContext);
  const fetched: string[] = [];
  const noting: ObjectStorage = {
    ...storage,
    readStaged: key => {
      fetched.push(key);
      return storage.readStaged(key);
    },
  };
  const rendering = startRendering({ ...deps, storage: noting }, { connection: worker });
  try {
    await eventually(async () => (new Set(fetched).size === many.length + 1 ? true : undefined), 30_000);
    expect(fetched.indexOf(keyOf(one))).toBe(1);
    const rows = await eventually(async () => {
      const all = await Promise.all([...many, one].map(read));
      return all.every(row => row.status === 'ready') ? all : undefined;
    }, 30_000);
    expect(rows).toHaveLength(9);
  } finally {
    await rendering.close();
    await queue.close();
    commands.disconnect();
    worker.disconnect();
  }
});
