/**
 * Slot messages are read straight from their bytes if that is possible. They read as the decoder and its checks would
 * read them, for random messages in each encoding; everything else is left to the decoder.
 */
import * as fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { chooseCodec } from '../../../delivery/protocol/codec.ts';
import { readMessage } from '../../../delivery/protocol/inbound.ts';

const NOW = 1_800_000_000_000;
const codecs = [chooseCodec('marquee.v1.json')!, chooseCodec('marquee.v1.msgpack')!];
const packers = [new Packr({ useRecords: false }), new Packr({ useRecords: false, variableMapSize: true })];

function framesOf(message: object): { codec: (typeof codecs)[number]; frame: ArrayBuffer }[] {
  const frames = [Buffer.from(JSON.stringify(message)), ...packers.map(packer => Buffer.from(packer.pack(message)))];
  return frames.map((bytes, at) => ({ codec: codecs[Math.min(at, 1)]!, frame: Uint8Array.from(bytes).buffer }));
}

const integer = (min: number, max: number) =>
  fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max, min - 1, max + 1, 0.5, -1, 2 ** 53, 2 ** 60));
const slots = fc.record(
  {
    t: fc.constantFrom('slot', 'slot', 'slot', 'plays', 'slo', 'slott'),
    id: integer(0, Number.MAX_SAFE_INTEGER),
    at: integer(NOW - 60_000, NOW + 172_800_000),
    count: integer(1, 20),
    max_duration_ms: integer(1_000, 3_600_000),
    plan: fc.constantFrom(true, false, null, 1),
    more: fc.string(),
  },
  { requiredKeys: [] },
);

describe('slots from bytes', () => {
  test('the reader and the decoder with its checks read the same', () => {
    fc.assert(
      fc.property(slots, message => {
        const read = framesOf(message).map(({ codec, frame }) => ({
          quick: { ...codec.readSlot(frame, NOW) },
          slow: readMessage(codec.decode(frame), NOW),
        }));
        const quick = read.filter(each => 't' in each.quick);
        expect(quick.map(each => each.quick)).toEqual(quick.map(each => each.slow));
      }),
      { numRuns: 5_000 },
    );
    expect.hasAssertions();
  });

  test.each([
    { t: 'slot', id: 1, count: 1 },
    { t: 'slot', id: 2 ** 40, at: NOW, count: 20, max_duration_ms: 60_000, plan: true },
    { plan: false, id: 0, t: 'slot' },
  ])('%j is read from its bytes in each format', message => {
    for (const { codec, frame } of framesOf(message))
      expect(codec.readSlot(frame, NOW)).toMatchObject({
        id: message.id,
        count: message.count ?? 1,
        plan: message.plan ?? false,
      });
  });

  test.each([
    '{"t":"slot","id":1,"id":2}',
    '{"t":"slot","id":01}',
    '{"t":"slot","id":1} ',
    '{"t":"slot","id":1.5}',
    '{"t":"slot"}',
    '{"id":1}',
    '{"t":"slot","id":1,}',
    '{"t":"slot","id":1',
    '',
  ])('%s is left to the decoder', text => {
    expect(codecs[0]!.readSlot(Uint8Array.from(Buffer.from(text)).buffer, NOW)).toBeUndefined();
  });

  test('no bytes make it throw, and only slots are read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 140 }), bytes => {
        for (const codec of codecs) expect(codec.readSlot(Uint8Array.from(bytes).buffer, NOW)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });
});
