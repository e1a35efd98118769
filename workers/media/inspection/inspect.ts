/**
 * Inspects an uploaded file: what it is (ffprobe, sharp), and whether all of it can be decoded. Only the announced
 * container is tried, and only this file is opened: a playlist that names other files or addresses is refused as
 * corrupted.
 */
import { stat } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import { PIXELS_MAX, type UploadRejection } from '#domain/campaigns/creative.ts';
import { isWideColor, type MediaFacts, type PictureTurn } from '#domain/campaigns/rendition.ts';
import { isAnimatedPng, isStreamable } from './file-layout.ts';
import { isInterlaced, timeFrames } from './frame-times.ts';
import { openOnly, runLimited, type Limits, type Tools } from './limited-process.ts';
import { STRICT_IMAGE } from './open-image.ts';
import { pictureOf, PROBED_FIELDS, videoFactsOf, type Probe } from './video-facts.ts';

export type Inspection = { facts: MediaFacts } | { rejection: UploadRejection };

const PROBE: Limits = { cpuMsMax: 20_000, bytesWrittenMax: 0 };
/** 20 s of 8K on one slow core take about a minute. */
const DECODE: Limits = { cpuMsMax: 180_000, bytesWrittenMax: 0 };
/** No file may be longer: a longer file is not decoded beyond this, whatever its header says. */
const DECODED_SECONDS_MAX = 30;
/** Tolerance for the last frame, and the sound after it, compared with the length in the header. */
const LONGER_MS_MAX = 1_000;
export async function inspectVideo(path: string, contentType: string, tools: Tools): Promise<Inspection> {
  const { programs, signal } = tools;
  const probed = await runLimited(
    programs.ffprobe,
    ['-v', 'error', ...openOnly(contentType), '-print_format', 'json', '-show_entries', PROBED_FIELDS, path],
    { limits: PROBE, signal },
  );
  const probe = probed.code === 0 ? parseProbe(probed.stdout) : undefined;
  if (probe === undefined) return corrupted(probed.stderr);
  const file = { container: contentType, is_streamable: await isStreamable(path), bytes: (await stat(path)).size };
  const facts = videoFactsOf(probe, file);
  if (!facts)
    return {
      rejection: {
        code: 'no_picture',
        detail: 'The file has no picture, or does not say how long it lasts. Export it as a video again.',
      },
    };
  if (facts.width * facts.height > PIXELS_MAX) return { facts }; // is refused for it, unopened
  const timed = await timeFrames({ path, contentType, facts, stream: pictureOf(probe)!.index }, tools);
  const rejection = (await colorFault(facts, tools)) ?? (await decodeFault({ path, contentType, facts }, tools));
  if (rejection) return { rejection };
  const isProgressive = facts.video.is_progressive && !(await isInterlaced({ path, contentType }, tools));
  return { facts: { ...timed, video: { ...timed.video, is_progressive: isProgressive } } };
}

/** HDR needs a filter that some builds of ffmpeg lack. */
async function colorFault({ video }: MediaFacts, { programs, signal }: Tools): Promise<UploadRejection | undefined> {
  if (video.color === null || !isWideColor(video.color)) return undefined;
  const help = await runLimited(programs.ffmpeg, ['-hide_banner', '-h', 'filter=zscale'], { limits: PROBE, signal });
  if (help.stdout.includes('Filter zscale')) return undefined;
  return {
    code: 'unsupported_color',
    detail: `The picture is HDR or has colors beyond BT.709 (${video.color.primaries}, ${video.color.transfer}), which this server cannot convert. Export it as SDR in BT.709.`,
  };
}

/** Undefined for a truncated answer: the content of a file must not cause repeated probes. */
function parseProbe(text: string): Probe | undefined {
  try {
    return JSON.parse(text) as Probe;
  } catch {
    return undefined;
  }
}

/** A sound only has to be decodable. */
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

/** Every frame is decoded once; any error is a fault, and so is a length that differs from the header. */
async function decodeFault(
  { path, contentType, facts }: Probed,
  { programs, signal }: Tools,
): Promise<UploadRejection | undefined> {
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
    '0:V:0',
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
  if (decoded.code !== 0) return corrupted(decoded.stderr).rejection;
  const saidMs = facts.duration_ms ?? 0;
  if (decodedMs <= saidMs + LONGER_MS_MAX) return undefined;
  return {
    code: 'wrong_duration',
    detail: `The file says that it lasts ${saidMs} ms, and goes on for at least ${Math.floor(decodedMs)} ms. Export it again.`,
  };
}

function corrupted(stderr: string): { rejection: UploadRejection } {
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

const SHARP_FORMATS: Record<string, string> = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' };

export async function inspectStill(path: string, contentType: string): Promise<Inspection> {
  const { size: bytes } = await stat(path);
  try {
    // Only the header: nothing is decoded.
    const found = await sharp(path, { ...STRICT_IMAGE, limitInputPixels: false }).metadata();
    const facts = stillFactsOf(found, contentType, bytes);
    if (found.format !== SHARP_FORMATS[contentType])
      return { rejection: { code: 'wrong_content', detail: `The file is not ${contentType}.` } };
    if ((found.pages ?? 1) > 1 || (found.format === 'png' && (await isAnimatedPng(path))))
      return {
        rejection: {
          code: 'animated_image',
          detail: 'The image is animated. Upload a still, or export it as a video.',
        },
      };
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
  { width = 0, height = 0, orientation = 1, space }: Metadata,
  container: string,
  bytes: number,
): MediaFacts {
  const turn = isTurn(orientation) ? orientation : 1;
  return {
    container,
    is_streamable: true,
    bytes,
    duration_ms: null,
    picture_ms: null,
    bit_rate: null,
    width: turn >= 5 ? height : width,
    height: turn >= 5 ? width : height,
    video: {
      codec: container.slice('image/'.length),
      profile: null,
      level: null,
      pixel_format: space ?? null,
      frame_rate: null,
      is_upright: turn === 1,
      turn,
      is_progressive: true,
      has_alpha: false,
      color: null,
    },
    audio: null,
  };
}

const isTurn = (orientation: number): orientation is PictureTurn => orientation >= 1 && orientation <= 8;
