/**
 * What a screen may say: each message is checked field by field, what may be left out has its default, and whatever
 * arrives, nothing is thrown. Pure checks, driven by examples and by random values.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../../delivery/protocol/inbound.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const play = { play_id: 'p', started_at: NOW, played_ms: 6_000 };
const GOOD = {
  hello: {
    t: 'hello',
    token: 'dt_x',
    platform: 'linux',
    player: 'p/1',
    time: NOW,
    recent: ['a'],
    commands: ['dance', 'reload', 7],
  },
  slot: { t: 'slot', id: 1, at: NOW, count: 2, max_duration_ms: 15_000, plan: false },
  plays: { t: 'plays', id: 1, plays: [{ ...play, audience: 3 }], settled_to: NOW },
  cannot_play: { t: 'cannot_play', id: 1, play_id: 'p', reason: 'asset' },
};
type Type = keyof typeof GOOD;

describe('messages of a screen', () => {
  test.each([
    ['hello', { t: 'hello', token: 'dt_x', platform: 'linux', player: 'p/1', recent: ['a'], commands: ['reload'] }],
    ['slot', { t: 'slot', id: 1, at: NOW, count: 2, maxDurationMs: 15_000, plan: false }],
    [
      'plays',
      { t: 'plays', id: 1, plays: [{ playId: 'p', startedAt: NOW, playedMs: 6_000, audience: 3 }], settledTo: NOW },
    ],
    ['cannot_play', { t: 'cannot_play', id: 1, playId: 'p', reason: 'asset' }],
  ] as [Type, object][])('a whole %s is read, and unknown fields are ignored', (type, expected) => {
    expect(readMessage({ ...GOOD[type], unknown: { deep: [1] } }, NOW)).toEqual(expected);
  });

  test('optional fields get their defaults', () => {
    expect(readMessage({ t: 'slot', id: 0 }, NOW)).toEqual({
      t: 'slot',
      id: 0,
      at: NOW,
      count: 1,
      maxDurationMs: 15_000,
      plan: false,
    });
    expect(readMessage({ t: 'hello', token: 'dt_x', platform: 'tizen' }, NOW)).toMatchObject({
      player: '',
      recent: [],
      commands: [],
    });
    expect(readMessage({ t: 'plays', id: 3, plays: [] }, NOW)).toEqual({ t: 'plays', id: 3, plays: [] });
  });

  const required: [Type, string][] = [
    ['hello', 'token'],
    ['hello', 'platform'],
    ['slot', 'id'],
    ['plays', 'id'],
    ['plays', 'plays'],
    ['cannot_play', 'id'],
    ['cannot_play', 'play_id'],
    ['cannot_play', 'reason'],
  ];
  test.each(required)('%s without %s is refused by name', (type, field) => {
    const message: Record<string, unknown> = { ...GOOD[type] };
    delete message[field];
    expect(readMessage(message, NOW)).toMatchObject({
      fault: 'bad_field',
      message: expect.stringContaining(field) as string,
    });
  });

  const long = 'x'.repeat(257);
  const wrong: [Type, string, unknown[]][] = [
    ['hello', 'token', [7, null, {}, [], '', long]],
    ['hello', 'platform', [7, null, 'amiga', 'toString', '__proto__', []]],
    ['hello', 'player', [7, null, long, {}]],
    ['hello', 'time', ['now', null, -1, 1.5, NaN, Infinity]],
    ['hello', 'recent', ['a', 7, {}, [7], [long], Array.from({ length: 21 }, () => 'a')]],
    ['hello', 'commands', ['reload', 7, {}, Array.from({ length: 21 }, () => 'reload')]],
    ['slot', 'id', ['1', null, -1, 1.5, 2 ** 53, NaN, {}]],
    ['slot', 'at', ['now', null, NOW - 60_001, NOW + 48 * HOUR + 1, 1.5, NaN, -1]],
    ['slot', 'count', [0, 21, '1', null, 1.5, -1, []]],
    ['slot', 'max_duration_ms', [0, 999, '15000', null, 1.5, 3_600_001]],
    ['slot', 'plan', [1, 'true', null]],
    ['plays', 'id', ['1', null, -1, 1.5]],
    [
      'plays',
      'plays',
      [
        {},
        'x',
        7,
        null,
        [7],
        [null],
        [[]],
        [{}],
        [{ ...play, play_id: 7 }],
        [{ ...play, play_id: long }],
        [{ ...play, started_at: '1' }],
        [{ ...play, started_at: -1 }],
        [{ ...play, played_ms: -1 }],
        [{ ...play, played_ms: 86_400_001 }],
        [{ ...play, played_ms: null }],
        [{ ...play, audience: -1 }],
        [{ ...play, audience: 1.5 }],
        [{ ...play, audience: '3' }],
      ],
    ],
    ['plays', 'settled_to', ['1', null, -1, 1.5]],
    ['cannot_play', 'play_id', [7, null, '', long]],
    ['cannot_play', 'reason', ['bored', 7, null, 'toString']],
  ];
  test.each(
    wrong.flatMap(([type, field, values]) =>
      values.map(value => ({ type, field, value, shown: (JSON.stringify(value) ?? String(value)).slice(0, 40) })),
    ),
  )('$type with $field of $shown is refused by name', ({ type, field, value }) => {
    const fault = readMessage({ ...GOOD[type], [field]: value }, NOW);
    expect(fault).toMatchObject({ fault: 'bad_field', message: expect.stringContaining(field) as string });
  });

  test('an invalid play is named by its position', () => {
    expect(readMessage({ t: 'plays', id: 9, plays: [play, { ...play, played_ms: 'x' }] }, NOW)).toEqual({
      fault: 'bad_field',
      message: 'plays[1].played_ms must be an integer from 0 to 86400000',
      id: 9,
    });
  });

  test('more than 200 plays are too many', () => {
    expect(readMessage({ t: 'plays', id: 9, plays: Array.from({ length: 201 }, () => play) }, NOW)).toMatchObject({
      fault: 'too_many',
      id: 9,
    });
  });

  test.each([[null], [7], ['x'], [[]], [undefined], [true], [{}], [{ t: 7 }], [{ t: null }]])(
    '%j is not a message',
    value => {
      expect(readMessage(value, NOW)).toMatchObject({ fault: 'bad_message' });
    },
  );

  test.each(['', 'fill', 'toString', '__proto__', 'constructor'])('the type %j is unknown', t => {
    expect(readMessage({ t, id: 4 }, NOW)).toMatchObject({ fault: 'unknown_type', id: 4 });
  });

  test('no input makes it throw', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom('hello', 'slot', 'plays', 'cannot_play'),
        fc.dictionary(
          fc.constantFrom('id', 'at', 'count', 'plays', 'token', 'platform', 'play_id', 'reason', 'recent'),
          fc.anything(),
        ),
        (anything, t, fields) => {
          readMessage(anything, NOW);
          const read = readMessage({ ...fields, t }, NOW);
          expect('fault' in read || read.t === t).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
