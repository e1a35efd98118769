import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphans, type EngineOptions, type Engines, startEngines } from '../../engines/run.ts';

const PREFIX = 'marquee-test-';

/** A fresh folder that PostgreSQL's user can reach also when the tests run as root. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(folder, 0o755);
  return folder;
}

/** Engines on a fresh folder and free ports; `remove` stops them and deletes the folder. */
export async function startTestEngines(options: Omit<EngineOptions, 'dataDir' | 'analystPassword'> = {}): Promise<Engines & { dataDir: string; remove(): Promise<void> }> {
  const dataDir = await makeDataDir();
  const engines = await startEngines({ dataDir, analystPassword: 'analyst-of-tests', clickhousePort: 0, ...options });
  return {
    ...engines,
    dataDir,
    remove: async () => {
      await engines.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function isClaimed(folder: string): boolean {
  return existsSync(join(folder, 'engines.owner'));
}

/** Ends and deletes what earlier test runs left that were killed; folders of running ones are not touched. */
export async function sweepTestEngines(): Promise<void> {
  // A folder without a claim is one that is just being made, or removed.
  const folders = (await readdir(tmpdir())).filter(name => name.startsWith(PREFIX)).map(name => join(tmpdir(), name)).filter(isClaimed);
  await Promise.all(folders.map(async folder => {
    if (await endOrphans(folder)) await rm(folder, { recursive: true, force: true });
  }));
}
