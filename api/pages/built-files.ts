/**
 * Files that `web/` has built (the player, the documentation), held in memory as they are served. A build has a few
 * hundred files and some megabytes at most.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { refuse, type Refusal } from '#domain/refusal.ts';

/** Files by their path below the folder of the build, with `/` between its parts. */
export type BuiltFiles = ReadonlyMap<string, Buffer>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** For files whose names contain the hash of their content. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable';
/** For files that a newer build replaces under the same name. */
export const REVALIDATE = 'no-cache';

/** The media type of a file, by its name; undefined for types that no build has. */
export function typeOfFile(name: string): string | undefined {
  const extension = extname(name);
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}

/**
 * Reads the build in `dist` once and keeps it. While there is none, each call looks again and resolves with undefined.
 */
export function createBuiltFiles(dist: string): () => Promise<BuiltFiles | undefined> {
  let files: BuiltFiles | undefined;
  return async () => (files ??= await readBuild(dist));
}

async function readBuild(dist: string): Promise<BuiltFiles | undefined> {
  try {
    const folder = join(dist, await readFile(join(dist, 'current'), 'utf8'));
    const files = new Map<string, Buffer>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      files.set(relative(folder, file).replaceAll('\\', '/'), await readFile(file));
    }
    return files;
  } catch (error) {
    // Not built, or just being replaced by a newer build.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The answer if nothing is built. `what`: "The player", "The documentation". */
export function refuseUnbuilt(what: string): Refusal {
  return refuse('engine_unavailable', `${what} is not built here. Run: npm run prepare`);
}
