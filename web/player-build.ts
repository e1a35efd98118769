/**
 * Builds the player into `player/dist`: Vite makes the page, its module and its style sheet; esbuild makes the scripts
 * that older televisions must read, too: the legacy player, the fallback that loads it, and the service worker.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build as buildScripts, type Metafile } from 'esbuild';
import { buildWhenChanged } from './hashed-build.ts';

const PLAYER = join(import.meta.dirname, 'player');
/** The style sheet of the font, which every page has. */
const FONT = join(import.meta.dirname, 'inter.css');
/** The player's connection. */
const SDK = ['screen', 'errors.ts'].map(name => join(import.meta.dirname, '../sdk/typescript/src', name));
const MANIFEST = join(import.meta.dirname, '../package.json');
/** The module keeps `?.`, so browsers before Chromium 80 refuse it at once and get the legacy script. */
const MODULE_TARGET = 'chrome80';
/** Chromium of webOS 4: no async functions, no object spread. */
const LEGACY_TARGET = 'chrome53';

/** Builds the player unless its sources are those of the build that is there. Resolves with the folder. */
export async function buildPlayer(): Promise<string> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
  return buildWhenChanged({
    dist: join(PLAYER, 'dist'),
    sources: [PLAYER, FONT, ...SDK, import.meta.filename],
    stamp: version,
    make: outDir => bundle(outDir, version),
  });
}

async function bundle(outDir: string, version: string): Promise<void> {
  const { build } = await import('vite'); // a third of a second, which a start without a change must not cost
  const define = { __PLAYER_VERSION__: JSON.stringify(version) };
  await build({
    configFile: false,
    root: PLAYER,
    base: '/player/',
    logLevel: 'warn',
    publicDir: false,
    define: { ...define, __IS_LEGACY__: 'false' },
    build: {
      outDir,
      emptyOutDir: true,
      target: MODULE_TARGET,
      cssTarget: 'chrome53',
      assetsDir: '',
      modulePreload: false,
      rolldownOptions: {
        input: { player: join(PLAYER, 'index.html') },
        output: { entryFileNames: '[name]-[hash].js' },
      },
    },
  });
  const scripts = { bundle: true, minify: true, format: 'iife', target: LEGACY_TARGET, outdir: outDir } as const;
  await buildScripts({ ...scripts, entryPoints: [join(PLAYER, 'sw.ts')] });
  const named = { ...scripts, entryNames: '[name]-[hash]', metafile: true } as const;
  const fallback = await buildScripts({ ...named, entryPoints: [join(PLAYER, 'fallback.ts')] });
  const polyfills = await buildScripts({ ...scripts, entryPoints: [join(PLAYER, 'polyfills.ts')], write: false });
  const legacy = await buildScripts({
    ...named,
    entryPoints: { legacy: join(PLAYER, 'main.ts') },
    banner: { js: polyfills.outputFiles[0]!.text },
    define: { ...define, __IS_LEGACY__: 'true' },
    loader: { '.css': 'empty' }, // the page links its style sheet
  });
  const urlOf = ({ metafile }: { metafile: Metafile }): string =>
    `/player/${basename(Object.keys(metafile.outputs)[0]!)}`;
  await addFallback(join(outDir, 'index.html'), urlOf(fallback), urlOf(legacy));
}

/** Puts the fallback after the module: deferred scripts run in the order of the page. */
async function addFallback(page: string, fallback: string, legacy: string): Promise<void> {
  const tag = `<script defer src="${fallback}" data-legacy="${legacy}"></script>\n</body>`;
  await writeFile(page, (await readFile(page, 'utf8')).replace('</body>', tag));
}
