/**
 * Finds uploads to check: uploads straight to the storage are detected there, complete ones are queued, and abandoned
 * ones are dropped.
 */
import { formatId, parseId } from '#domain/id.ts';
import {
  isAnyAwaited,
  isComplete,
  lockMedia,
  readMedia,
  waitingMedia,
  writeUpload,
  type MediaKind,
  type MediaRow,
} from '#sql/creatives/media-life.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { isClaimed } from '#sql/creatives/upload-claims.ts';
import type { ObjectStorage, StagedObject } from '#storage/object-storage.ts';
import type { MediaQueue } from './queue.ts';
import type { Job } from '../schedule.ts';
import type { Milliseconds } from '#domain/unit.ts';

const KINDS: readonly MediaKind[] = ['creative', 'asset'];
const ROUND_MEDIA_MAX = 100;
/** The storage is only listed while an upload to it may be running, and at most this often. */
const LISTED_EVERY_MS = 1_000;
/** An upload that began before its address ended: 200 MiB over a line of 2 Mbit/s. */
const UPLOAD_MS_MAX = 15 * 60 * 1_000;
/** An abandoned upload: no address is valid for so long. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000;
const SWEPT_EVERY_MS = 60 * 60 * 1_000;
/** One file that cannot be taken in must not hide the others; this many failures mean that an engine is down. */
const FAILURES_MAX = 10;

type UploadDependencies = { sql: Postgres; storage: ObjectStorage; queue: MediaQueue; now: () => Date };

/** The scheduled job. Its lock keeps it to one process. */
export function checkUploadsJob({ storage, queue }: Pick<UploadDependencies, 'storage' | 'queue'>): Job {
  let listedAtMs = 0;
  let sweptAtMs = 0;
  return {
    name: 'check-uploads',
    everyMs: 250, // the maximum wait of an upload's owner; two look-ups of an index that is nearly always empty
    lock: 40,
    async run({ sql, now }) {
      const dependencies = { sql, storage, queue, now };
      const atMs = now().getTime();
      if (
        atMs - listedAtMs >= LISTED_EVERY_MS &&
        ((await anyAwaited(dependencies)) || atMs - sweptAtMs >= SWEPT_EVERY_MS)
      ) {
        listedAtMs = atMs;
        sweptAtMs = atMs;
        try {
          await takeInStaged(dependencies);
        } finally {
          await queueWaiting(dependencies);
        }
      } else await queueWaiting(dependencies);
      return 0; // queued uploads are not done: there is no backlog here
    },
  };
}

async function anyAwaited({ sql, now }: UploadDependencies): Promise<boolean> {
  const since = new Date(now().getTime() - UPLOAD_MS_MAX);
  return (await Promise.all(KINDS.map(kind => isAnyAwaited(sql, kind, since)))).includes(true);
}

async function queueWaiting({ sql, queue }: UploadDependencies): Promise<void> {
  for (const kind of KINDS) {
    const waiting = await waitingMedia(sql, kind, ROUND_MEDIA_MAX);
    if (waiting.length > 0) await queue.add(waiting.map(media => ({ kind, ...media })));
  }
}

/**
 * Records every staged file that is missing in its row, and drops the abandoned ones.
 * @throws the first error, after the other files
 */
export async function takeInStaged(dependencies: UploadDependencies): Promise<void> {
  const failures: unknown[] = [];
  for (const staged of await dependencies.storage.staged()) {
    await takeIn(dependencies, staged).catch((error: unknown) => failures.push(error));
    if (failures.length >= FAILURES_MAX) break;
  }
  if (failures.length > 0) throw failures[0];
}

async function takeIn({ sql, storage, now }: UploadDependencies, { key, bytes, since }: StagedObject): Promise<void> {
  const [id = '', suffix] = key.split('.');
  const kind = KINDS.find(candidate => parseId(candidate, id) !== undefined);
  const handle = kind && parseId(kind, id);
  const part = suffix === undefined ? 'file' : 'audio';
  if (kind === undefined || handle === undefined) return storage.dropStaged(key);
  const row = await readMedia(sql, kind, handle);
  const at = now();
  if (row === undefined) return storage.dropStaged(key);
  if (!isAwaited(row, part, at)) {
    if (at.getTime() - unneededSince(row, since) > ABANDONED_MS) await storage.dropStaged(key);
    return;
  }
  if (await isClaimed(sql, { kind, handle, part }, at)) return; // the process that stages or drops it handles it
  // The list may be older than a verdict or a new name, which drop the staged file.
  if (!(await isStaged(storage, key))) return;
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, async unit => {
    const locked = await lockMedia(unit, kind, handle);
    if (locked === undefined || !isAwaited(locked, part, at)) return;
    if (locked.upload_expires_at?.getTime() !== row.upload_expires_at?.getTime()) return; // another file was named
    await writeUpload(unit, { kind, id: formatId(kind, handle), row: locked }, { part, bytes });
  });
}

/** A rejected file may be replaced while the address is valid, as at the API's own addresses. */
function isAwaited(row: MediaRow, part: 'file' | 'audio', now: Date): boolean {
  if (row.status === 'rejected') return (row.upload_expires_at?.getTime() ?? 0) + UPLOAD_MS_MAX > now.getTime();
  return row.status === 'awaiting_upload' && !(part === 'file' ? row.uploaded_at : row.audio_uploaded_at);
}

/**
 * Since when nothing needs a file that is not awaited (ms): its row has a verdict, or the other file of the row can no
 * longer arrive. Infinity while it waits for its check.
 */
function unneededSince(row: MediaRow, stagedMs: Milliseconds): Milliseconds {
  if (row.status !== 'awaiting_upload') return stagedMs;
  return isComplete(row) ? Infinity : (row.upload_expires_at?.getTime() ?? Infinity);
}

async function isStaged(storage: ObjectStorage, key: string): Promise<boolean> {
  const source = await storage.readStaged(key);
  source?.destroy();
  return source !== undefined;
}
