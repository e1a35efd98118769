/**
 * From an upload to the files of screens: fetch, check, render, store, record. Everything is found by content: a file
 * uploaded before by any workspace is neither inspected nor encoded again. The uploaded bytes are read once into the
 * job's own folder, and exactly the checked bytes are stored, whatever is put to the upload's address meanwhile.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeMedia } from '#domain/campaigns/creative.ts';
import { extensionOf } from '#domain/campaigns/file-type.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { faultPoint } from '#runtime/fault.ts';
import { Fault } from '#runtime/fault-error.ts';
import { histogram } from '#runtime/metrics.ts';
import {
  excuseCheck,
  lockMedia,
  noteProgress,
  startCheck,
  writeReady,
  writeRejected,
  type Accepted,
  type MediaKind,
} from '#sql/creatives/media-life.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { findContent, recordContent, withContentLock } from '#sql/creatives/contents.ts';
import { withClaims } from '#sql/creatives/upload-claims.ts';
import { fetchUpload, type FetchedUpload } from './fetch-upload.ts';
import { inspectAudio, inspectStill, inspectVideo, type Inspection } from './inspection/inspect.ts';
import { CHECKED_SHARE, type MediaDependencies, type MediaJob, type Rejected } from './media-job.ts';
import { renderPoster, type Source } from './render.ts';
import { renditionsOf, storeFile } from './renditions.ts';

export type MediaRef = { kind: MediaKind; handle: Handle<MediaKind> };
export type MediaOutcome = 'ready' | 'rejected' | 'gone';

/** A check that started this often and never ended is the file's fault: it kills its reader, or takes too long. */
const CHECK_STARTS_MAX = 3;
const FOLDER_PREFIX = 'marquee-media-';
/** No job takes longer. */
const FOLDER_AGE_MS_MAX = 60 * 60 * 1_000;
const PROGRESS_STEP_PERCENT = 5;
const seconds = histogram({
  name: 'workers_media_seconds',
  help: 'Time from the begin of a check to its verdict',
  labels: ['verdict'],
  buckets: [0.1, 0.5, 2, 10, 30, 60, 120, 300],
});
/**
 * Brings one upload to its verdict.
 * @throws Fault if a retry may help: a storage that is down, a program that was killed. The file is not blamed for the
 * first kind; a file that ends `CHECK_STARTS_MAX` checks with the second is rejected.
 */
export async function renderMedia(
  dependencies: MediaDependencies,
  { kind, handle }: MediaRef,
  { signal, onProgress = () => undefined }: { signal: AbortSignal; onProgress?: (percent: number) => void },
): Promise<MediaOutcome> {
  const row = await startCheck(dependencies.sql, kind, handle);
  if (!row) return 'gone';
  const id = formatId(kind, handle);
  const stopTimer = seconds.startTimer();
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
  try {
    const report = progressReporter(percent => {
      onProgress(percent);
      // Nothing waits for this; the next line replaces a lost one.
      noteProgress(dependencies.sql, { kind, handle, percent }).catch((error: unknown) =>
        dependencies.log.warn({ err: error }, 'progress cannot be noted'),
      );
    });
    const job: MediaJob = { ...dependencies, id, row, kind, folder, signal, onProgress: report };
    const result = row.check_starts > CHECK_STARTS_MAX ? cannotBeProcessed() : await judgeUpload(job);
    const outcome = await writeVerdict(job, result);
    stopTimer({ verdict: outcome });
    return outcome;
  } catch (error) {
    if (!isFilesDoing(error)) await excuseCheck(dependencies.sql, kind, handle);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the job folders of a killed process. */
export async function sweepMediaFolders(now: Date): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter(entry => entry.startsWith(FOLDER_PREFIX))) {
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(() => undefined); // another process was faster
    if (found && now.getTime() - found.mtimeMs > FOLDER_AGE_MS_MAX) await rm(path, { recursive: true, force: true });
  }
}

function isFilesDoing(error: unknown): boolean {
  return error instanceof Fault && (error.code === 'media_timeout' || error.code === 'media_not_encoded');
}

function cannotBeProcessed(): Rejected {
  return {
    rejection: {
      code: 'cannot_be_processed',
      detail:
        'The file takes too long to decode or cannot be transcoded. Export it as H.264 in MP4, at most 1920 x 1080, and upload it again.',
    },
  };
}

function progressReporter(report: (percent: number) => void): (share: number) => void {
  let last = 0;
  return share => {
    const percent = Math.min(99, Math.floor(share * 100));
    if (percent < last + PROGRESS_STEP_PERCENT) return;
    last = percent;
    report(percent);
  };
}

async function judgeUpload(job: MediaJob): Promise<Accepted | Rejected> {
  const { row } = job;
  const file = await fetchUpload(job, { key: job.id, contentType: row.content_type });
  if ('rejection' in file) return file;
  const audio = row.audio_content_type
    ? await fetchUpload(job, { key: `${job.id}.audio`, contentType: row.audio_content_type })
    : undefined;
  if (audio && 'rejection' in audio) return audio;
  // A sound is cut to the duration, so a still with sound is another content for another duration.
  const content = audio ? `${file.sha256}+${audio.sha256}+${row.duration_ms}` : file.sha256;
  return withContentLock(job.sql, content, () => judgeContent(job, { content, file, audio }));
}

type UploadedContent = { content: string; file: FetchedUpload; audio: FetchedUpload | undefined };

async function judgeContent(job: MediaJob, { content, file, audio }: UploadedContent): Promise<Accepted | Rejected> {
  const { row } = job;
  const known = await findContent(job.sql, content);
  const inspection: Inspection = known ? { facts: known.media } : await inspect(job, file, audio);
  if ('rejection' in inspection) return inspection;
  const { facts } = inspection;
  const rejection = judgeMedia(facts, {
    ...(row.orientation !== undefined && { orientation: row.orientation as Orientation }),
    ...(row.duration_ms !== undefined && { durationMs: row.duration_ms }),
  });
  if (rejection) return { rejection };
  job.onProgress(CHECKED_SHARE);
  const original = await storeFile(job, file.path, extensionOf(file.contentType));
  if (audio) await storeFile(job, audio.path, extensionOf(audio.contentType));
  const source: Source = { path: file.path, contentType: file.contentType, facts };
  const renditions = await renditionsOf(job, { content, source, original, audio });
  const poster = known?.poster ?? (await storeFile(job, await renderPoster(source, job.folder, job), 'jpg')).object;
  if (!known) await recordContent(job, { content, media: facts, poster });
  return { sha256: file.sha256, bytes: file.bytes, media: facts, renditions, poster };
}

async function inspect(job: MediaJob, file: FetchedUpload, audio: FetchedUpload | undefined): Promise<Inspection> {
  const inspection = file.contentType.startsWith('image/')
    ? await inspectStill(file.path, file.contentType)
    : await inspectVideo(file.path, file.contentType, job);
  if ('rejection' in inspection || !audio) return inspection;
  const rejection = await inspectAudio(audio.path, audio.contentType, job);
  return rejection ? { rejection } : inspection;
}

/**
 * Writes the verdict, and only then drops the upload: after a crash in between the sweep finds it. A rejected file may
 * be replaced from its verdict on, so until it is dropped no process takes in the staged file.
 */
async function writeVerdict(job: MediaJob, result: Accepted | Rejected): Promise<MediaOutcome> {
  const { sql, storage, kind, id, row, now } = job;
  const settle = async () => {
    const outcome = await recordVerdict(job, result);
    faultPoint('workers.after_media_verdict');
    await storage.dropStaged(id);
    if (row.audio_content_type) await storage.dropStaged(`${id}.audio`);
    return outcome;
  };
  return 'rejection' in result ? withClaims(sql, { kind, handle: row.handle, now: now() }, settle) : settle();
}

function recordVerdict({ sql, kind, id, row: { handle }, now }: MediaJob, result: Accepted | Rejected) {
  return inUnitOfWork<MediaOutcome>(sql, { actor: SYSTEM_ACTOR, now: now() }, async unit => {
    const row = await lockMedia(unit, kind, handle);
    if (row?.status !== 'awaiting_upload') return 'gone'; // detached meanwhile
    if ('rejection' in result)
      await writeRejected(unit, { kind, id, row }, { rejection: result.rejection, stored: undefined });
    else await writeReady(unit, { kind, id, row }, result);
    return 'rejection' in result ? 'rejected' : 'ready';
  });
}
