/** Builds the player with Vite: one page, one script, one style sheet and a service worker, in `player/dist`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWhenChanged } from './hashed-build.ts';

const PLAYER = join(import.meta.dirname, 'player');
/** The player's connection. */
const SDK = ['screen', 'errors.ts'].map(name => join(import.meta.dirname, '../sdk/typescript/src', name));
const MANIFEST = join(import.meta.dirname, '../package.json');
/** Web views of televisions from 2020 on know ES2019. */
const TARGET = 'es2019';

/** Builds the player unless its sources are those of the build that is there. Resolves with the folder. */
export async function buildPlayer(): Promise<string> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
  return buildWhenChanged({
    dist: join(PLAYER, 'dist'),
    sources: [PLAYER, ...SDK, import.meta.filename],
    stamp: version,
    make: outDir => bundle(outDir, version),
  });
}

async function bundle(outDir: string, version: string): Promise<void> {
  const { build } = await import('vite'); // a third of a second, which a start without a change must not cost
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
}
