/** A creative: its kinds, its states, and the rules of its files and fields. */
import { describeHead, isContentType } from './file-type.ts';
import { type FieldFault, type Refusal, isRefusal, refuseField, refuseFields } from '../refusal.ts';
import type { MediaFacts } from './rendition.ts';
import { type Orientation, ORIENTATIONS, isOrientation } from '../screens/screen.ts';
import { isPlainText } from '../text.ts';
import { defineMachine } from '../transition.ts';
import type { Milliseconds } from '../unit.ts';

export type CreativeKind = 'video' | 'still';

export const UPLOAD_BYTES_MAX = 200 * 1024 * 1024;
const CREATIVE_NAME_LENGTH_MAX = 200;
const FILENAME_LENGTH_MAX = 255;

// A video may last up to 20 s, but one over 15 s plays only in slots that allow it.
const DURATIONS_MS: Record<CreativeKind, { min: number; max: number }> = {
  video: { min: 6000, max: 20_000 },
  still: { min: 6000, max: 15_000 },
};

const TYPES: Record<string, { kind: CreativeKind; contentType: string }> = {
  mp4: { kind: 'video', contentType: 'video/mp4' },
  webm: { kind: 'video', contentType: 'video/webm' },
  mov: { kind: 'video', contentType: 'video/quicktime' },
  jpg: { kind: 'still', contentType: 'image/jpeg' },
  jpeg: { kind: 'still', contentType: 'image/jpeg' },
  png: { kind: 'still', contentType: 'image/png' },
  webp: { kind: 'still', contentType: 'image/webp' },
};

const AUDIO_TYPES: Record<string, string> = { mp3: 'audio/mpeg', m4a: 'audio/mp4', wav: 'audio/wav' };

/** DELETE makes a creative `detached`: out of every rotation, kept for the reports that name it. */
export const creativeMachine = defineMachine({
  states: ['draft', 'awaiting_upload', 'ready', 'rejected', 'detached'],
  moves: [
    { from: 'draft', on: 'name_file', to: 'awaiting_upload' },
    // Before a file has arrived: another file is named, or an expired upload address is renewed.
    { from: 'awaiting_upload', on: 'name_file', to: 'awaiting_upload' },
    // A rejected file is replaced by another one.
    { from: 'rejected', on: 'name_file', to: 'awaiting_upload' },
    { from: 'awaiting_upload', on: 'accept', to: 'ready' },
    { from: 'awaiting_upload', on: 'reject', to: 'rejected' },
    { from: 'draft', on: 'detach', to: 'detached' },
    { from: 'awaiting_upload', on: 'detach', to: 'detached' },
    { from: 'ready', on: 'detach', to: 'detached' },
    { from: 'rejected', on: 'detach', to: 'detached' },
  ],
});

/**
 * Kind, content type and extension (lower case) from a file's name. Refuses other extensions, paths, control characters
 * and bad lengths.
 */
export function parseFilename(
  filename: unknown,
  pointer = '/filename',
): { kind: CreativeKind; contentType: string; extension: string } | Refusal {
  const extension = parseExtension(filename, Object.keys(TYPES), pointer);
  return typeof extension === 'string' ? { ...TYPES[extension]!, extension } : extension;
}

/** The extension (lower case) of a plain file name, one of `allowed`. */
function parseExtension(filename: unknown, allowed: readonly string[], pointer: string): string | Refusal {
  if (typeof filename !== 'string') return refuseField(pointer, 'wrong_type', 'must be a string');
  if (!isPlainText(filename, FILENAME_LENGTH_MAX) || /[/\\]/.test(filename)) {
    return refuseField(
      pointer,
      'bad_filename',
      `must be a plain file name of at most ${FILENAME_LENGTH_MAX} characters`,
    );
  }
  const extension = /[^.]\.([A-Za-z0-9]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return allowed.includes(extension)
    ? extension
    : refuseField(pointer, 'unknown_extension', `must end in one of ${allowed.join(', ')}`);
}

/** Refuses a duration (whole milliseconds) that the kind does not allow: video 6 .. 20 s, still 6 .. 15 s. */
export function checkDuration(kind: CreativeKind, durationMs: unknown, pointer = '/duration_ms'): Refusal | undefined {
  const { min, max } = DURATIONS_MS[kind];
  if (typeof durationMs === 'number' && Number.isInteger(durationMs) && durationMs >= min && durationMs <= max)
    return undefined;
  return refuseField(pointer, 'out_of_range', `a ${kind} lasts ${min} to ${max} ms`);
}

type NamedFile = { filename: string; kind: CreativeKind; contentType: string };
/** A creative without a file is a draft. `audio` is played with a still. */
export type CreativeFields = {
  name: string;
  orientation: Orientation;
  durationMs: Milliseconds;
  file: NamedFile | undefined;
  audio: { filename: string; contentType: string } | undefined;
  /** Made or changed by AI; its plays carry a label. */
  synthetic: boolean;
};
type CreativeBody = {
  name?: unknown;
  orientation?: unknown;
  duration_ms?: unknown;
  filename?: unknown;
  audio_filename?: unknown;
  synthetic?: unknown;
};

/**
 * The fields of `POST /creatives` `{name, orientation, duration_ms, filename?, audio_filename?, synthetic?}`. All
 * faults are reported together.
 */
export function parseCreative(body: CreativeBody): CreativeFields | Refusal {
  const { name, orientation, duration_ms: durationMs } = body;
  const faults: FieldFault[] = [];
  const take = <T>(result: T | Refusal): T | undefined => {
    if (!isRefusal(result)) return result;
    faults.push(...(result.errors ?? []));
    return undefined;
  };
  if (!isPlainText(name, CREATIVE_NAME_LENGTH_MAX)) faults.push(...namelessFault());
  if (!isOrientation(orientation))
    faults.push({
      pointer: '/orientation',
      code: 'unknown_value',
      detail: `must be one of ${ORIENTATIONS.join(', ')}`,
    });
  const file = body.filename === undefined ? undefined : take(parseFile(body.filename));
  const audio = body.audio_filename === undefined ? undefined : take(parseAudio(body.audio_filename, file));
  take(checkDuration(file?.kind ?? 'video', durationMs));
  if (faults.length > 0) return refuseFields(faults);
  return {
    name: name as string,
    orientation: orientation as Orientation,
    durationMs: durationMs as number,
    file,
    audio,
    synthetic: body.synthetic === true,
  };
}

function namelessFault(): FieldFault[] {
  return [
    { pointer: '/name', code: 'bad_text', detail: `must be a text of 1 to ${CREATIVE_NAME_LENGTH_MAX} characters` },
  ];
}

function parseFile(filename: unknown): NamedFile | Refusal {
  const file = parseFilename(filename);
  return isRefusal(file) ? file : { filename: filename as string, kind: file.kind, contentType: file.contentType };
}

function parseAudio(filename: unknown, file: NamedFile | undefined): CreativeFields['audio'] | Refusal {
  if (file?.kind !== 'still')
    return refuseField('/audio_filename', 'not_allowed', 'goes with a still alone; a video brings its own sound');
  const extension = parseExtension(filename, Object.keys(AUDIO_TYPES), '/audio_filename');
  return typeof extension === 'string'
    ? { filename: filename as string, contentType: AUDIO_TYPES[extension]! }
    : extension;
}

export type AssetFields = { name: string; filename: string; contentType: string };

/** The fields of `POST /assets` `{name, filename}`: an image for playlists. */
export function parseAsset({ name, filename }: { name?: unknown; filename?: unknown }): AssetFields | Refusal {
  const file = parseFilename(filename);
  const faults = isPlainText(name, CREATIVE_NAME_LENGTH_MAX) ? [] : namelessFault();
  if (isRefusal(file)) faults.push(...(file.errors ?? []));
  else if (file.kind !== 'still')
    faults.push({
      pointer: '/filename',
      code: 'unknown_extension',
      detail: 'must be an image: jpg, jpeg, png or webp',
    });
  if (faults.length > 0 || isRefusal(file)) return refuseFields(faults);
  return { name: name as string, filename: filename as string, contentType: file.contentType };
}

/** Why a file is not accepted: codes of the API. The sentence next to the code says what to change. */
const UPLOAD_FAULTS = [
  'empty_file',
  'too_large',
  'wrong_content',
  'corrupted',
  'no_picture',
  'too_many_pixels',
  'wrong_orientation',
  'wrong_duration',
  'incomplete_picture',
  'animated_image',
  'unsupported_color',
  'cannot_be_processed',
] as const;
export type UploadRejection = { code: (typeof UPLOAD_FAULTS)[number]; detail: string };

/** Checks the size and the first bytes of a file. */
export function judgeHead(
  { bytes, head }: { bytes: number; head: Uint8Array },
  contentType: string,
): UploadRejection | undefined {
  if (bytes === 0) return { code: 'empty_file', detail: 'The file is empty.' };
  if (isContentType(head, contentType)) return undefined;
  const found = describeHead(head);
  return {
    code: 'wrong_content',
    detail: `The file does not begin like ${contentType}${found === undefined ? '' : `; it is ${found}`}. Upload the file itself, under its own extension.`,
  };
}

/**
 * A file may be longer or shorter than declared by this much. A play counts when no more than 500 ms of the declared
 * duration are missing; half of that is left to the player's own clock.
 */
const DURATION_TOLERANCE_MS = 250;
/** The largest picture that is decoded: 8K. Beyond it a small file could take all of a worker's memory. */
export const PIXELS_MAX = 7_680 * 4_320;

/**
 * Compares a file with what was declared, and its picture with its length. A square picture fits both orientations; a
 * duration may differ by 250 ms, and the picture may be missing for that long at either end.
 */
export function judgeMedia(
  facts: MediaFacts,
  declared: { orientation?: Orientation; durationMs?: Milliseconds },
): UploadRejection | undefined {
  const { width, height, duration_ms: durationMs } = facts;
  if (width * height > PIXELS_MAX)
    return {
      code: 'too_many_pixels',
      detail: `The picture is ${width} x ${height}. Upload at most ${PIXELS_MAX} pixels, 8K.`,
    };
  const stands = width > height ? 'landscape' : width < height ? 'portrait' : undefined;
  if (declared.orientation !== undefined && stands !== undefined && stands !== declared.orientation) {
    return {
      code: 'wrong_orientation',
      detail: `The picture is ${width} x ${height}, which is ${stands}; the creative was declared ${declared.orientation}.`,
    };
  }
  if (
    declared.durationMs !== undefined &&
    durationMs !== null &&
    Math.abs(durationMs - declared.durationMs) > DURATION_TOLERANCE_MS
  ) {
    return {
      code: 'wrong_duration',
      detail: `The file lasts ${durationMs} ms; the creative was declared with ${declared.durationMs} ms, and ${DURATION_TOLERANCE_MS} ms more or less are allowed.`,
    };
  }
  return judgePicture(facts);
}

function judgePicture({ duration_ms: durationMs, picture_ms: picture }: MediaFacts): UploadRejection | undefined {
  if (durationMs === null || picture === null) return undefined;
  const fault =
    picture.from > DURATION_TOLERANCE_MS
      ? `begins after ${picture.from} ms`
      : durationMs - picture.to > DURATION_TOLERANCE_MS
        ? `ends after ${picture.to} of ${durationMs} ms`
        : undefined;
  if (fault === undefined) return undefined;
  return {
    code: 'incomplete_picture',
    detail: `The picture ${fault}. Export the file again with a picture from its first to its last moment.`,
  };
}

/**
 * The orientations of the screens that creatives can play on. A rejected or a deleted one never plays again. If none is
 * left, those of all creatives: their replacements most likely keep the orientation.
 */
export function orientationsOf(creatives: readonly { status: string; orientation: Orientation }[]): Orientation[] {
  const playable = creatives.filter(({ status }) => status !== 'rejected' && status !== 'detached');
  return [...new Set((playable.length > 0 ? playable : creatives).map(({ orientation }) => orientation))];
}
