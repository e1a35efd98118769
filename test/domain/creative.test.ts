import { describe, expect, test } from 'vitest';
import { checkDuration, creativeMachine, parseCreative, parseFilename } from '#domain/creative.ts';
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
    ['spot.avi', 'unknown_extension'], ['spot', 'unknown_extension'], ['.mp4', 'unknown_extension'], ['mp4', 'unknown_extension'], ['spot.mp4.exe', 'unknown_extension'], ['spot.mp4 ', 'unknown_extension'],
    ['spot.svg', 'unknown_extension'], ['spot.toString', 'unknown_extension'], ['spot.constructor', 'unknown_extension'],
    ['', 'bad_filename'], ['a/b.mp4', 'bad_filename'], ['..\\b.mp4', 'bad_filename'], ['a\u0000.mp4', 'bad_filename'], ['a\r\n.mp4', 'bad_filename'], [`${'x'.repeat(252)}.mp4`, 'bad_filename'],
    [undefined, 'wrong_type'], [7, 'wrong_type'], [['a.mp4'], 'wrong_type'],
  ])('%j is refused: %s', (filename, code) => {
    expect(parseFilename(filename)).toMatchObject({ errors: [{ pointer: '/filename', code }] });
  });
});

test.each([
  ['video', 5999, false], ['video', 6000, true], ['video', 15_001, true], ['video', 20_000, true], ['video', 20_001, false],
  ['still', 5999, false], ['still', 6000, true], ['still', 15_000, true], ['still', 15_001, false],
  ['video', 6000.5, false], ['video', '6000', false], ['video', undefined, false], ['video', Number.NaN, false],
] as const)('a %s of %s ms is allowed: %s', (kind, durationMs, allowed) => {
  expect(checkDuration(kind, durationMs) === undefined).toBe(allowed);
});

describe('POST /creatives', () => {
  const body = { name: 'Spring', orientation: 'portrait', duration_ms: 10_000, filename: 'spring.mp4' };

  test('a good body becomes fields', () => {
    expect(parseCreative(body)).toEqual({ name: 'Spring', orientation: 'portrait', durationMs: 10_000, filename: 'spring.mp4', kind: 'video', contentType: 'video/mp4' });
  });

  test('every fault is reported at once', () => {
    expect(parseCreative({})).toMatchObject({ errors: ['/name', '/orientation', '/filename', '/duration_ms'].map(pointer => ({ pointer })) });
  });

  test.each([
    [{ name: '' }, '/name'], [{ name: 'x'.repeat(201) }, '/name'], [{ name: 'a\u0000' }, '/name'], [{ orientation: 'square' }, '/orientation'],
    [{ duration_ms: 20_001 }, '/duration_ms'], [{ filename: 'spring.png', duration_ms: 18_000 }, '/duration_ms'], [{ filename: 'spring.gif' }, '/filename'],
  ])('%j is refused at %s', (change, pointer) => {
    expect(parseCreative({ ...body, ...change })).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });
});

test('a creative becomes ready by its file alone, and a detached one stays detached', () => {
  expect(next(creativeMachine, 'awaiting_upload', 'accept')).toBe('ready');
  expect(next(creativeMachine, 'draft', 'accept')).toBeUndefined();
  expect(next(creativeMachine, 'rejected', 'accept')).toBeUndefined();
  for (const state of creativeMachine.states) expect(next(creativeMachine, state, 'detach')).toBe(state === 'detached' ? undefined : 'detached');
});
