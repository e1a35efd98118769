/**
 * Disks that take no image: full ones and read-only ones. Delivery goes on, an image that is there stays whole, and the
 * log says it once. Only root may mount a disk of its own, so elsewhere few of these tests run.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#runtime/log.ts';
import { currentPosition, tellChanges } from '#books/change-log.ts';
import { type ChangeFeed, startChangeFeed } from '../../../delivery/snapshot/change-feed.ts';
import { type Filled, fillStore } from '../../../delivery/snapshot/image/fill-store.ts';
import { type ImageKeeper, startImageKeeper } from '../../../delivery/snapshot/image/image-keeper.ts';
import { createLoader } from '../../../delivery/snapshot/loader.ts';
import { Store } from '../../../delivery/snapshot/store.ts';
import { ScreenClient } from '../../support/screen-client.ts';
import { addCampaign, addScreen, createWorld, metricOf, PUBLIC_URL, type World } from '../delivery-under-test.ts';

const isLinux = process.platform === 'linux';
const mayMount = isLinux && process.getuid?.() === 0;
const FATAL = createLog('delivery', 'fatal');
const MAKER = 'this test';
const WRITING = 'the image of the snapshot cannot be written; the next start may be a slow one';
/** With less than an image leaves to the issue logs, and with more. */
const SMALL = 'size=100m';
const LARGE = 'size=300m';

let world: World;
let folder: string;
let path: string;
/** What is done to the folder again before it is removed. */
const undos: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  world = await createWorld();
  await addCampaign(world);
  await addScreen(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-disk-'));
  path = join(folder, 'snapshot.image');
});
afterEach(async () => {
  for (const undo of undos.splice(0)) await undo();
  await rm(folder, { recursive: true, force: true });
});

type Started = { store: Store; feed: ChangeFeed; filled: Filled };

/** What a process does when it starts. */
async function start(): Promise<Started> {
  const { sql } = world;
  const store = new Store(Date.now());
  const loader = createLoader({ sql, publicUrl: PUBLIC_URL, log: FATAL });
  const filled = await fillStore({ sql, store, loader, path, maker: MAKER, log: FATAL });
  const { position } = filled;
  const feed = await startChangeFeed({ sql, store, loader, log: FATAL, position, onEffects: () => undefined });
  onTestFinished(() => feed.close());
  return { store, feed, filled };
}

type Line = { level: number; msg: string; err?: { code: string } };

/** A keeper that knows of no image, and what it writes into the log. */
function keep({ store, feed }: Started): { keeper: ImageKeeper; lines: Line[] } {
  const lines: Line[] = [];
  const log = createLog('delivery', 'info', { write: line => void lines.push(JSON.parse(line) as Line) });
  return {
    lines,
    keeper: startImageKeeper({ sql: world.sql, store, feed, path, maker: MAKER, imageAtMs: undefined, log }),
  };
}

/** Until it has failed by itself; when it ends it tries once more. */
async function failed({ keeper }: { keeper: ImageKeeper }): Promise<void> {
  await vi.waitUntil(() => keeper.counts.failures === 1, { timeout: 20_000 });
}

async function writeWhole(): Promise<Buffer> {
  await keep(await start()).keeper.close();
  return readFileSync(path);
}

/** Puts a disk into the folder, or makes what was there another one. */
function mount(options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  undos.push(() => void execFileSync('umount', ['--lazy', folder]));
}

const remount = (options: string) => void execFileSync('mount', ['-o', `remount,${options}`, folder]);

/** A screen that is added now is known here, so edits are still followed. */
async function expectToFollow({ store, feed }: Started): Promise<void> {
  const screen = await addScreen(world);
  const { number } = await currentPosition(world.sql);
  await tellChanges(world.sql);
  await vi.waitUntil(() => feed.followed()!.position.number >= number, { timeout: 10_000 });
  expect(store.screens.screenIndex(screen.handle)).toBeDefined();
}

describe('a disk that is full', () => {
  test.runIf(isLinux)('in the middle of an image keeps the one before it, whole', async () => {
    const whole = await writeWhole();
    const started = await start();
    const kept = keep(started);
    const unfinished = `${path}.${process.pid}.new`;
    await symlink('/dev/full', unfinished);
    await failed(kept);
    expect(kept.lines).toMatchObject([{ level: 40, msg: WRITING, err: { code: 'ENOSPC' } }]);
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(await readdir(folder)).toEqual(['snapshot.image']);
    await expectToFollow(started);
    expect((await start()).filled.refused).toBeUndefined();
    await kept.keeper.close();
  });

  test.runIf(mayMount)('takes no image while issue logs need what is left, and takes one again later', async () => {
    mount(SMALL);
    const started = await start();
    const kept = keep(started);
    await failed(kept);
    expect(await readdir(folder)).toEqual([]);
    await expectToFollow(started);
    remount(LARGE);
    await kept.keeper.close();
    expect(kept.keeper.counts).toMatchObject({ failures: 1, written: 1 });
    expect(kept.lines).toMatchObject([
      { level: 40, msg: WRITING, err: { code: 'disk_nearly_full' } },
      { level: 30, msg: 'the image of the snapshot is written again' },
    ]);
    expect((await start()).filled.refused).toBeUndefined();
  });

  test.runIf(mayMount)('is said once, however often it is tried, and the image before it is followed', async () => {
    mount(LARGE);
    const whole = await writeWhole();
    await addScreen(world);
    remount(SMALL);
    const kept = keep(await start());
    await failed(kept);
    await kept.keeper.close();
    expect(kept.keeper.counts).toMatchObject({ failures: 2, written: 0 });
    expect(kept.lines).toMatchObject([{ msg: WRITING }]);
    expect(readFileSync(path).equals(whole)).toBe(true);
    const { store, filled } = await start();
    expect(filled.refused).toBeUndefined();
    const screens = await world.sql<{ count: number }[]>`select count(*) as count from screens`;
    expect(store.screens.size).toBe(screens[0]!.count);
  });

  test.runIf(mayMount)(
    'keeps no screen from its ads',
    async () => {
      mount(SMALL);
      const { token } = await addScreen(world);
      const delivery = await world.start({ DATA_DIR: folder, DELIVERY_NODE: 'full' });
      await expect.poll(() => metricOf(delivery.opsUrl, 'delivery_image_failures'), { timeout: 20_000 }).toBe(1);
      const { client } = await ScreenClient.connect(delivery.url, token);
      expect(await client.fill()).toMatchObject({ kind: 'still' });
      client.close();
      expect(await delivery.stop()).toBe(0);
      const names = await readdir(join(folder, 'delivery', 'full'));
      expect(names.filter(name => name.startsWith('snapshot.image'))).toEqual([]);
    },
    60_000,
  );
});

test.runIf(mayMount || process.getuid?.() !== 0)(
  'a folder that is read-only keeps its image, which the next start follows',
  async () => {
    if (mayMount) mount(LARGE);
    const whole = await writeWhole();
    if (mayMount) remount('ro');
    else await chmod(folder, 0o500);
    undos.unshift(() => (mayMount ? remount('rw') : chmod(folder, 0o700)));
    const started = await start();
    const kept = keep(started);
    await failed(kept);
    await expectToFollow(started);
    await kept.keeper.close();
    expect(kept.keeper.counts).toMatchObject({ failures: 2, written: 0 });
    expect(kept.lines).toMatchObject([{ msg: WRITING, err: { code: mayMount ? 'EROFS' : 'EACCES' } }]);
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect((await start()).filled.refused).toBeUndefined();
  },
);
