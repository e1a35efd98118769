import { type FieldFault, type Refusal, isRefusal, refuseField, refuseFields } from './refusal.ts';
import { type Orientation, ORIENTATIONS, isOrientation } from './screen.ts';
import { isPlainText } from './text.ts';
import { defineMachine } from './transition.ts';

export type CreativeKind = 'video' | 'still';

/** The slot that a screen asks for when it does not say otherwise. Audiences and prices are quoted for it. */
export const SLOT_DEFAULT_MS = 15_000;
export const UPLOAD_BYTES_MAX = 200 * 1024 * 1024;
const CREATIVE_NAME_LENGTH_MAX = 200;
const FILENAME_LENGTH_MAX = 255;

// Both statements of the interface hold: a video may last 20 s, and one over 15 s plays only in slots that allow it.
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

/** `detached` is what DELETE leaves: out of every rotation, kept for the reports that name it. */
export const creativeMachine = defineMachine({
  states: ['draft', 'awaiting_upload', 'ready', 'rejected', 'detached'],
  moves: [
    { from: 'draft', on: 'name_file', to: 'awaiting_upload' },
    { from: 'awaiting_upload', on: 'accept', to: 'ready' },
    { from: 'awaiting_upload', on: 'reject', to: 'rejected' },
    { from: 'draft', on: 'detach', to: 'detached' },
    { from: 'awaiting_upload', on: 'detach', to: 'detached' },
    { from: 'ready', on: 'detach', to: 'detached' },
    { from: 'rejected', on: 'detach', to: 'detached' },
  ],
});

/** Kind, content type and extension (lower case) from a file's name. Refuses other extensions, paths, control characters and bad lengths. */
export function parseFilename(filename: unknown, pointer = '/filename'): { kind: CreativeKind; contentType: string; extension: string } | Refusal {
  if (typeof filename !== 'string') return refuseField(pointer, 'wrong_type', 'must be a string');
  if (!isPlainText(filename, FILENAME_LENGTH_MAX) || /[/\\]/.test(filename)) {
    return refuseField(pointer, 'bad_filename', `must be a plain file name of at most ${FILENAME_LENGTH_MAX} characters`);
  }
  const extension = /[^.]\.([A-Za-z0-9]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  if (!type) return refuseField(pointer, 'unknown_extension', `must end in one of ${Object.keys(TYPES).join(', ')}`);
  return { ...type, extension };
}

/** Refuses a duration (whole milliseconds) that the kind does not allow: video 6 .. 20 s, still 6 .. 15 s. */
export function checkDuration(kind: CreativeKind, durationMs: unknown, pointer = '/duration_ms'): Refusal | undefined {
  const { min, max } = DURATIONS_MS[kind];
  if (typeof durationMs === 'number' && Number.isInteger(durationMs) && durationMs >= min && durationMs <= max) return undefined;
  return refuseField(pointer, 'out_of_range', `a ${kind} lasts ${min} to ${max} ms`);
}

export type CreativeFields = { name: string; orientation: Orientation; durationMs: number; filename: string; kind: CreativeKind; contentType: string };

/** The fields of `POST /creatives` `{name, orientation, duration_ms, filename}`. All faults are reported together. */
export function parseCreative(body: { name?: unknown; orientation?: unknown; duration_ms?: unknown; filename?: unknown }): CreativeFields | Refusal {
  const { name, orientation, duration_ms: durationMs, filename } = body;
  const faults: FieldFault[] = [];
  if (!isPlainText(name, CREATIVE_NAME_LENGTH_MAX)) faults.push({ pointer: '/name', code: 'bad_text', detail: `must be a text of 1 to ${CREATIVE_NAME_LENGTH_MAX} characters` });
  if (!isOrientation(orientation)) faults.push({ pointer: '/orientation', code: 'unknown_value', detail: `must be one of ${ORIENTATIONS.join(', ')}` });
  const file = parseFilename(filename);
  if (isRefusal(file)) faults.push(...(file.errors ?? []));
  const duration = checkDuration(isRefusal(file) ? 'video' : file.kind, durationMs);
  if (duration) faults.push(...(duration.errors ?? []));
  if (faults.length > 0 || isRefusal(file)) return refuseFields(faults);
  return { name: name as string, orientation: orientation as Orientation, durationMs: durationMs as number, filename: filename as string, kind: file.kind, contentType: file.contentType };
}
