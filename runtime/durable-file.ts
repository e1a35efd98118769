/**
 * Small files that are either complete or absent after a power failure: written under another name, flushed to the
 * disk, renamed, and the folder flushed, without which the new name would be in memory only. A file that is merely
 * written may exist and be empty afterwards.
 */
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from './fault-error.ts';

type FileText = { path: string; text: string; mode: number };

/** Creates a file; false if it already exists, which leaves it unchanged. */
export function createDurably(file: FileText): boolean {
  return writeAndRename(file, temporary => {
    try {
      linkSync(temporary, file.path); // unlike a rename it never replaces another file
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(temporary);
    }
  });
}

/** Creates a file, or replaces the one that exists. */
export function replaceDurably(file: FileText): void {
  writeAndRename(file, temporary => renameSync(temporary, file.path));
}

function writeAndRename<T>({ path, text, mode }: FileText, rename: (temporary: string) => T): T {
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode, flush: true });
  const result = rename(temporary);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return result;
}

/** As much as one write of an issue log, the largest of the small files. */
const PROBE_BYTES = 64 * 1024;

/**
 * Creates a folder, and tests writing to it.
 * @param variable of the environment that names the folder
 * @throws Fault `folder_unusable`, for a full disk, a read-only one, or a missing right
 */
export function assertWritable(folder: string, variable: string): void {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (cause) {
    throw new Fault('folder_unusable', `${variable} names ${folder}, which cannot be written: ${String(cause)}`, {
      retryable: false,
      cause,
    });
  }
}

/** Makes created, renamed and removed names of a folder survive a cut of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
