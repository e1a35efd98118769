/**
 * From an upload to what screens play: fetch, check, render, store, record. Everything is found by content: a file that
 * was uploaded before, by whomever, is neither inspected nor encoded again. The uploaded bytes are read once into a
 * folder of the job's own, and what is stored is what was checked, whatever is put to the upload's address meanwhile.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { judgeHead, judgeMedia, UPLOAD_BYTES_MAX, type UploadRejection } from '#domain/campaigns/creative.ts';
import { extensionOf, HEAD_BYTES } from '#domain/campaigns/file-type.ts';
import { formatId, type Handle } from '#domain/id.ts';
import {
  alsoServes,
  STILL_PROFILE,
  stillFits,
  treatmentOf,
  VIDEO_PROFILES,
  type MediaFacts,
  type Renditions,
  type VideoProfile,
} from '#domain/campaigns/rendition.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { faultPoint } from '#runtime/fault.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import { counter, histogram } from '#runtime/metrics.ts';
import {
  excuseCheck,
  lockMedia,
  noteProgress,
  startCheck,
  writeReady,
  writeRejected,
  type Accepted,
  type MediaKind,
  type MediaRow,
} from '#books/media-life.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import { inspectAudio, inspectStill, inspectVideo, type Inspection, type Tools } from './inspect.ts';
import type { Programs } from './limited-process.ts';
import {
  encodeStillWithAudio,
  encodeVideo,
  remux,
  renderPoster,
  renderStill,
  STILL_FRAME_RATE,
  type Source,
} from './render.ts';

export type MediaDependencies = {
  sql: Postgres;
  storage: ObjectStorage;
  programs: Programs;
  log: Log;
  now: () => Date;
};
export type MediaRef = { kind: MediaKind; handle: Handle<MediaKind> };
export type MediaOutcome = 'ready' | 'rejected' | 'gone';

/**
 * A check that was begun so often and never ended is the file's doing: it kills whoever looks at it, or takes too long.
 */
const CHECK_STARTS_MAX = 3;
const FOLDER_PREFIX = 'marquee-media-';
/** No job lasts that long. */
const FOLDER_AGE_MS_MAX = 60 * 60 * 1_000;
/** First key of the advisory locks of contents; any constant that nobody else uses in this database. */
const CONTENT_LOCK_SPACE = 7_265_003;
const PROGRESS_STEP_PERCENT = 5;
/** The share of a job after which the renditions begin. */
const CHECKED_SHARE = 0.2;

const seconds = histogram({
  name: 'workers_media_seconds',
  help: 'Time from the begin of a check to its verdict',
  labels: ['verdict'],
  buckets: [0.1, 0.5, 2, 10, 30, 60, 120, 300],
});
const encodings = counter({
  name: 'workers_media_renditions_total',
  help: 'Renditions by what it took',
  labels: ['treatment'],
});

type Rejected = { rejection: UploadRejection };
type Fetched = { path: string; sha256: string; bytes: number; contentType: string };
type MediaJob = MediaDependencies &
  Tools & { id: string; row: MediaRow; kind: MediaKind; folder: string; onProgress: (share: number) => void };

/**
 * Brings one upload to its verdict.
 * @throws Fault where it may be tried again: a storage that is away, a program that was killed. The file is not blamed
 *   for the first kind; a file that ends `CHECK_STARTS_MAX` checks with the second is rejected.
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
      // Nobody waits for this; a line that is lost is followed by the next.
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

/** Removes the folders of jobs that a killed process left. */
export async function sweepMediaFolders(now: Date): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter(entry => entry.startsWith(FOLDER_PREFIX))) {
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(() => undefined); // another process was quicker
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
  return withContentLock(job.sql, content, async () => {
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
  });
}

/** The upload as a file of this machine, with what its size and first bytes tell. */
async function fetchUpload(
  { storage, folder, signal }: MediaJob,
  { key, contentType }: { key: string; contentType: string },
): Promise<Fetched | Rejected> {
  const source = await storage.readStaged(key);
  if (!source) throw new Fault('upload_missing', `nothing is staged under ${key}`, { retryable: true });
  const path = join(folder, `upload-${key.endsWith('.audio') ? 'audio' : 'file'}`);
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(
        bytes > UPLOAD_BYTES_MAX
          ? new Fault('storage_too_large', 'the upload is too large', { retryable: false })
          : null,
        chunk,
      );
    },
  });
  try {
    await pipeline(source, measure, createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof Fault && error.code === 'storage_too_large')
      return {
        rejection: {
          code: 'too_large',
          detail: `The file has more than ${UPLOAD_BYTES_MAX} bytes. Export it with fewer.`,
        },
      };
    throw error;
  }
  const rejection = judgeHead({ bytes, head: await headOf(path) }, contentType);
  return rejection ? { rejection } : { path, sha256: hash.digest('hex'), bytes, contentType };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function inspect(job: MediaJob, file: Fetched, audio: Fetched | undefined): Promise<Inspection> {
  const inspection = file.contentType.startsWith('image/')
    ? await inspectStill(file.path, file.contentType)
    : await inspectVideo(file.path, file.contentType, job);
  if ('rejection' in inspection || !audio) return inspection;
  const rejection = await inspectAudio(audio.path, audio.contentType, job);
  return rejection ? { rejection } : inspection;
}

type StoredFile = { object: string; bytes: number };
type RenditionJob = { content: string; source: Source; original: StoredFile; audio: Fetched | undefined };

async function renditionsOf(job: MediaJob, made: RenditionJob): Promise<Renditions> {
  const { content, source, original, audio } = made;
  const find = async (profile: string, make: () => Promise<StoredFile>) =>
    (await findRendition(job.sql, content, profile)) ??
    recordRendition(job, { content, profile, stored: await make() });
  if (source.facts.duration_ms === null && !audio) {
    const shown = await find(STILL_PROFILE.name, async () =>
      stillFits(source.facts)
        ? counted('as_is', original)
        : counted('encode', await storeFile(job, await renderStill(source, job.folder), 'jpg')),
    );
    return { [STILL_PROFILE.name]: shown };
  }
  const renditions: Record<string, StoredFile> = {};
  const encoded: { profile: VideoProfile; stored: StoredFile; bitRate: number }[] = [];
  const durationMs = audio ? job.row.duration_ms! : source.facts.duration_ms!;
  const facts = audio
    ? { ...source.facts, video: { ...source.facts.video, frame_rate: STILL_FRAME_RATE } }
    : source.facts;
  // The narrowest first: what is made for it often serves the others.
  for (const [index, profile] of VIDEO_PROFILES.toReversed().entries()) {
    const onProgress = (share: number) =>
      job.onProgress(CHECKED_SHARE + (1 - CHECKED_SHARE) * ((index + share) / VIDEO_PROFILES.length));
    renditions[profile.name] = await find(profile.name, async () => {
      const serving = encoded.find(candidate => alsoServes(candidate, profile, facts));
      return serving?.stored ?? makeVideo(job, made, { profile, onProgress });
    });
    const stored = renditions[profile.name]!;
    if (stored.object !== original.object)
      encoded.push({ profile, stored, bitRate: (stored.bytes * 8_000) / durationMs });
    onProgress(1);
  }
  return renditions;
}

async function makeVideo(
  job: MediaJob,
  { source, original, audio }: RenditionJob,
  { profile, onProgress }: { profile: VideoProfile; onProgress: (share: number) => void },
): Promise<StoredFile> {
  const { folder } = job;
  if (audio)
    return counted(
      'encode',
      await storeFile(
        job,
        await encodeStillWithAudio(
          source,
          { audio, durationMs: job.row.duration_ms!, profile, folder, onProgress },
          job,
        ),
        'mp4',
      ),
    );
  const treatment = treatmentOf(source.facts, profile);
  if (treatment === 'as_is') return counted(treatment, original);
  const path =
    treatment === 'remux'
      ? await remux(source, folder, job)
      : await encodeVideo(source, { profile, folder, onProgress }, job);
  return counted(treatment, await storeFile(job, path, 'mp4'));
}

function counted(treatment: 'as_is' | 'remux' | 'encode', stored: StoredFile): StoredFile {
  encodings.inc({ treatment });
  return stored;
}

async function storeFile({ storage }: MediaJob, path: string, extension: string): Promise<StoredFile> {
  const received = await storage.receive(createReadStream(path), { bytesMax: UPLOAD_BYTES_MAX });
  return { object: await received.keep(extension), bytes: received.bytes };
}

/** One process at a time works on a content; the second finds what the first has made. */
async function withContentLock<T>(sql: Postgres, content: string, work: () => Promise<T>): Promise<T> {
  const lock = createHash('sha256').update(content).digest().readInt32BE(0);
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(${CONTENT_LOCK_SPACE}, ${lock})`;
    try {
      return await work();
    } finally {
      await connection`select pg_advisory_unlock(${CONTENT_LOCK_SPACE}, ${lock})`;
    }
  } finally {
    connection.release();
  }
}

async function findContent(sql: Postgres, content: string): Promise<{ media: MediaFacts; poster: string } | undefined> {
  const [row] = await sql<
    { media: MediaFacts; poster: string }[]
  >`select media, poster from media_contents where content = ${content}`;
  return row;
}

async function recordContent(
  { sql, now }: MediaJob,
  { content, media, poster }: { content: string; media: MediaFacts; poster: string },
): Promise<void> {
  await sql`insert into media_contents ${sql({ content, media: jsonb(sql, media), poster, found_at: now() })} on conflict do nothing`;
}

async function findRendition(sql: Postgres, content: string, profile: string): Promise<StoredFile | undefined> {
  const [row] = await sql<
    StoredFile[]
  >`select object, bytes from renditions where content = ${content} and profile = ${profile}`;
  return row;
}

async function recordRendition(
  { sql, now }: MediaJob,
  { content, profile, stored }: { content: string; profile: string; stored: StoredFile },
): Promise<StoredFile> {
  await sql`insert into renditions ${sql({ content, profile, ...stored, made_at: now() })} on conflict do nothing`;
  return stored;
}

/** Writes the verdict, and only then drops the upload: after a crash in between the sweep finds it. */
async function writeVerdict(
  { sql, storage, kind, id, row: { handle, audio_content_type: audio }, now }: MediaJob,
  result: Accepted | Rejected,
): Promise<MediaOutcome> {
  const outcome = await inUnitOfWork<MediaOutcome>(sql, { actor: SYSTEM_ACTOR, now: now() }, async unit => {
    const row = await lockMedia(unit, kind, handle);
    if (row?.status !== 'awaiting_upload') return 'gone'; // detached meanwhile
    if ('rejection' in result)
      await writeRejected(unit, { kind, id, row }, { rejection: result.rejection, stored: undefined });
    else await writeReady(unit, { kind, id, row }, result);
    return 'rejection' in result ? 'rejected' : 'ready';
  });
  faultPoint('workers.after_media_verdict');
  await storage.dropStaged(id);
  if (audio) await storage.dropStaged(`${id}.audio`);
  return outcome;
}
