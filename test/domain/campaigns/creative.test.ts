/** The fields of a creative, its file against what was declared, and when it is ready. Pure rules, by examples. */
import { describe, expect, test } from 'vitest';
import {
  checkDuration,
  creativeMachine,
  judgeMedia,
  parseAsset,
  parseCreative,
  parseFilename,
} from '#domain/campaigns/creative.ts';
import type { MediaFacts } from '#domain/campaigns/rendition.ts';
import { next } from '#domain/transition.ts';

describe('files', () => {
  test.each([
    ['spot.mp4', 'video', 'video/mp4', 'mp4'],
    ['spot.v2.MP4', 'video', 'video/mp4', 'mp4'],
    ['spot.webm', 'video', 'video/webm', 'webm'],
    ['spot.mov', 'video', 'video/quicktime', 'mov'],
    ['still.jpg', 'still', 'image/jpeg', 'jpg'],
    ['still.JPEG', 'still', 'image/jpeg', 'jpeg'],
    ['still.png', 'still', 'image/png', 'png'],
    ['Frühling – 1.webp', 'still', 'image/webp', 'webp'],
  ])('%s is a %s of type %s', (filename, kind, contentType, extension) => {
    expect(parseFilename(filename)).toEqual({ kind, contentType, extension });
  });

  test.each([
    ['spot.avi', 'unknown_extension'],
    ['spot', 'unknown_extension'],
    ['.mp4', 'unknown_extension'],
    ['mp4', 'unknown_extension'],
    ['spot.mp4.exe', 'unknown_extension'],
    ['spot.mp4 ', 'unknown_extension'],
    ['spot.svg', 'unknown_extension'],
    ['spot.toString', 'unknown_extension'],
    ['spot.constructor', 'unknown_extension'],
    ['', 'bad_filename'],
    ['a/b.mp4', 'bad_filename'],
    ['..\\b.mp4', 'bad_filename'],
    ['a\u0000.mp4', 'bad_filename'],
    ['a\r\n.mp4', 'bad_filename'],
    [`${'x'.repeat(252)}.mp4`, 'bad_filename'],
    [undefined, 'wrong_type'],
    [7, 'wrong_type'],
    [['a.mp4'], 'wrong_type'],
  ])('%j is refused: %s', (filename, code) => {
    expect(parseFilename(filename)).toMatchObject({ errors: [{ pointer: '/filename', code }] });
  });
});

test.each([
  ['video', 5999, false],
  ['video', 6000, true],
  ['video', 15_001, true],
  ['video', 20_000, true],
  ['video', 20_001, false],
  ['still', 5999, false],
  ['still', 6000, true],
  ['still', 15_000, true],
  ['still', 15_001, false],
  ['video', 6000.5, false],
  ['video', '6000', false],
  ['video', undefined, false],
  ['video', Number.NaN, false],
] as const)('a %s of %s ms is allowed: %s', (kind, durationMs, allowed) => {
  expect(checkDuration(kind, durationMs) === undefined).toBe(allowed);
});

describe('POST /creatives', () => {
  const body = { name: 'Spring', orientation: 'portrait', duration_ms: 10_000, filename: 'spring.mp4' };

  test('a valid body becomes fields', () => {
    expect(parseCreative(body)).toEqual({
      name: 'Spring',
      orientation: 'portrait',
      durationMs: 10_000,
      file: { filename: 'spring.mp4', kind: 'video', contentType: 'video/mp4' },
      audio: undefined,
      synthetic: false,
    });
  });

  test('every fault is reported at once', () => {
    expect(parseCreative({})).toMatchObject({
      errors: ['/name', '/orientation', '/duration_ms'].map(pointer => ({ pointer })),
    });
  });

  test.each([
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 'a\u0000' }, '/name'],
    [{ orientation: 'square' }, '/orientation'],
    [{ duration_ms: 20_001 }, '/duration_ms'],
    [{ filename: 'spring.png', duration_ms: 18_000 }, '/duration_ms'],
    [{ filename: 'spring.gif' }, '/filename'],
    [{ audio_filename: 'jingle.mp3' }, '/audio_filename'],
    [{ filename: 'spring.png', audio_filename: 'jingle.mid' }, '/audio_filename'],
    [{ filename: undefined, audio_filename: 'jingle.mp3' }, '/audio_filename'],
  ])('%j is refused at %s', (change, pointer) => {
    expect(parseCreative({ ...body, ...change })).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });
});

test('without a file name it is a draft, and a still may bring a sound', () => {
  const body = { name: 'Spring', orientation: 'portrait', duration_ms: 10_000 };
  expect(parseCreative(body)).toMatchObject({ file: undefined, audio: undefined });
  expect(parseCreative({ ...body, filename: 'a.png', audio_filename: 'a.MP3' })).toMatchObject({
    file: { kind: 'still' },
    audio: { filename: 'a.MP3', contentType: 'audio/mpeg' },
  });
});

test('an asset is an image', () => {
  expect(parseAsset({ name: 'Menu', filename: 'menu.webp' })).toEqual({
    name: 'Menu',
    filename: 'menu.webp',
    contentType: 'image/webp',
  });
  expect(parseAsset({ name: 'Menu', filename: 'menu.mp4' })).toMatchObject({
    errors: [{ pointer: '/filename', code: 'unknown_extension' }],
  });
  expect(parseAsset({})).toMatchObject({ errors: [{ pointer: '/name' }, { pointer: '/filename' }] });
});

describe('a file against what was declared', () => {
  const facts = { width: 1920, height: 1080, duration_ms: 10_000, picture_ms: null } as MediaFacts;
  test.each([
    ['fits', {}, undefined],
    ['is square, which fits both', { width: 500, height: 500 }, undefined],
    ['stands up', { width: 1080, height: 1920 }, 'wrong_orientation'],
    ['is 250 ms short', { duration_ms: 9_750 }, undefined],
    ['is 251 ms short', { duration_ms: 9_749 }, 'wrong_duration'],
    ['is 251 ms long', { duration_ms: 10_251 }, 'wrong_duration'],
    ['has no duration of its own', { duration_ms: null }, undefined],
    ['has its picture from 250 to 9 750 ms', { picture_ms: { from: 250, to: 9_750 } }, undefined],
    ['has its picture from 251 ms on', { picture_ms: { from: 251, to: 10_000 } }, 'incomplete_picture'],
    ['has its picture to 9 749 ms', { picture_ms: { from: 0, to: 9_749 } }, 'incomplete_picture'],
    ['is larger than 8K', { width: 7_681, height: 4_320 }, 'too_many_pixels'],
  ])('a file that %s: %o gives %s', (_name, changes, code) => {
    expect(judgeMedia({ ...facts, ...changes }, { orientation: 'landscape', durationMs: 10_000 })?.code).toBe(code);
  });
});

test('a creative becomes ready by its file alone, and a detached one stays detached', () => {
  expect(next(creativeMachine, 'awaiting_upload', 'accept')).toBe('ready');
  expect(next(creativeMachine, 'draft', 'accept')).toBeUndefined();
  expect(next(creativeMachine, 'rejected', 'accept')).toBeUndefined();
  expect(next(creativeMachine, 'rejected', 'name_file')).toBe('awaiting_upload');
  for (const state of creativeMachine.states)
    expect(next(creativeMachine, state, 'detach')).toBe(state === 'detached' ? undefined : 'detached');
});
