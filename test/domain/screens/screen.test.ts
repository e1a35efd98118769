/** Platforms, orientations and the ad ratio of a screen. Pure rules, by examples. */
import { expect, test } from 'vitest';
import { ORIENTATIONS, PLATFORMS, isAdRatio, isOrientation, isPlatform } from '#domain/screens/screen.ts';

test('the eight platforms and the two orientations are known', () => {
  expect(PLATFORMS).toHaveLength(8);
  for (const platform of PLATFORMS) expect(isPlatform(platform)).toBe(true);
  for (const orientation of ORIENTATIONS) expect(isOrientation(orientation)).toBe(true);
});

test.each([undefined, null, '', 'Linux', 'roku', 0, [], ['linux'], {}])(
  '%j is neither a platform nor an orientation',
  value => {
    expect(isPlatform(value)).toBe(false);
    expect(isOrientation(value)).toBe(false);
  },
);

test('an ad ratio is a number from 0 to 1', () => {
  for (const value of [0, 0.5, 1]) expect(isAdRatio(value)).toBe(true);
  for (const value of [-0.01, 1.01, Number.NaN, '0.5', null, undefined]) expect(isAdRatio(value)).toBe(false);
});
