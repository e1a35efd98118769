/**
 * Engines of a run, or of one test, on a fresh folder and free ports; nothing of them stays when the run has ended.
 */
import { removeOwnedPath } from '../../../engines/processes/owned.ts';
import { type EngineOptions, type Engines, startEngines } from '../../../engines/run.ts';
import { makeTemporaryFolder, sweepTemporaryFolders } from '../../../engines/temporary-folder.ts';

const PREFIX = 'marquee-test-';

/**
 * A fresh folder that PostgreSQL's user can reach also when the tests run as root. It goes with this process at the
 * latest.
 */
export const makeDataDir = (): string => makeTemporaryFolder(PREFIX);

/** Removes it when its test is over. */
export const removeDataDir = removeOwnedPath;

/** Engines on a fresh folder and free ports; `remove` stops them and deletes the folder. */
export async function startTestEngines(
  options: Omit<EngineOptions, 'dataDir' | 'analystPassword'> = {},
): Promise<Engines & { dataDir: string; remove(): Promise<void> }> {
  const dataDir = makeDataDir();
  const engines = await startEngines({ dataDir, analystPassword: 'analyst-of-tests', clickhousePort: 0, ...options });
  return {
    ...engines,
    dataDir,
    remove: async () => {
      await engines.stop();
      await removeDataDir(dataDir);
    },
  };
}

/** Deletes what test runs left when the machine went down under them; folders of running ones are not touched. */
export const sweepTestEngines = (): Promise<void> => sweepTemporaryFolders(PREFIX);
