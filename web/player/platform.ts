/** The protocol's platform for a browser's user agent. */
import type { Device } from './pairing.ts';

/** Order matters: most of them also say Android. */
const PLATFORMS: readonly (readonly [RegExp, Device['platform']])[] = [
  [/Tizen/i, 'tizen'],
  [/Web0S|webOS/i, 'webos'],
  [/\bAFT[A-Z0-9]+\b/, 'fire_tv'], // model numbers of the maker's sticks and sets
  [/Google ?TV|CrKey/i, 'google_tv'],
  [/Android.*\bTV\b|\bTV\b.*Android|BRAVIA/i, 'android_tv'],
];

export function platformOf(userAgent: string): Device['platform'] {
  const found = PLATFORMS.find(([pattern]) => pattern.test(userAgent));
  return found ? found[1] : 'browser';
}
