/**
 * Builds the documentation that the API serves at `/docs`: VitePress over `docs/`, some 20 s, in a process of its own,
 * because its bundler keeps 300 MB and prints as it goes.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildWhenChanged } from './hashed-build.ts';

const DOCS = join(import.meta.dirname, '../docs');
/** The style sheet of the font, which every page has. */
const FONT = join(import.meta.dirname, 'inter.css');
const MANIFEST = createRequire(import.meta.url).resolve('vitepress/package.json');
/** Ten times the duration on a machine with two busy cores. */
const DURATION_MS_MAX = 300_000;

/** Builds the pages unless they are those of the build that is there. Resolves with the folder. */
export async function buildDocs(): Promise<string> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
  return buildWhenChanged({
    dist: join(DOCS, '.vitepress/dist'),
    sources: [DOCS, FONT, import.meta.filename],
    stamp: version,
    make: bundle,
  });
}

/** Rejects with what VitePress printed when a page cannot be built, or links to one that is not there. */
async function bundle(outDir: string): Promise<void> {
  const command = join(dirname(MANIFEST), 'bin/vitepress.js');
  await promisify(execFile)(process.execPath, [command, 'build', DOCS, '--outDir', outDir], {
    timeout: DURATION_MS_MAX,
  });
}
