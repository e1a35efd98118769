/**
 * The file of an image: written under another name, flushed and renamed, so that there is a whole one or none. Only its
 * owner may read it: it has the hashes of the screens' tokens.
 */
import { readdirSync, rmSync } from 'node:fs';
import { open, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Position, Witness } from '#books/change-log.ts';
import { syncFolder } from '#runtime/durable-file.ts';
import { faultPoint } from '#runtime/fault.ts';
import { Fault } from '#runtime/fault-error.ts';
import { isRunning } from '#runtime/running-process.ts';
import { damaged, readSections, type Section, spellSection } from './sections.ts';

/** What an image begins with: the program that made it, and from where in the change log it can be followed. */
export type ImageHead = { maker: string; position: Position; witness: Witness };
export type Image = { head: ImageHead; sections: Iterable<Section> };

/** Ten times what a network of a hundred thousand screens takes. */
const BYTES_MAX = 512 * 1024 * 1024;
/**
 * What an image leaves of the disk. The issue logs beside it have no other: without room for a line no more ads are
 * issued, and the log of an hour may hold a hundred megabytes.
 */
const FREE_BYTES_MIN = 128 * 1024 * 1024;
/** A file that is not renamed yet; the number is that of the process that writes it. */
const UNFINISHED = /\.(\d+)\.new$/;

/**
 * Writes head, sections and end. `turn` is awaited before each section.
 * @throws what keeps the file from being written, and what `turn` throws; the image before it stays then
 */
export async function writeImage(
  path: string,
  { head, sections, turn }: { head: ImageHead; sections: Iterable<Buffer>; turn: () => Promise<void> },
): Promise<{ bytes: number }> {
  const unfinished = `${path}.${process.pid}.new`;
  let bytes = 0;
  let count = 0;
  try {
    const file = await open(unfinished, 'w', 0o600);
    const write = async (section: Buffer): Promise<void> => {
      bytes += section.length;
      if (bytes > BYTES_MAX)
        throw new Fault('image_too_large', `at most ${BYTES_MAX} bytes are written`, { retryable: false });
      await leaveRoom(dirname(path), section.length);
      await file.appendFile(section);
      faultPoint('delivery_image_section');
    };
    try {
      await write(spellSection({ kind: 'head', values: head }));
      for (const section of sections) {
        await write(section);
        count += 1;
        await turn();
      }
      await write(spellSection({ kind: 'end', values: { sections: count } }));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return { bytes };
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined); // the next start removes it
    throw error;
  }
}

/** @throws Fault `disk_nearly_full` where so many bytes more would take what issue logs need */
async function leaveRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < FREE_BYTES_MIN + bytes)
    throw new Fault('disk_nearly_full', `an image leaves ${FREE_BYTES_MIN} bytes of the disk free`, {
      retryable: true,
    });
}

/**
 * Reads an image: its head at once, its sections as they are asked for. Undefined where there is none.
 * @throws Fault `image_damaged` here or while sections are read; and what keeps the file from being read
 */
export async function readImage(path: string): Promise<Image | undefined> {
  const bytes = await readWhole(path);
  if (bytes === undefined) return undefined;
  const sections = readSections(bytes);
  const first = sections.next();
  if (first.done === true || first.value.kind !== 'head') throw damaged('it does not begin with a head');
  return { head: first.value.values as ImageHead, sections: untilEnd(sections) };
}

/** @throws Fault `image_damaged` where the end is not there, or is not the end */
function* untilEnd(sections: Iterator<Section>): Generator<Section> {
  let count = 0;
  for (let next = sections.next(); next.done !== true; next = sections.next()) {
    if (next.value.kind !== 'end') {
      count += 1;
      yield next.value;
    } else if ((next.value.values as { sections: number }).sections === count && sections.next().done === true) return;
    else throw damaged('it has another number of sections');
  }
  throw damaged('it has no end');
}

async function readWhole(path: string): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > BYTES_MAX) throw damaged('it is larger than an image may be');
    const bytes = Buffer.from(new ArrayBuffer(size)); // of its own, so that numbers lie at multiples of their size
    for (let at = 0; at < size;) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) throw damaged('it is cut off while it is read');
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** Removes what processes that are gone have not finished. */
export function removeUnfinished(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(basename(path)) ? UNFINISHED.exec(name)?.[1] : undefined;
    if (pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid))))
      rmSync(join(folder, name), { force: true });
  }
}
