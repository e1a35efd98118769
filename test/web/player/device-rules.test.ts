/**
 * What the player makes of its device, of the settings that it is given and of the answers to a code. Pure functions;
 * neither a browser nor an engine is needed.
 */
import { describe, expect, test } from 'vitest';
import { problemOf } from '../../../web/player/pairing.ts';
import { platformOf } from '../../../web/player/platform.ts';
import { readSettings } from '../../../web/player/settings.ts';

describe('the platform of a user agent', () => {
  test.each([
    ['Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 Version/6.0 TV Safari/537.36', 'tizen'],
    ['Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/79.0.3945.79 Safari/537.36', 'webos'],
    ['Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7255; wv) AppleWebKit/537.36', 'fire_tv'],
    ['Mozilla/5.0 (Linux; Android 12; Google TV) AppleWebKit/537.36', 'google_tv'],
    ['Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2) AppleWebKit/537.36', 'android_tv'],
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile', 'browser'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'browser'],
  ])('%s means %s', (userAgent, platform) => {
    expect(platformOf(userAgent)).toBe(platform);
  });
});

describe('a message of the server', () => {
  test('may lack fields: a welcome without a playlist means ads only', () => {
    expect(readSettings({ screen_id: 'scr_1', ad_ratio: 7, playlist: null })).toEqual({
      screen_id: 'scr_1',
      venue_id: '',
      timezone: 'UTC',
      ad_ratio: 1,
      playlist: [],
    });
  });

  test('may contain items of a later version, which are ignored', () => {
    const playlist = [
      { type: 'hologram' },
      { type: 'image', url: '/a.png', duration_ms: 5 },
      { type: 'ai_menu' },
      { type: 'ad_slot', weight: 2, ad_ms: 500 },
      null,
    ];
    expect(readSettings({ playlist }).playlist).toEqual([
      { type: 'image', url: '/a.png', duration_ms: 1_000 },
      { type: 'ad_slot', ad_ms: 500 },
    ]);
  });
});

test.each([
  [0, 'cannot be reached'],
  [404, 'not known'],
  [409, 'used already'],
  [410, '60 seconds'],
  [429, 'in 12 seconds'],
  [503, 'answered 503'],
])('a code answered with %i shows the next step', (status, words) => {
  expect(problemOf(status, 12)).toContain(words);
});
