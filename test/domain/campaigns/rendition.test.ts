/**
 * Into which files a video or a still is made for each platform, and what a file must be for that. Pure rules, by
 * examples and random sizes.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentTypeOf, describeHead, extensionOf, isContentType } from '#domain/campaigns/file-type.ts';
import {
  alsoServes,
  frameRateWithin,
  PLATFORM_PROFILES,
  profileNumber,
  renditionFor,
  sizeWithin,
  STILL_PROFILE,
  stillFits,
  treatmentOf,
  VIDEO_PROFILES,
  type MediaFacts,
} from '#domain/campaigns/rendition.ts';
import { PLATFORMS } from '#domain/screens/screen.ts';

const [first] = VIDEO_PROFILES;
const color = { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', range: 'tv' } as const;
const video: MediaFacts['video'] = {
  codec: 'h264',
  profile: 'High',
  level: 40,
  pixel_format: 'yuv420p',
  frame_rate: 25,
  is_upright: true,
  turn: 1,
  is_progressive: true,
  has_alpha: false,
  color,
};
const facts: MediaFacts = {
  container: 'video/mp4',
  is_streamable: true,
  bytes: 1_000_000,
  duration_ms: 10_000,
  picture_ms: { from: 0, to: 10_000 },
  bit_rate: 6_000_000,
  width: 1920,
  height: 1080,
  video,
  audio: { codec: 'aac', profile: 'LC', channels: 2, sample_rate: 48_000 },
};

describe('the table of profiles', () => {
  test('every platform has a profile in the table with the source of its limits', () => {
    expect(Object.keys(PLATFORM_PROFILES).sort()).toEqual([...PLATFORMS].sort());
    for (const platform of PLATFORMS) {
      expect(VIDEO_PROFILES[profileNumber(platform)]!.name).toBe(PLATFORM_PROFILES[platform].profile);
      expect(PLATFORM_PROFILES[platform].source.length).toBeGreaterThan(20);
    }
  });

  test('no profile is duplicated, and each belongs to a platform', () => {
    expect(new Set(VIDEO_PROFILES.map(({ name: _name, ...limits }) => JSON.stringify(limits))).size).toBe(
      VIDEO_PROFILES.length,
    );
    expect(new Set(PLATFORMS.map(profileNumber)).size).toBe(VIDEO_PROFILES.length);
  });

  test('every level holds the largest picture at the highest frame rate (H.264, table A-1)', () => {
    const macroblocksPerSecond: Record<number, number> = { 40: 245_760, 42: 522_240 };
    for (const { longEdgeMax, shortEdgeMax, frameRateMax, levelMax } of VIDEO_PROFILES) {
      expect(Math.ceil(longEdgeMax / 16) * Math.ceil(shortEdgeMax / 16) * frameRateMax).toBeLessThanOrEqual(
        macroblocksPerSecond[levelMax]!,
      );
    }
  });
});

describe('the treatment to fit a profile', () => {
  test.each<[string, Partial<MediaFacts>, Partial<MediaFacts['video']>, string]>([
    ['a file within all limits', {}, {}, 'as_is'],
    ['a silent one', { audio: null }, {}, 'as_is'],
    ['a portrait one', { width: 1080, height: 1920 }, {}, 'as_is'],
    ['the same streams in QuickTime', { container: 'video/quicktime' }, {}, 'remux'],
    ['an index at the end', { is_streamable: false }, {}, 'remux'],
    ['BT.601', {}, { color: { ...color, matrix: 'smpte170m', primaries: 'smpte170m' } }, 'as_is'],
    ['PQ', {}, { color: { ...color, transfer: 'smpte2084' } }, 'encode'],
    ['HLG', {}, { color: { ...color, transfer: 'arib-std-b67' } }, 'encode'],
    ['the colors of BT.2020', {}, { color: { ...color, primaries: 'bt2020' } }, 'encode'],
    ['full range', {}, { color: { ...color, range: 'pc' } }, 'encode'],
    ['another codec', {}, { codec: 'vp9' }, 'encode'],
    ['ten bits', {}, { profile: 'High 10', pixel_format: 'yuv420p10le' }, 'encode'],
    ['a level above', {}, { level: 50 }, 'encode'],
    ['4K', { width: 3840, height: 2160 }, {}, 'encode'],
    ['too many frames', {}, { frame_rate: 61 }, 'encode'],
    ['too many bits', { bit_rate: 20_000_001 }, {}, 'encode'],
    ['an unknown bit rate', { bit_rate: null }, {}, 'encode'],
    ['lying on its side', {}, { is_upright: false }, 'encode'],
    ['interlaced', {}, { is_progressive: false }, 'encode'],
    ['six channels', { audio: { codec: 'aac', profile: 'LC', channels: 6, sample_rate: 48_000 } }, {}, 'encode'],
    ['MP3 sound', { audio: { codec: 'mp3', profile: null, channels: 2, sample_rate: 48_000 } }, {}, 'encode'],
  ])('%s', (_name, changes, picture, treatment) => {
    expect(treatmentOf({ ...facts, ...changes, video: { ...video, ...picture } }, first)).toBe(treatment);
  });

  test.each<[string, Partial<MediaFacts>, boolean]>([
    ['a JPEG', {}, true],
    ['a WebP', { container: 'image/webp' }, false],
    ['a large one', { width: 1921 }, false],
    ['five megabytes', { bytes: 5 * 1024 * 1024 }, false],
    ['one on its side', { video: { ...video, is_upright: false } }, false],
    ['one in CMYK', { video: { ...video, pixel_format: 'cmyk' } }, false],
  ])('%s as a still', (_name, changes, fits) => {
    expect(stillFits({ ...facts, container: 'image/jpeg', ...changes })).toBe(fits);
  });

  test.each<[string, Partial<MediaFacts['video']>, number[]]>([
    ['25 progressive frames', {}, [25, 25, 25]],
    ['25 interlaced frames', { is_progressive: false }, [50, 25, 25]],
    ['50 progressive frames', { frame_rate: 50 }, [50, 30, 30]],
    ['an unknown number of frames', { frame_rate: null }, [60, 30, 30]],
  ])('%s a second become as many as each profile takes', (_name, picture, rates) => {
    const source = { ...facts, video: { ...video, ...picture } };
    expect(VIDEO_PROFILES.map(profile => frameRateWithin(source, profile))).toEqual(rates);
  });

  test('an encoding is never larger than its source, fits the limits, has even edges and the same shape', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8_000 }), fc.integer({ min: 2, max: 8_000 }), (width, height) => {
        const made = sizeWithin({ width, height }, first);
        expect((made.width % 2) + (made.height % 2)).toBe(0);
        expect(made.width).toBeLessThanOrEqual(Math.max(2, width));
        expect(made.height).toBeLessThanOrEqual(Math.max(2, height));
        expect(Math.max(made.width, made.height)).toBeLessThanOrEqual(first.longEdgeMax);
        expect(Math.min(made.width, made.height)).toBeLessThanOrEqual(first.shortEdgeMax);
        const scale = Math.min(
          1,
          first.longEdgeMax / Math.max(width, height),
          first.shortEdgeMax / Math.min(width, height),
        );
        expect(Math.abs(made.width - width * scale)).toBeLessThanOrEqual(2);
        expect(Math.abs(made.height - height * scale)).toBeLessThanOrEqual(2);
      }),
    );
  });

  test.each<[string, Partial<MediaFacts>, number, boolean]>([
    ['serves the wider ones', {}, 4_000_000, true],
    ['whose cap may have been felt does not', {}, 4_000_001, false],
    ['of a source with more frames does not', { video: { ...video, frame_rate: 50 } }, 1_000_000, false],
    ['of an interlaced source does not', { video: { ...video, is_progressive: false } }, 1_000_000, false],
    ['of a larger source serves them: all are scaled alike', { width: 3840, height: 2160 }, 1_000_000, true],
  ])('an encoding within the narrowest limits %s', (_name, changes, bitRate, serves) => {
    const narrowest = VIDEO_PROFILES.at(-1)!;
    expect(alsoServes({ profile: narrowest, bitRate }, first, { ...facts, ...changes })).toBe(serves);
    expect(alsoServes({ profile: first, bitRate }, narrowest, { ...facts, ...changes })).toBe(false);
  });

  test('a still has one rendition for every profile, a video its own', () => {
    const object = { object: 'x', bytes: 1 };
    expect(VIDEO_PROFILES.map(({ name }) => renditionFor({ [STILL_PROFILE.name]: object }, name))).toEqual(
      VIDEO_PROFILES.map(() => object),
    );
    expect(renditionFor({ [VIDEO_PROFILES[0].name]: object }, VIDEO_PROFILES[1].name)).toBeUndefined();
  });
});

describe('file types', () => {
  test("extensions and content types are each other's inverse", () => {
    for (const extension of ['mp4', 'mov', 'webm', 'jpg', 'png', 'webp', 'mp3', 'm4a', 'wav'])
      expect(extensionOf(contentTypeOf(extension)!)).toBe(extension);
    expect(contentTypeOf('exe')).toBeUndefined();
  });

  test.each([
    ['PK\u0003\u0004rest', 'a ZIP archive'],
    ['\n <!DOCTYPE html><html>', 'a web page'],
    ['%PDF-1.7', 'a PDF document'],
    ['GIF89a', 'a GIF image'],
    ['ID3\u0004', 'audio/mpeg'],
    ['hello', undefined],
    ['', undefined],
  ])('%j is recognized as %s', (text, name) => {
    const head = Buffer.from(text, 'latin1');
    expect(describeHead(head)).toBe(name);
    expect(isContentType(head, 'video/mp4')).toBe(false);
  });
});
