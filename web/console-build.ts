/**
 * Builds the console with Vite into `console/dist`: one page, scripts that are loaded page by page, style sheets, and
 * the shapes of countries. The client of the API comes from `sdk/`, under the name that the package will have.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWhenChanged } from './hashed-build.ts';

const CONSOLE = join(import.meta.dirname, 'console');
/** The style sheet of the font, which every page has. */
const FONT = join(import.meta.dirname, 'inter.css');
const SDK = join(import.meta.dirname, '../sdk/typescript/src');
/** Code that the console shares with delivery and players. */
const SHARED = ['../domain/plays/decision.ts', '../domain/screens/ad-weaving.ts', 'player/plays/turn.ts'].map(file =>
  join(import.meta.dirname, file),
);
const LOCK_FILE = join(import.meta.dirname, '../package-lock.json');
/** Browsers of the last three years, as React 19 and MapLibre require. */
const TARGET = 'es2022';

/** Builds the console unless its sources are those of the build that is there. Resolves with the folder. */
export async function buildConsole(): Promise<string> {
  return buildWhenChanged({
    dist: join(CONSOLE, 'dist'),
    sources: [CONSOLE, FONT, SDK, ...SHARED, import.meta.filename],
    stamp: await readFile(LOCK_FILE, 'utf8').catch(() => ''), // its packages are part of the build
    make: bundle,
  });
}

async function bundle(outDir: string): Promise<void> {
  const { build } = await import('vite'); // a third of a second, which a start without a change must not cost
  await build({
    configFile: false,
    root: CONSOLE,
    base: '/console/',
    logLevel: 'error',
    publicDir: false,
    resolve: { alias: { '@marquee/sdk': join(SDK, 'index.ts') } },
    // The same build wherever it is made: under tests, too, React is the small and quick one.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: TARGET,
      assetsInlineLimit: 0, // the content security policy allows files of this server alone
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_500, // the map is one file, and only pages with a map load it
    },
  });
}
