/** The signed play id, the scan code, and which reported play counts. Pure rules: any flipped bit is refused. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Kind } from '../../../domain/id.ts';
import {
  decodePlayId,
  decodeScanCode,
  encodePlayId,
  encodeScanCode,
  expiresAt,
  judgePlay,
  parseSigningKeys,
  PLAY_ID_LENGTH,
  type PlayFacts,
  reservationMicros,
} from '../../../domain/plays/play.ts';
import { handle } from '../../support/handle.ts';

const OLD = '3:AAECAwQFBgcICQoLDA0ODw==';
const NEW = '4:Dw4NDAsKCQgHBgUEAwIBAA';

const keys = parseSigningKeys(`${NEW},${OLD}`);
const anyHandle = <K extends Kind>(kind: K) =>
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(value => handle(kind, value));
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const facts: fc.Arbitrary<PlayFacts> = fc.record({
  campaign: anyHandle('campaign'),
  creative: anyHandle('creative'),
  screen: anyHandle('screen'),
  venue: anyHandle('venue'),
  sandbox: fc.boolean(),
  plan: fc.boolean(),
  sensor: fc.boolean(),
  startsAt: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  durationMs: fc.integer({ min: 0, max: 65_535 }),
  rateMicros: u32,
  impressionsEst: u32,
  impressionsMax: u32,
  audience: fc.integer({ min: 0, max: 31 }),
  epoch: u32,
  issueNumber: u32,
});

const SAMPLE: PlayFacts = {
  campaign: handle('campaign', 7),
  creative: handle('creative', 8),
  screen: handle('screen', 9),
  venue: handle('venue', 10),
  sandbox: false,
  plan: false,
  sensor: false,
  startsAt: 1_700_000_000_000,
  durationMs: 6000,
  rateMicros: 20_000,
  impressionsEst: 2_500,
  impressionsMax: 2_500,
  audience: 0,
  epoch: 1,
  issueNumber: 2,
};
const HOUR = 3_600_000;

describe('play id', () => {
  test('holds its fields in 104 characters', () => {
    fc.assert(
      fc.property(facts, sample => {
        const text = encodePlayId(sample, keys.current);
        expect(text).toMatch(/^[A-Za-z0-9_-]{104}$/);
        expect(text.length).toBe(PLAY_ID_LENGTH);
        expect(decodePlayId(text, keys)).toEqual(sample);
      }),
    );
  });

  test('any flipped bit is refused', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 78 * 8 - 1 }), (sample, bit) => {
        const bytes = Buffer.from(encodePlayId(sample, keys.current), 'base64url');
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(decodePlayId(bytes.toString('base64url'), keys)).toBeUndefined();
      }),
    );
  });

  test('an old key still verifies, and an unknown key does not', () => {
    const text = encodePlayId(SAMPLE, parseSigningKeys(OLD).current);
    expect(decodePlayId(text, keys)).toEqual(SAMPLE);
    expect(decodePlayId(text, parseSigningKeys(NEW))).toBeUndefined();
  });

  test.each(['', 'x', 'A'.repeat(103), 'A'.repeat(104), 'A'.repeat(105), 'é'.repeat(104), `${'A'.repeat(103)}=`])(
    '%j is not a play id',
    text => {
      expect(decodePlayId(text, keys)).toBeUndefined();
    },
  );

  test.each([
    ['', 'pairs'],
    ['1', 'pairs'],
    ['1:', 'pairs'],
    ['256:AAECAwQFBgcICQoLDA0ODw==', 'above 255'],
    [`${OLD},${OLD}`, 'twice'],
    ['1:AAECAw==', '16 bytes'],
  ])('signing keys %j are refused: %s', (text, fault) => {
    expect(() => parseSigningKeys(text)).toThrow(fault);
  });
});

describe('counting', () => {
  const onTime = { screen: handle('screen', 9), receivedAt: SAMPLE.startsAt + 6_100 };
  const whole = { startedAt: SAMPLE.startsAt, playedMs: 6000 };

  test('a reservation is the rate times the most impressions, rounded up', () => {
    expect(reservationMicros({ rateMicros: 3, impressionsMax: 1_001 })).toBe(4);
  });

  test.each([
    ['on time', whole, {}, 50_000],
    ['5 s early', { startedAt: SAMPLE.startsAt - 5_000, playedMs: 5_500 }, {}, 50_000],
    [
      'at the last moment',
      { startedAt: SAMPLE.startsAt + 15 * 60_000 + 5_000, playedMs: 6000 },
      { receivedAt: SAMPLE.startsAt + HOUR },
      50_000,
    ],
    ['of a clock that is 5 s fast, reported as it ends,', whole, { receivedAt: SAMPLE.startsAt + 1_000 }, 50_000],
    [
      'of a clock that is 5 s slow, reported as it ends,',
      { startedAt: SAMPLE.startsAt - 5_000, playedMs: 6000 },
      {},
      50_000,
    ],
    ['reported 29 days later', whole, { receivedAt: SAMPLE.startsAt + 29 * 24 * HOUR }, 50_000],
    ['with people that no sensor counted', { ...whole, audience: 10_000 }, {}, 50_000],
  ])('a play %s counts', (_, report, arrival, costMicros) => {
    expect(judgePlay(SAMPLE, report, { ...onTime, ...arrival })).toEqual({
      counts: true,
      impressionsThousandths: 2_500,
      costMicros,
    });
  });

  test.each([
    ['other_screen', whole, { screen: handle('screen', 8) }],
    ['before_slot', { startedAt: SAMPLE.startsAt - 5_001, playedMs: 6000 }, {}],
    ['after_expiry', { startedAt: SAMPLE.startsAt + 15 * 60_000 + 5_001, playedMs: 6000 }, {}],
    ['too_short', { ...whole, playedMs: 5_499 }, {}],
    ['too_late', whole, { receivedAt: SAMPLE.startsAt + 30 * 24 * HOUR + 1 }],
    ['before_end', whole, { receivedAt: SAMPLE.startsAt - 3 * HOUR }],
    ['before_end', whole, { receivedAt: SAMPLE.startsAt + 999 }],
    ['before_end', { startedAt: SAMPLE.startsAt + 60_000, playedMs: 6000 }, { receivedAt: SAMPLE.startsAt + 60_999 }],
    ['before_end', { startedAt: SAMPLE.startsAt, playedMs: 11_101 }, {}],
    // Started before the slot or not: what was sold begins with the slot.
    ['before_end', { startedAt: SAMPLE.startsAt - 5_000, playedMs: 6000 }, { receivedAt: SAMPLE.startsAt + 999 }],
  ])('%s is refused', (refusal, report, arrival) => {
    expect(judgePlay(SAMPLE, report, { ...onTime, ...arrival })).toBe(refusal);
  });

  test('a fill of an offline playlist may be started for 48 hours', () => {
    expect(expiresAt({ ...SAMPLE, plan: true }) - SAMPLE.startsAt).toBe(48 * HOUR);
    expect(
      judgePlay(
        { ...SAMPLE, plan: true },
        { startedAt: SAMPLE.startsAt + 47 * HOUR, playedMs: 6000 },
        { ...onTime, receivedAt: SAMPLE.startsAt + 48 * HOUR },
      ),
    ).toMatchObject({ counts: true });
  });

  test('no sensor report costs more than its reservation', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 1_000_000_000 }), (sample, audience) => {
        const bounded = {
          ...sample,
          rateMicros: sample.rateMicros % 1_000_000,
          impressionsEst: Math.min(sample.impressionsEst, sample.impressionsMax),
        };
        const judged = judgePlay(
          { ...bounded, sensor: true },
          { startedAt: sample.startsAt, playedMs: sample.durationMs, audience },
          { screen: sample.screen, receivedAt: sample.startsAt + sample.durationMs },
        );
        if (typeof judged === 'string') throw new Error(judged);
        expect(judged.costMicros).toBeLessThanOrEqual(reservationMicros(bounded));
        expect(judged.impressionsThousandths).toBe(Math.min(audience * 1000, bounded.impressionsMax));
      }),
    );
  });
});

describe('scan code', () => {
  test('holds its fields and is short', () => {
    fc.assert(
      fc.property(
        fc.record({
          campaign: anyHandle('campaign'),
          creative: anyHandle('creative'),
          screen: anyHandle('screen'),
          slotMinute: u32,
        }),
        sample => {
          expect(decodeScanCode(encodeScanCode(sample, keys.current), keys)).toEqual(sample);
        },
      ),
    );
    expect(
      encodeScanCode(
        {
          campaign: handle('campaign', 40),
          creative: handle('creative', 60),
          screen: handle('screen', 200),
          slotMinute: 29_000_000,
        },
        keys.current,
      ).length,
    ).toBeLessThanOrEqual(24);
  });

  test('any flipped bit is refused', () => {
    const text = encodeScanCode(
      {
        campaign: handle('campaign', 40),
        creative: handle('creative', 60),
        screen: handle('screen', 200),
        slotMinute: 29_000_000,
      },
      keys.current,
    );
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(decodeScanCode(flipped.toString('base64url'), keys)).toBeUndefined();
    }
  });

  test.each(['', 'AAAA', 'é', 'A'.repeat(60), 'A'.repeat(200)])('%j is not a scan code', text => {
    expect(decodeScanCode(text, keys)).toBeUndefined();
  });
});
