/**
 * Backups that are taken again and again into one folder: each in a subfolder named by its time, of which the newest
 * are kept. Nothing is removed before the new one is whole, and nothing that has another name.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#runtime/durable-file.ts';
import { OWN_FOLDER } from '#audit/backup-files.ts';

const NAME = /^(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
/** A backup without a manifest after this time was interrupted. A running backup is younger. */
const CUT_SHORT_MS = 24 * 3_600_000;

type Rotation<T> = { into: string; keep: number; now: Date; take: (out: string) => Promise<T> };

/** Takes a backup into a new subfolder, then removes all but the newest `keep` whole ones. */
export async function takeInTurn<T>({ into, keep, now, take }: Rotation<T>): Promise<T & { removed: string[] }> {
  await mkdir(into, { recursive: true, mode: OWN_FOLDER });
  const out = join(into, nameAt(now));
  await mkdir(out, { mode: OWN_FOLDER }); // fails if another process has begun one in this second
  const taken = await take(out).catch(async (error: unknown) => {
    await rm(out, { recursive: true, force: true }); // a full disk has room again
    throw error;
  });
  const removed = await namesToRemove(into, { keep, now });
  for (const name of removed) await removeBackup(join(into, name));
  return { ...taken, removed };
}

/** 2026-11-21T031500Z, which Windows and tar take, too. */
function nameAt(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
}

async function namesToRemove(into: string, { keep, now }: { keep: number; now: Date }): Promise<string[]> {
  const names = (await readdir(into)).filter(name => NAME.test(name)).toSorted();
  const whole = names.filter(name => existsSync(manifestOf(join(into, name))));
  const cutShort = names.filter(name => !whole.includes(name) && now.getTime() - timeOf(name) > CUT_SHORT_MS);
  return [...whole.slice(0, -keep), ...cutShort];
}

/** The manifest is deleted first, so that the rest after an interruption is not a backup. */
async function removeBackup(folder: string): Promise<void> {
  await rm(manifestOf(folder), { force: true });
  await syncFolder(folder);
  await rm(folder, { recursive: true });
}

const manifestOf = (folder: string): string => join(folder, 'manifest.json');
const timeOf = (name: string): number => Date.parse(name.replace(NAME, '$1T$2:$3:$4Z'));
