/** Encodes the files for screens, with one thread each, into the job's own folder. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UPLOAD_BYTES_MAX } from '#domain/campaigns/creative.ts';
import {
  AUDIO_LIMITS,
  frameRateWithin,
  sizeWithin,
  STILL_PROFILE,
  type MediaFacts,
  type VideoProfile,
} from '#domain/campaigns/rendition.ts';
import { Fault } from '#runtime/fault-error.ts';
import { openImage } from './inspection/open-image.ts';
import { openOnly, runLimited, type Limits, type Tools } from './inspection/limited-process.ts';
import { BT709_TAGS, filterPicture, pictureFilters, pictureInput, toBt709 } from './picture-filters.ts';
import type { Milliseconds } from '#domain/unit.ts';

export type Source = { path: string; contentType: string; facts: MediaFacts };

/** 15 s of 1080p take 10 to 20 s of one core; 20 s of 8K, mostly their decoding, some minutes. */
const ENCODE: Limits = { cpuMsMax: 300_000, bytesWrittenMax: UPLOAD_BYTES_MAX };
const POSTER: Limits = { cpuMsMax: 30_000, bytesWrittenMax: 16 * 1024 * 1024 };
const POSTER_EDGE_MAX = 640;
const JPEG = { quality: 85, mozjpeg: false } as const;
/** A key frame every two seconds: a player that seeks or resumes shows a picture soon. */
const KEY_FRAME_SECONDS = 2;
/** For a video made from a still. */
export const STILL_FRAME_RATE = 25;

const QUIET = ['-nostdin', '-y', '-v', 'error', '-progress', 'pipe:1', '-nostats'];
const PLAIN_MP4 = ['-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart', '-f', 'mp4'];

/** The same streams in an MP4 whose index comes first. */
export async function remux({ path, contentType }: Source, folder: string, tools: Tools): Promise<string> {
  const target = join(folder, 'remuxed.mp4');
  await encode(
    [...openOnly(contentType), '-i', path, '-map', '0:V:0', '-map', '0:a:0?', '-c', 'copy', ...PLAIN_MP4, target],
    tools,
  );
  return target;
}

type VideoJob = { profile: VideoProfile; folder: string; onProgress: (share: number) => void };
type StillJob = VideoJob & { audio: { path: string; contentType: string }; durationMs: Milliseconds };

export async function encodeVideo(
  source: Source,
  { profile, folder, onProgress }: VideoJob,
  tools: Tools,
): Promise<string> {
  const { facts } = source;
  const target = join(folder, `${profile.name}.mp4`);
  const frameRate = frameRateWithin(facts, profile);
  const filters = pictureFilters(facts, { ...sizeWithin(facts, profile), frameRate });
  await encode(
    [
      ...pictureInput(source),
      ...filterPicture(filters),
      '-map',
      '0:a:0?',
      ...h264(profile, frameRate),
      ...AAC,
      ...PLAIN_MP4,
      target,
    ],
    tools,
    progressOf(facts.duration_ms ?? 0, onProgress),
  );
  return target;
}

/** A still with its sound becomes a video of the declared duration, so that every platform plays both as one file. */
export async function encodeStillWithAudio(
  still: Source,
  { audio, durationMs, profile, folder, onProgress }: StillJob,
  tools: Tools,
): Promise<string> {
  const size = sizeWithin(still.facts, profile);
  const frame = join(folder, 'frame.png');
  const image = await openImage(still, { ...size, fit: 'fill' });
  await image.png({ compressionLevel: 1 }).toFile(frame);
  const target = join(folder, `${profile.name}.mp4`);
  const seconds = String(durationMs / 1_000);
  const input = [
    '-protocol_whitelist',
    'file,pipe',
    '-f',
    'image2',
    '-pattern_type',
    'none',
    '-loop',
    '1',
    '-framerate',
    String(STILL_FRAME_RATE),
    '-i',
    frame,
    ...openOnly(audio.contentType),
    '-i',
    audio.path,
    '-map',
    '0:v:0',
    '-map',
    '1:a:0',
    '-vf',
    `${toBt709(size)},setsar=1`,
    '-af',
    'apad',
    '-t',
    seconds,
  ];
  await encode(
    [...input, ...h264(profile, STILL_FRAME_RATE), '-tune', 'stillimage', ...AAC, ...PLAIN_MP4, target],
    tools,
    progressOf(durationMs, onProgress),
  );
  return target;
}

function h264({ h264Profiles, levelMax, bitRateMax }: VideoProfile, frameRate: number): string[] {
  const videoBitRate = bitRateMax - AUDIO_LIMITS.bitRate;
  return [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-threads',
    '1',
    '-profile:v',
    h264Profiles.at(-1)!.toLowerCase(),
    '-level:v',
    String(levelMax / 10),
    '-crf',
    '21',
    '-maxrate',
    String(Math.floor(videoBitRate * 0.9)),
    '-bufsize',
    String(videoBitRate), // a tenth for peaks and the container
    '-g',
    String(Math.max(1, Math.round(frameRate * KEY_FRAME_SECONDS))),
    '-bf',
    '2',
    ...BT709_TAGS,
  ];
}

const AAC = [
  '-c:a',
  'aac',
  '-b:a',
  String(AUDIO_LIMITS.bitRate),
  '-ac',
  String(AUDIO_LIMITS.channelsMax),
  '-ar',
  String(AUDIO_LIMITS.sampleRateMax),
];

function progressOf(durationMs: Milliseconds, onProgress: (share: number) => void): (line: string) => void {
  return line => {
    const [key, value] = line.split('=');
    if (key === 'out_time_us' && durationMs > 0 && Number(value) > 0)
      onProgress(Math.min(1, Number(value) / 1_000 / durationMs));
  };
}

/** @throws Fault `media_not_encoded` for a file that can be decoded but not encoded */
async function encode(
  args: readonly string[],
  { programs, signal }: Tools,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const outcome = await runLimited(programs.ffmpeg, [...QUIET, ...args], { limits: ENCODE, signal, onLine });
  if (outcome.code !== 0)
    throw new Fault('media_not_encoded', `ffmpeg ended with ${outcome.code}: ${outcome.stderr.slice(-500)}`, {
      retryable: true,
    });
}

/** An image as every platform shows it: upright, on black, no larger than the screen. */
export async function renderStill(still: Source, folder: string): Promise<string> {
  const target = join(folder, `${STILL_PROFILE.name}.jpg`);
  const { longEdgeMax, shortEdgeMax } = STILL_PROFILE;
  const image = await openImage(still, { width: longEdgeMax, height: shortEdgeMax, fit: 'inside' });
  await image.jpeg(JPEG).toFile(target);
  return target;
}

/** A small JPEG of an image, or of a frame from the middle of a video. */
export async function renderPoster(source: Source, folder: string, tools: Tools): Promise<string> {
  const { facts } = source;
  const target = join(folder, 'poster.jpg');
  if (facts.duration_ms === null) {
    const image = await openImage(source, { width: POSTER_EDGE_MAX, height: POSTER_EDGE_MAX, fit: 'inside' });
    await image.jpeg(JPEG).toFile(target);
    return target;
  }
  // A video that freezes for its second half has no frame there.
  if (!(await takeFrame(source, { target, atMs: facts.duration_ms / 2 }, tools)))
    if (!(await takeFrame(source, { target, atMs: 0 }, tools)))
      throw new Fault('media_not_encoded', 'no poster: no frame comes out of the file', { retryable: true });
  return target;
}

/** JPEG only supports the full range of BT.601. */
const TO_JPEG = 'scale=in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc,format=yuvj420p';

/** @returns whether there was a frame */
async function takeFrame(
  source: Source,
  { target, atMs }: { target: string; atMs: Milliseconds },
  { programs, signal }: Tools,
): Promise<boolean> {
  const size = sizeWithin(source.facts, { longEdgeMax: POSTER_EDGE_MAX, shortEdgeMax: POSTER_EDGE_MAX });
  const frame = [...pictureInput(source), ...filterPicture([...pictureFilters(source.facts, size), TO_JPEG])];
  const args = ['-nostdin', '-y', '-v', 'error', '-ss', String(atMs / 1_000), ...frame];
  const outcome = await runLimited(programs.ffmpeg, [...args, '-frames:v', '1', '-q:v', '4', '-f', 'mjpeg', target], {
    limits: POSTER,
    signal,
  });
  if (outcome.code !== 0)
    throw new Fault('media_not_encoded', `no poster: ${outcome.stderr.slice(-500)}`, { retryable: true });
  return (await stat(target)).size > 0;
}
