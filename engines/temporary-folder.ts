/**
 * Temporary data folders: made for a test run or a demo, removed at its end, and swept up by the next one where it had
 * no end.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removePath } from './processes/ending.ts';
import { ownPath } from './processes/owned.ts';
import { CLAIM_FILE } from './processes/pid-file.ts';
import { endOrphans } from './run.ts';

/**
 * A fresh folder that the database's own user can reach, and that is removed when this process ends, however it ends.
 */
export function makeTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  ownPath(folder);
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes such folders that were left when the machine itself went down; those of living processes are not touched. */
export async function sweepTemporaryFolders(prefix: string): Promise<void> {
  const folders = readdirSync(tmpdir())
    .filter(name => name.startsWith(prefix))
    .map(name => join(tmpdir(), name));
  await Promise.all(
    folders.map(async folder => {
      // Engines are in the folder itself or, those of an instance, in one of their own. Without a claim it is just
      // being made, or removed.
      const claimed = [folder, join(folder, 'engines')].find(candidate => existsSync(join(candidate, CLAIM_FILE)));
      if (claimed !== undefined && (await endOrphans(claimed))) await removePath(folder);
    }),
  );
}
