/** The bytes of recorded decisions: they are read back as they were written. Pure rules, driven by random records. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowedAdMs, NO_FILL_REASONS, type NoFillReason, REASON_NUMBER } from '#domain/plays/decision.ts';
import { stepsOf } from '#domain/plays/decision-journal.ts';
import {
  type DecisionRecord,
  emptyRecord,
  NO_ROOM,
  NOT_ISSUED,
  OF_PLAN,
  OF_SANDBOX,
  readRecords,
  REASON_CODES,
  RECORD_BYTES,
  RecordBuffer,
  UNKNOWN_REASON,
} from '#domain/plays/decision-record.ts';
import type { Kind } from '#domain/id.ts';
import { handle } from '../../support/handle.ts';

const anyHandle = <K extends Kind>(kind: K) => fc.integer({ min: 1, max: 2 ** 48 }).map(value => handle(kind, value));
const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const record: fc.Arbitrary<DecisionRecord> = fc.record({
  decidedAtMs: fc.integer({ min: 0, max: 2 ** 45 }),
  startsAtMs: fc.integer({ min: 0, max: 2 ** 45 }),
  maxDurationMs: word,
  screen: anyHandle('screen'),
  answer: fc.integer({ min: -1, max: NO_FILL_REASONS.length - 1 }),
  campaign: anyHandle('campaign'),
  creative: anyHandle('creative'),
  durationMs: fc.integer({ min: 0, max: 65_535 }),
  costMicros: fc.integer({ min: 0, max: 2 ** 50 }),
  flags: fc.integer({ min: 0, max: OF_PLAN | NO_ROOM | NOT_ISSUED | OF_SANDBOX }),
  revision: word,
  planVersion: word,
});

test('records are read as written, from any part of the bytes', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), fc.nat(7), (records, from) => {
      const buffer = new RecordBuffer(8);
      for (const each of records) expect(buffer.add(each)).toBe(true);
      // Behind an odd number of other bytes, as a payload may hold them.
      const bytes = Buffer.concat([Buffer.alloc(3), buffer.bytes(from, 8)]).subarray(3);
      expect([...readRecords(bytes)]).toEqual(records.slice(from));
    }),
  );
});

/** Where a record has the code of its answer. */
const CODE_AT = RECORD_BYTES - 4;
const answersOf = (bytes: Uint8Array) => [...readRecords(bytes)].map(({ answer }) => answer);

/** Every reason with its code. A line is added with a reason, and never changed or removed. */
const CODES_FOR_EVER: readonly (readonly [NoFillReason, number])[] = [
  ['no_campaign', 0],
  ['screen_closed', 1],
  ['ad_ratio', 2],
  ['sandbox', 3],
  ['targeting', 4],
  ['venue_blocked', 5],
  ['outside_schedule', 6],
  ['outside_daypart', 7],
  ['paused', 8],
  ['creative_not_ready', 9],
  ['format', 10],
  ['budget_exhausted', 11],
  ['no_lease', 12],
  ['frequency', 13],
  ['separation', 14],
  ['paced_out', 15],
  ['restricted', 16],
];

test.each(CODES_FOR_EVER)('records say %s by the code %i, in every version', (reason, code) => {
  const buffer = new RecordBuffer(1);
  buffer.add({ ...emptyRecord(), answer: REASON_NUMBER[reason] });
  const bytes = buffer.bytes(0, 1);
  expect(bytes[CODE_AT]).toBe(code);
  expect(answersOf(bytes)).toEqual([REASON_NUMBER[reason]]);
});

test('each reason has a unique code, different from the code of a fill', () => {
  expect(Object.entries(REASON_CODES)).toEqual(CODES_FOR_EVER);
  expect(new Set(Object.values(REASON_CODES)).size).toBe(NO_FILL_REASONS.length);
  const buffer = new RecordBuffer(1);
  buffer.add({ ...emptyRecord(), answer: -1 });
  expect(buffer.bytes(0, 1)[CODE_AT]).toBe(0xff);
  expect(NO_FILL_REASONS.length).toBeLessThan(UNKNOWN_REASON);
});

test('a run is replayed up to the first reason of a newer version', () => {
  const buffer = new RecordBuffer(3);
  for (let left = 3; left > 0; left--) buffer.add(emptyRecord());
  const bytes = buffer.bytes(0, 3);
  bytes[RECORD_BYTES + CODE_AT] = 0xfe;
  expect(answersOf(bytes)).toEqual([0, UNKNOWN_REASON, 0]);
  const steps = [...stepsOf({ state: [], changes: [], decisions: [{ number: 7, bytes }] })];
  expect(steps).toMatchObject([{ number: 7 }]);
});

test('a recorded screen keeps the bounds of its venue, and is unbounded without them', () => {
  const text = [{}, { audienceMax: 40, screensNear: 3 }]
    .map(venue => JSON.stringify({ k: 'screen', next: 0, venue }))
    .join('\n');
  const steps = [...stepsOf({ state: [text], changes: [], decisions: [] })];
  expect(steps).toMatchObject([
    { entry: { venue: { audienceMax: Infinity, screensNear: 1 } } },
    { entry: { venue: { audienceMax: 40, screensNear: 3 } } },
  ]);
});

test('a full buffer accepts no more until it is cleared', () => {
  const buffer = new RecordBuffer(1);
  expect([buffer.add(emptyRecord()), buffer.add(emptyRecord()), buffer.length]).toEqual([true, false, 1]);
  buffer.clear();
  expect([buffer.add(emptyRecord()), buffer.bytes(0, 1).length]).toEqual([true, RECORD_BYTES]);
});

test('bytes of incomplete records are not read', () => {
  expect(() => [...readRecords(new Uint8Array(RECORD_BYTES + 1))]).toThrow('whole');
});

test.each([
  [0, 60_000, 0],
  [1, 0, Infinity],
  [0.5, 3_000, 6_001],
  [0.5, 2_999, 0],
  [0.9, 1_500, 15_005],
])('a screen with a share of %d and a credit of %i ms may show an ad of at most %d ms', (ratio, credit, expected) => {
  expect(allowedAdMs(ratio, credit)).toBeCloseTo(expected, 6);
});
