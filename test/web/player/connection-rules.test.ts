/**
 * Rules of the player's connection: how long it waits before the next attempt, how it follows the server's clock, and
 * which messages it ignores. Pure functions; neither a browser nor an engine is needed.
 */
import { describe, expect, test } from 'vitest';
import { Attempts, backOffAfter, waitMs } from '../../../web/player/connection/back-off.ts';
import { Clock } from '../../../web/player/clock.ts';
import { problemOf } from '../../../web/player/pairing.ts';
import { platformOf } from '../../../web/player/platform.ts';
import { readMessage } from '../../../web/player/connection/protocol.ts';

describe('the wait before the next attempt', () => {
  test('doubles up to its longest', () => {
    expect([0, 1, 2, 6, 7, 1_000].map(attempt => waitMs(backOffAfter(4002), attempt, 0.5))).toEqual([
      5_000, 10_000, 20_000, 300_000, 300_000, 300_000,
    ]);
  });

  test('stays short for sixteen attempts after a connection was lost', () => {
    expect([0, 1, 2, 3, 4, 15, 16, 1_000].map(attempt => waitMs(backOffAfter(1006), attempt, 0.5))).toEqual([
      500, 1_000, 2_000, 2_500, 2_500, 2_500, 30_000, 30_000,
    ]);
  });

  test('is spread over half to one and a half times its length', () => {
    expect([0, 0.5, 1].map(random => waitMs({ firstMs: 1_000, longestMs: 9_000 }, 0, random))).toEqual([
      500, 1_000, 1_500,
    ]);
  });

  test.each([
    ['a server that drains is left at once', 4008, 200],
    ['a token that is not known is tried again slowly', 4002, 5_000],
    ['a screen that is open elsewhere does not throw that one out', 4004, 60_000],
    ['one that spoke too much is quiet', 4005, 15_000],
    ['any other end is tried again soon', 4000, 500],
  ])('%s', (_sentence, code, firstMs) => {
    expect(waitMs(backOffAfter(code), 0, 0.5)).toBe(firstMs);
  });
});

describe('the connections of a screen', () => {
  test.each([1006, 4008])('are 30 a minute at most, also where each is welcomed and ends at once with %i', code => {
    const attempts = new Attempts();
    const openedAt: number[] = [];
    for (let at = 0; at < 180_000; at += attempts.waitMs(code, at, 0)) {
      openedAt.push(at);
      attempts.opened(at);
      attempts.welcomed();
    }
    expect(openedAt.length).toBeGreaterThan(60);
    expect(openedAt.every((at, index) => at - (openedAt[index - 30] ?? -60_000) >= 60_000)).toBe(true);
  });

  test('are opened more seldom while others throw them out, though they are welcomed, until one has lasted', () => {
    const attempts = new Attempts();
    const waitAfter = (code: number, at: number): number => attempts.waitMs(code, at, 0.5);
    const ends = [4004, 4004, 4005, 4004].map((code, index) => {
      attempts.opened(index);
      attempts.welcomed();
      return waitAfter(code, index);
    });
    expect(ends).toEqual([60_000, 120_000, 60_000, 480_000]);
    attempts.opened(1_000_000);
    attempts.welcomed();
    expect([waitAfter(1006, 1_000_001), waitAfter(4002, 1_000_002)]).toEqual([500, 10_000]);
    attempts.opened(2_000_000);
    attempts.welcomed();
    expect(waitAfter(4004, 2_600_000)).toBe(60_000);
  });
});

describe('the clock', () => {
  test("runs on the server's time, half a round trip after it was written", () => {
    const clock = new Clock({ offsetMs: 0, deviceMs: 5, steadyMs: 1_000 });
    clock.sync({ serverMs: 1_700_000_000_000, sentAt: 2_000, receivedAt: 2_100, deviceMs: 1_700_000_010_000 });
    expect(clock.at({ steadyMs: 2_100, deviceMs: 1_700_000_010_000 })).toBe(1_700_000_000_050);
    expect(clock.at({ steadyMs: 62_100, deviceMs: 1_700_000_070_000 })).toBe(1_700_000_060_050);
    expect(clock.offsetMs).toBe(-9_950);
  });

  test.each([
    ['back', -3_600_000],
    ['from 1970 to now', 1_700_000_000_000],
  ])("does not jump when the device's own clock is set %s, and is in doubt", (_sentence, jumpMs) => {
    const clock = new Clock({ offsetMs: 50_000, deviceMs: 100_000, steadyMs: 7 });
    expect(clock.at({ steadyMs: 7, deviceMs: 100_000 })).toBe(150_000);
    expect([clock.at({ steadyMs: 1_007, deviceMs: 101_000 }), clock.isDoubtful]).toEqual([151_000, false]);
    expect([clock.at({ steadyMs: 2_007, deviceMs: 102_000 + jumpMs }), clock.isDoubtful]).toEqual([152_000, true]);
  });

  test('counts the hours that the device slept, in which the steady clock stood, and is in doubt until a welcome', () => {
    const clock = new Clock({ offsetMs: 0, deviceMs: 5, steadyMs: 1_000 });
    clock.sync({ serverMs: 1_700_000_000_000, sentAt: 2_000, receivedAt: 2_000, deviceMs: 1_700_000_010_000 });
    const awake = { steadyMs: 3_000, deviceMs: 1_700_000_011_000 + 3_600_000 };
    expect([clock.at(awake), clock.isDoubtful]).toEqual([1_700_003_601_000, true]);
    expect(clock.at({ steadyMs: 4_000, deviceMs: awake.deviceMs + 1_000 })).toBe(1_700_003_602_000);
    clock.sync({ serverMs: 1_700_003_602_500, sentAt: 4_000, receivedAt: 4_000, deviceMs: awake.deviceMs + 1_000 });
    expect([clock.at({ steadyMs: 5_000, deviceMs: awake.deviceMs + 2_000 }), clock.isDoubtful]).toEqual([
      1_700_003_603_500,
      false,
    ]);
  });
});

describe('the platform of a user agent', () => {
  test.each([
    ['Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 Version/6.0 TV Safari/537.36', 'tizen'],
    ['Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/79.0.3945.79 Safari/537.36', 'webos'],
    ['Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7255; wv) AppleWebKit/537.36', 'fire_tv'],
    ['Mozilla/5.0 (Linux; Android 12; Google TV) AppleWebKit/537.36', 'google_tv'],
    ['Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2) AppleWebKit/537.36', 'android_tv'],
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile', 'browser'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'browser'],
  ])('%s is %s, say', (userAgent, platform) => {
    expect(platformOf(userAgent)).toBe(platform);
  });
});

describe('a message of the server', () => {
  test.each(['', 'nonsense', '[]', '17', '{"t":"news"}', '{}'])('is ignored when it is nothing known: %s', text => {
    expect(readMessage(text)).toBeUndefined();
  });

  test('may lack fields: a welcome without a playlist is one of ads alone', () => {
    expect(readMessage('{"t":"welcome","screen_id":"scr_1","ad_ratio":7,"playlist":null,"time":9}')).toEqual({
      t: 'welcome',
      time: 9,
      settings: {
        screen_id: 'scr_1',
        venue_id: '',
        timezone: 'UTC',
        ad_ratio: 1,
        orientation: 'landscape',
        sensor: false,
        playlist: [],
      },
    });
  });

  test('may hold items of a later version, which are left out', () => {
    const items = [
      { type: 'hologram' },
      { type: 'image', url: '/a.png', duration_ms: 5 },
      { type: 'ai_menu' },
      { type: 'ad_slot', weight: 2, ad_ms: 500 },
      null,
    ];
    expect(readMessage(JSON.stringify({ t: 'config', playlist: items }))).toEqual({
      t: 'config',
      settings: {
        playlist: [
          { type: 'image', url: '/a.png', duration_ms: 1_000 },
          { type: 'ad_slot', ad_ms: 500 },
        ],
      },
    });
  });

  test('a slot without a play id is not filled', () => {
    expect(readMessage('{"t":"fill","id":3,"slots":[{"no_fill":"paused"},{"url":"x"},7]}')).toEqual({
      t: 'fill',
      id: 3,
      slots: [{ no_fill: 'paused' }, { no_fill: 'undefined' }, { no_fill: 'undefined' }],
    });
  });
});

test.each([
  [404, 'not known'],
  [409, 'used already'],
  [410, '60 seconds'],
  [429, 'in 12 seconds'],
  [503, 'answered 503'],
])('a code that was answered %i says what to do', (status, words) => {
  expect(problemOf(status, 12)).toContain(words);
});
