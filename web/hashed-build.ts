/**
 * A build that the API serves: `<dist>/<hash of the sources>/`, and `<dist>/current` with that hash. A build that is
 * there is not made again, so that a start costs a few milliseconds; two builds at once each write a folder of their
 * own, and the one that is first is kept.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * `sources`: folders and files whose content decides whether there is something to build. `stamp`: text that does so,
 * too. `make` writes the build into the folder that it is given.
 */
export type HashedBuild = {
  dist: string;
  sources: readonly string[];
  stamp: string;
  make: (outDir: string) => Promise<void>;
};

/** Builds unless the sources are those of the build that is there. Resolves with the folder of the build. */
export async function buildWhenChanged(options: HashedBuild): Promise<string> {
  const { dist } = options;
  const hash = await hashSources(options);
  const folder = join(dist, hash);
  if (!existsSync(folder)) await makeBuild(folder, options);
  if ((await currentBuild(dist)) !== hash) {
    await writeFile(`${folder}.current`, hash);
    await rename(`${folder}.current`, join(dist, 'current'));
    await removeOthers(dist, hash);
  }
  return folder;
}

async function currentBuild(dist: string): Promise<string | undefined> {
  try {
    return await readFile(join(dist, 'current'), 'utf8');
  } catch {
    return undefined; // none so far
  }
}

async function hashSources({ sources, stamp, dist }: HashedBuild): Promise<string> {
  const hash = createHash('sha256').update(stamp);
  for (const source of sources)
    for (const file of await filesOf(source, dist))
      hash
        .update(relative(source, file))
        .update('\0')
        .update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** The files below a folder in the order of their names, without those of builds; a file is its own. */
async function filesOf(source: string, dist: string): Promise<string[]> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (!entries) return [source];
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !file.startsWith(`${dist}/`))
    .sort();
}

async function makeBuild(folder: string, { dist, make }: HashedBuild): Promise<void> {
  const outDir = join(dist, `building-${randomUUID()}`);
  await mkdir(dist, { recursive: true });
  await make(outDir);
  try {
    await rename(outDir, folder);
  } catch (error) {
    await rm(outDir, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another process has made the same build meanwhile
  }
}

async function removeOthers(dist: string, hash: string): Promise<void> {
  const others = (await readdir(dist)).filter(
    name => name !== hash && name !== 'current' && !name.startsWith('building-'),
  );
  await Promise.all(others.map(name => rm(join(dist, name), { recursive: true, force: true })));
}
