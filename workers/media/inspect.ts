/**
 * Inspects an uploaded file: what it is (ffprobe, sharp), and whether all of it can be decoded. Only the container that
 * was announced is tried, and only this file is opened: a playlist that names other files or addresses is refused as
 * corrupted.
 */
import { stat } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import { PIXELS_MAX, type UploadRejection } from '#domain/campaigns/creative.ts';
import { extensionOf } from '#domain/campaigns/file-type.ts';
import type { MediaFacts } from '#domain/campaigns/rendition.ts';
import { runLimited, type Limits, type Programs } from './limited-process.ts';

export type Inspection = { facts: MediaFacts } | { rejection: UploadRejection };
export type Tools = { programs: Programs; signal: AbortSignal };

const PROBE: Limits = { cpuMsMax: 20_000, bytesWrittenMax: 0 };
/** 20 s of 8K on one slow core take about a minute. */
const DECODE: Limits = { cpuMsMax: 180_000, bytesWrittenMax: 0 };
/** A file may say megabytes about itself, of which no more is asked for. */
const ASKED = [
  'format=duration,bit_rate',
  'stream=codec_type,codec_name,profile,level,width,height,pix_fmt,field_order,avg_frame_rate,sample_aspect_ratio,channels,sample_rate',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':');
/** No file may last that long: of one that does, whatever its head says, no more is decoded. */
const DECODED_SECONDS_MAX = 30;
/** The last frame and what sound has beyond it are in the length that the head says, give or take. */
const LONGER_MS_MAX = 1_000;
const DEMUXERS: Record<string, string> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mp3: 'mp3',
  wav: 'wav',
};
/** Nothing but this file, as this kind of file. */
export const openOnly = (contentType: string): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  '-f',
  DEMUXERS[extensionOf(contentType)]!,
];

// A picture that claims to be large is refused before it is decoded; one image at a time, and none is kept.
sharp.cache(false);
sharp.concurrency(1);

export async function inspectVideo(
  path: string,
  contentType: string,
  { programs, signal }: Tools,
): Promise<Inspection> {
  const probed = await runLimited(
    programs.ffprobe,
    ['-v', 'error', ...openOnly(contentType), '-print_format', 'json', '-show_entries', ASKED, path],
    { limits: PROBE, signal },
  );
  const probe = probed.code === 0 ? parseProbe(probed.stdout) : undefined;
  if (probe === undefined) return corrupted(probed.stderr);
  const facts = factsOf(probe, contentType, (await stat(path)).size);
  if (!facts)
    return {
      rejection: {
        code: 'no_picture',
        detail: 'The file has no picture, or does not say how long it lasts. Export it as a video again.',
      },
    };
  if (facts.width * facts.height > PIXELS_MAX) return { facts }; // is refused for it, unopened
  return (await decodeFault({ path, contentType, facts }, { programs, signal })) ?? { facts };
}

/** Undefined for an answer that was cut off: a file must not be probed again and again for what it holds. */
function parseProbe(text: string): Probe | undefined {
  try {
    return JSON.parse(text) as Probe;
  } catch {
    return undefined;
  }
}

/** A sound only has to be one that can be decoded. */
export async function inspectAudio(
  path: string,
  contentType: string,
  { programs, signal }: Tools,
): Promise<UploadRejection | undefined> {
  const decoded = await runLimited(
    programs.ffmpeg,
    [
      '-nostdin',
      '-v',
      'error',
      '-xerror',
      ...openOnly(contentType),
      '-i',
      path,
      '-map',
      '0:a:0',
      '-t',
      '60',
      '-f',
      'null',
      '-',
    ],
    { limits: DECODE, signal },
  );
  return decoded.code === 0
    ? undefined
    : { code: 'corrupted', detail: `The sound cannot be decoded: ${firstErrorOf(decoded.stderr)}. Export it again.` };
}

type Probed = { path: string; contentType: string; facts: MediaFacts };

/** Every frame is decoded once; the first error is one, and so is a length that the head does not say. */
async function decodeFault(
  { path, contentType, facts }: Probed,
  { programs, signal }: Tools,
): Promise<Inspection | undefined> {
  const args = [
    '-nostdin',
    '-v',
    'error',
    '-xerror',
    '-err_detect',
    'explode',
    '-threads',
    '1',
    ...openOnly(contentType),
    '-i',
    path,
    '-map',
    '0:v:0',
    '-map',
    '0:a:0?',
    '-fps_mode',
    'passthrough',
    '-t',
    String(DECODED_SECONDS_MAX),
    '-progress',
    'pipe:1',
    '-nostats',
    '-f',
    'null',
    '-',
  ];
  let decodedMs = 0;
  const onLine = (line: string) => {
    const [key, value] = line.split('=');
    if (key === 'out_time_us' && Number(value) > 0) decodedMs = Number(value) / 1_000;
  };
  const decoded = await runLimited(programs.ffmpeg, args, { limits: DECODE, signal, onLine });
  if (decoded.code !== 0) return corrupted(decoded.stderr);
  const saidMs = facts.duration_ms ?? 0;
  if (decodedMs <= saidMs + LONGER_MS_MAX) return undefined;
  return {
    rejection: {
      code: 'wrong_duration',
      detail: `The file says that it lasts ${saidMs} ms, and goes on for at least ${Math.floor(decodedMs)} ms. Export it again.`,
    },
  };
}

function corrupted(stderr: string): Inspection {
  return {
    rejection: {
      code: 'corrupted',
      detail: `The file cannot be decoded to its end: ${firstErrorOf(stderr)}. Export or upload it again.`,
    },
  };
}

/** The first line of the errors, without names of files and addresses in memory. */
function firstErrorOf(stderr: string): string {
  const line = stderr.split('\n').find(text => text.trim() !== '') ?? '';
  return (
    line
      .replace(/^(\[[^\]]*\] *)+/, '')
      .replace(/(\/[^\s:]+)+:? */g, '')
      .replace(/0x[0-9a-f]+/g, '')
      .trim()
      .slice(0, 200) || 'no picture comes out of it'
  );
}

type ProbedStream = {
  codec_type?: string;
  codec_name?: string;
  profile?: string;
  level?: number;
  width?: number;
  height?: number;
  pix_fmt?: string;
  field_order?: string;
  avg_frame_rate?: string;
  sample_aspect_ratio?: string;
  channels?: number;
  sample_rate?: string;
  disposition?: { attached_pic?: number };
  side_data_list?: { rotation?: number }[];
};
type Probe = { streams?: ProbedStream[]; format?: { duration?: string; bit_rate?: string } };

function factsOf({ streams = [], format = {} }: Probe, container: string, bytes: number): MediaFacts | undefined {
  const picture = streams.find(stream => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  const sound = streams.find(stream => stream.codec_type === 'audio');
  const seconds = Number(format.duration);
  if (!picture?.width || !picture.height || !(seconds > 0)) return undefined;
  const isTurned = picture.side_data_list?.some(({ rotation = 0 }) => rotation % 180 !== 0) ?? false;
  const rotation = picture.side_data_list?.find(entry => entry.rotation !== undefined)?.rotation ?? 0;
  const stretch = ratioOf(picture.sample_aspect_ratio?.replace(':', '/')) ?? 1;
  const [width, height] = [Math.round(picture.width * stretch), picture.height];
  return {
    container,
    bytes,
    duration_ms: Math.round(seconds * 1_000),
    bit_rate: Number(format.bit_rate) || null,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    video: {
      codec: picture.codec_name ?? 'unknown',
      profile: picture.profile ?? null,
      level: picture.level !== undefined && picture.level > 0 ? picture.level : null,
      pixel_format: picture.pix_fmt ?? null,
      frame_rate: ratioOf(picture.avg_frame_rate) ?? null,
      is_upright: rotation === 0 && stretch === 1,
      is_progressive:
        picture.field_order === undefined || picture.field_order === 'progressive' || picture.field_order === 'unknown',
    },
    audio: sound
      ? {
          codec: sound.codec_name ?? 'unknown',
          profile: sound.profile ?? null,
          channels: sound.channels ?? 0,
          sample_rate: Number(sound.sample_rate) || 0,
        }
      : null,
  };
}

/** `25/1` as a number; undefined for what is no ratio above 0. */
function ratioOf(text: string | undefined): number | undefined {
  const [above, below] = (text ?? '').split('/').map(Number);
  const ratio = above! / below!;
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}

const SHARP_FORMATS: Record<string, string> = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' };

/** Options under which strangers' images are opened: decoded to the last byte, and the first error is one. */
export const STRICT_IMAGE = { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true } as const;

export async function inspectStill(path: string, contentType: string): Promise<Inspection> {
  const { size: bytes } = await stat(path);
  try {
    // The head alone: nothing is decoded.
    const found = await sharp(path, { ...STRICT_IMAGE, limitInputPixels: false }).metadata();
    const facts = stillFactsOf(found, contentType, bytes);
    if (found.format !== SHARP_FORMATS[contentType])
      return { rejection: { code: 'wrong_content', detail: `The file is not ${contentType}.` } };
    if (facts.width * facts.height <= PIXELS_MAX) await sharp(path, STRICT_IMAGE).stats(); // reads every pixel
    return { facts };
  } catch (error) {
    return {
      rejection: {
        code: 'corrupted',
        detail: `The image cannot be decoded: ${firstErrorOf((error as Error).message)}. Export or upload it again.`,
      },
    };
  }
}

function stillFactsOf(
  { width = 0, height = 0, orientation = 1 }: Metadata,
  container: string,
  bytes: number,
): MediaFacts {
  const isTurned = orientation >= 5; // EXIF: 5 to 8 lie on their side
  return {
    container,
    bytes,
    duration_ms: null,
    bit_rate: null,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    video: {
      codec: container.slice('image/'.length),
      profile: null,
      level: null,
      pixel_format: null,
      frame_rate: null,
      is_upright: orientation === 1,
      is_progressive: true,
    },
    audio: null,
  };
}
