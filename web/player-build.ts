/**
 * The player as the API serves it: `player/dist/<hash of the sources>/`, and `player/dist/current` with that hash. A build
 * that is there is not made again, so that a start costs a few milliseconds; two builds at once each write a folder of their
 * own, and the one that is first is kept.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const PLAYER = join(import.meta.dirname, 'player');
const DIST = join(PLAYER, 'dist');
const MANIFEST = join(import.meta.dirname, '../package.json');
/** Web views of televisions from 2020 on know ES2019. */
const TARGET = 'es2019';

/** Builds the player unless the sources are those of the build that is there. Resolves with the folder. */
export async function buildPlayer(): Promise<string> {
  const version = (JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string }).version;
  const hash = await hashSources(version);
  const folder = join(DIST, hash);
  if (!existsSync(folder)) await makeBuild(folder, version);
  if ((await currentBuild()) !== hash) {
    await writeFile(`${folder}.current`, hash);
    await rename(`${folder}.current`, join(DIST, 'current'));
    await removeOthers(hash);
  }
  return folder;
}

async function currentBuild(): Promise<string | undefined> {
  try {
    return await readFile(join(DIST, 'current'), 'utf8');
  } catch {
    return undefined; // none so far
  }
}

async function hashSources(version: string): Promise<string> {
  const entries = await readdir(PLAYER, { recursive: true, withFileTypes: true });
  const names = entries
    .filter(entry => entry.isFile())
    .map(entry => relative(PLAYER, join(entry.parentPath, entry.name)))
    .filter(name => !name.startsWith('dist/'))
    .sort();
  const hash = createHash('sha256')
    .update(version)
    .update(await readFile(import.meta.filename));
  for (const name of names)
    hash
      .update(name)
      .update('\0')
      .update(await readFile(join(PLAYER, name)));
  return hash.digest('hex').slice(0, 16);
}

async function makeBuild(folder: string, version: string): Promise<void> {
  const { build } = await import('vite'); // a third of a second, which a start without a change must not cost
  const outDir = join(DIST, `building-${randomUUID()}`);
  await mkdir(DIST, { recursive: true });
  await build({
    configFile: false,
    root: PLAYER,
    base: '/player/',
    logLevel: 'warn',
    publicDir: false,
    define: { __PLAYER_VERSION__: JSON.stringify(version) },
    build: {
      outDir,
      emptyOutDir: true,
      target: TARGET,
      cssTarget: 'chrome63',
      assetsDir: '',
      modulePreload: false,
      rolldownOptions: {
        input: { player: join(PLAYER, 'index.html'), sw: join(PLAYER, 'sw.ts') },
        output: { entryFileNames: chunk => (chunk.name === 'sw' ? 'sw.js' : '[name]-[hash].js') },
      },
    },
  });
  try {
    await rename(outDir, folder);
  } catch (error) {
    await rm(outDir, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another process has made the same build meanwhile
  }
}

async function removeOthers(hash: string): Promise<void> {
  const others = (await readdir(DIST)).filter(
    name => name !== hash && name !== 'current' && !name.startsWith('building-'),
  );
  await Promise.all(others.map(name => rm(join(DIST, name), { recursive: true, force: true })));
}
