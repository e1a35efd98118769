/**
 * Programs of this repository that are started as a process or a thread of their own. `npm ci` bundles each of them
 * with its packages (`build.ts`), which starts in a quarter of the CPU time that the loader of TypeScript takes. A
 * bundle is used while every source in it, and the list of packages, is what it was made of; otherwise the program runs
 * from its source. So an edit makes a start slower, and never makes it run what is no longer written there.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What is bundled, by the path of its source from the root of the repository. */
export const PROGRAMS = [
  'api/main.ts',
  'api/forecasts/threads/network.ts',
  'cli/admin/admin.ts',
  'cli/migrate.ts',
  'delivery/main.ts',
  'engines/clickhouse/main.ts',
  'engines/clickhouse/reading/analyst-main.ts',
  'ingest/main.ts',
  'runtime/programs/start.ts',
  'workers/main.ts',
  'workers/threads/look-back.ts',
  'workers/threads/plan-delivery.ts',
] as const;

export type ProgramName = (typeof PROGRAMS)[number];

/** The arguments for Node: the file, and the options to run it. */
export type Program = { file: string; execArgv: string[] };

/** Bundles by the path of their source. `file` and `inputs` are paths from the root; `hash` is `hashOf` the inputs. */
export type Manifest = Record<string, { file: string; inputs: string[]; hash: string }>;

export const ROOT = join(import.meta.dirname, '../..');
/** From the root, where `build.ts` writes the bundles, and beside them which of them are to be used. */
export const BUNDLES = 'dist/programs';
export const MANIFEST = `${BUNDLES}/manifest.json`;
/** From the root: what Node is given to run a program without knowing whether it has a bundle (`start.ts`). */
export const STARTER = `${BUNDLES}/start.mjs`;
/** Further inputs of a bundle: the versions of the packages, and their patches. */
const packagesOf = (root: string) => [
  'package-lock.json',
  ...readdirSync(join(root, 'patches')).map(name => `patches/${name}`),
];

/**
 * How a program is started: from its bundle if that is made of the sources that are there, or else from its source.
 * @param root of the repository, another one where a test starts another version
 */
export function programOf(source: ProgramName, root: string = ROOT): Program {
  const bundle = bundleOf(source, root);
  return bundle === undefined
    ? { file: join(root, source), execArgv: ['--import', tsxLoader()] }
    : { file: join(root, bundle), execArgv: ['--enable-source-maps'] };
}

/**
 * The bundle of a source, if it is made of the sources that are there, or if the source is not (`pack.ts`). Both are
 * paths from the root.
 */
export function bundleOf(source: string, root: string): string | undefined {
  const bundle = readManifest(root)?.[source];
  if (bundle === undefined || !existsSync(join(root, bundle.file))) return undefined;
  if (!existsSync(join(root, source))) return bundle.file;
  return hashOf(bundle.inputs, root) === bundle.hash ? bundle.file : undefined;
}

/**
 * The hash of files (paths from the root) with their names, and of what packages are made of; undefined: one is not
 * there.
 */
export function hashOf(files: readonly string[], root: string): string | undefined {
  const hash = createHash('sha256');
  try {
    for (const file of [...packagesOf(root), ...files]) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}

function readManifest(root: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(root, MANIFEST), 'utf8')) as Manifest;
  } catch {
    return undefined; // not built, or cut off while it was: a start from the source is right, too
  }
}

/** The loader of TypeScript, as `node --import` takes it from whichever folder a program is started. */
export const tsxLoader = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
