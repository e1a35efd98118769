/** The files of one content for screens: unchanged, remuxed or encoded. */
import { createReadStream } from 'node:fs';
import { UPLOAD_BYTES_MAX } from '#domain/campaigns/creative.ts';
import {
  alsoServes,
  STILL_PROFILE,
  stillFits,
  treatmentOf,
  VIDEO_PROFILES,
  type Renditions,
  type VideoProfile,
} from '#domain/campaigns/rendition.ts';
import { counter } from '#runtime/metrics.ts';
import { findRendition, recordRendition, type StoredFile } from '#sql/creatives/contents.ts';
import type { FetchedUpload } from './fetch-upload.ts';
import { CHECKED_SHARE, type MediaJob } from './media-job.ts';
import { encodeStillWithAudio, encodeVideo, remux, renderStill, STILL_FRAME_RATE, type Source } from './render.ts';

const encodings = counter({
  name: 'workers_media_renditions_total',
  help: 'Renditions by what it took',
  labels: ['treatment'],
});

/** `original`: the upload as it was stored. `audio`: the sound of a still. */
export type RenditionJob = { content: string; source: Source; original: StoredFile; audio: FetchedUpload | undefined };

/** The renditions of a content, by profile; each is looked up before it is made. */
export function renditionsOf(job: MediaJob, made: RenditionJob): Promise<Renditions> {
  const isStill = made.source.facts.duration_ms === null && !made.audio;
  return isStill ? stillRenditions(job, made) : videoRenditions(job, made);
}

async function stillRenditions(job: MediaJob, made: RenditionJob): Promise<Renditions> {
  const { source, original } = made;
  const shown = await findOrMake(job, { content: made.content, profile: STILL_PROFILE.name }, async () =>
    stillFits(source.facts)
      ? counted('as_is', original)
      : counted('encode', await storeFile(job, await renderStill(source, job.folder), 'jpg')),
  );
  return { [STILL_PROFILE.name]: shown };
}

type EncodedVideo = { profile: VideoProfile; stored: StoredFile; bitRate: number };

async function videoRenditions(job: MediaJob, made: RenditionJob): Promise<Renditions> {
  const { content, original } = made;
  const { facts, durationMs } = playedFacts(job, made);
  const renditions: Record<string, StoredFile> = {};
  const encoded: EncodedVideo[] = [];
  // The narrowest first: its encoding often serves the others.
  for (const [index, profile] of VIDEO_PROFILES.toReversed().entries()) {
    const onProgress = (share: number) =>
      job.onProgress(CHECKED_SHARE + (1 - CHECKED_SHARE) * ((index + share) / VIDEO_PROFILES.length));
    const stored = await findOrMake(job, { content, profile: profile.name }, async () => {
      const serving = encoded.find(candidate => alsoServes(candidate, profile, facts));
      return serving?.stored ?? makeVideo(job, made, { profile, onProgress });
    });
    renditions[profile.name] = stored;
    if (stored.object !== original.object)
      encoded.push({ profile, stored, bitRate: (stored.bytes * 8_000) / durationMs });
    onProgress(1);
  }
  return renditions;
}

/** The played file: the video, or the video made from a still and its sound. */
function playedFacts({ row }: MediaJob, { source: { facts }, audio }: RenditionJob) {
  if (!audio) return { facts, durationMs: facts.duration_ms! };
  return { facts: { ...facts, video: { ...facts.video, frame_rate: STILL_FRAME_RATE } }, durationMs: row.duration_ms! };
}

async function findOrMake(
  job: MediaJob,
  { content, profile }: { content: string; profile: string },
  make: () => Promise<StoredFile>,
): Promise<StoredFile> {
  const found = await findRendition(job.sql, content, profile);
  return found ?? recordRendition(job, { content, profile, stored: await make() });
}

async function makeVideo(
  job: MediaJob,
  { source, original, audio }: RenditionJob,
  { profile, onProgress }: { profile: VideoProfile; onProgress: (share: number) => void },
): Promise<StoredFile> {
  const { folder } = job;
  if (audio) {
    const still = { audio, durationMs: job.row.duration_ms!, profile, folder, onProgress };
    return counted('encode', await storeFile(job, await encodeStillWithAudio(source, still, job), 'mp4'));
  }
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

/** Puts a file of the job into the storage, under its content. */
export async function storeFile({ storage }: MediaJob, path: string, extension: string): Promise<StoredFile> {
  const received = await storage.receive(createReadStream(path), { bytesMax: UPLOAD_BYTES_MAX });
  return { object: await received.keep(extension), bytes: received.bytes };
}
