import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Small files that a cut of power leaves whole or leaves out: written under another name, flushed to the disk, put in their
 * place, and the folder flushed, without which the new name would be in memory only. A file that is just written may be there
 * and empty after a cut.
 */
type FileText = { path: string; text: string; mode: number };

/** Makes a file that was not there; false when there is one already, which stays as it is. */
export function createDurably(file: FileText): boolean {
  return placeDurably(file, unplaced => {
    try {
      linkSync(unplaced, file.path); // unlike a rename it never takes the place of another
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(unplaced);
    }
  });
}

/** Makes a file, or takes the place of the one that is there. */
export function replaceDurably(file: FileText): void {
  placeDurably(file, unplaced => renameSync(unplaced, file.path));
}

function placeDurably<T>({ path, text, mode }: FileText, place: (unplaced: string) => T): T {
  const unplaced = `${path}.${process.pid}.new`;
  writeFileSync(unplaced, text, { mode, flush: true });
  const placed = place(unplaced);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return placed;
}

/** Makes names that were made, moved or removed in a folder survive a cut of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
