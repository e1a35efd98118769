/**
 * The two encodings of the screen protocol, JSON and MessagePack: which one is chosen, and which frames are no message.
 * No sockets: frames are made here, also at random and hostile ones, and no bytes make the decoder throw.
 */
import * as fc from 'fast-check';
import { Packr, Unpackr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { chooseCodec } from '../../../delivery/protocol/codec.ts';
import { fillSheets } from '../../../delivery/protocol/fill-sheets.ts';
import { fillParts } from '../../../delivery/protocol/fill-writer.ts';
import { signedBytes } from './signed-bytes.ts';
import { isPlainMessage } from '../../../delivery/protocol/msgpack-guard.ts';

const json = chooseCodec('marquee.v1.json')!;
const msgpack = chooseCodec('marquee.v1.msgpack')!;
const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false });

function frameOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
const decoded = (frame: string | Uint8Array): unknown =>
  (typeof frame === 'string'
    ? JSON.parse(frame)
    : frame[0] === 0x7b
      ? JSON.parse(Buffer.from(frame).toString())
      : unpackr.unpack(Uint8Array.from(frame))) as unknown;

describe('sub-protocols', () => {
  test.each([
    ['', 'marquee.v1.json'],
    ['marquee.v1.json', 'marquee.v1.json'],
    ['marquee.v1.msgpack', 'marquee.v1.msgpack'],
    ['marquee.v1.msgpack, marquee.v1.json', 'marquee.v1.msgpack'],
    ['other,marquee.v1.json', 'marquee.v1.json'],
    ['other', undefined],
  ])('%j chooses %s', (offered, chosen) => {
    expect(chooseCodec(offered)?.subprotocol).toBe(chosen);
  });

  test.each([json, msgpack])('a message survives a round trip ($subprotocol)', codec => {
    const message = { t: 'ack', id: 2 ** 40, refused: [{ play_id: 'é', reason: 'too_late' }] };
    expect(decoded(codec.encode(message))).toEqual(message);
  });

  test.each([json, msgpack])(
    'a fill has the labels of its ad, its sponsor, and its own fields ($subprotocol)',
    codec => {
      const sheet = fillSheets.spell(
        fillParts({
          campaignId: 'cmp_1',
          creativeId: 'cre_2',
          kind: 'still',
          url: 'http://h/a.jpg',
          durationMs: 6_000,
          labels: ['political', 'synthetic'],
          political: { sponsor: 'Example Party', process: 'Example election' },
          scanBase: 'http://h/s/',
        }),
      );
      codec.fills.begin(1);
      codec.fills.fill(sheet, {
        play: signedBytes('P'.repeat(104)),
        scan: signedBytes('abcd'),
        scanBytes: 3,
        startsAt: 5,
        expiresAt: 900_005,
      });
      expect(decoded(codec.fills.end(1))).toEqual({
        t: 'fill',
        id: 1,
        slots: [
          {
            play_id: 'P'.repeat(104),
            campaign_id: 'cmp_1',
            creative_id: 'cre_2',
            kind: 'still',
            url: 'http://h/a.jpg',
            duration_ms: 6_000,
            labels: ['political', 'synthetic'],
            political: { sponsor: 'Example Party', process: 'Example election' },
            scan_url: 'http://h/s/abcd',
            starts_at: 5,
            expires_at: 900_005,
          },
        ],
      });
    },
  );

  test.each([json, msgpack])('fills are written with every field ($subprotocol)', codec => {
    const fields = {
      campaignId: 'cmp_"1',
      creativeId: 'cre_2',
      kind: 'video' as const,
      url: 'http://h/assets/ü.mp4',
      durationMs: 6_000,
      scanBase: 'http://h/s/',
    };
    const sheet = fillSheets.spell(fillParts(fields));
    for (const id of [0, 7, 2 ** 32 - 1, 2 ** 40]) {
      const slot = (play: string, scan: string, at: number) => ({
        play: signedBytes(play.repeat(104)),
        scan: signedBytes(scan),
        scanBytes: Buffer.from(scan, 'base64url').length,
        startsAt: at,
        expiresAt: at + 900_000,
      });
      codec.fills.begin(id);
      codec.fills.fill(sheet, slot('P', 'abcd', 1_800_000_000_123));
      codec.fills.noFill('paced_out');
      for (let more = 0; more < 18; more++) codec.fills.fill(sheet, slot('Q', 'cccc'.repeat(1 + (more % 10)), more));
      const message = decoded(codec.fills.end(20)) as { t: string; id: number; slots: object[] };
      expect(message).toMatchObject({ t: 'fill', id });
      expect(message.slots).toHaveLength(20);
      expect(message.slots[0]).toEqual({
        play_id: 'P'.repeat(104),
        campaign_id: 'cmp_"1',
        creative_id: 'cre_2',
        kind: 'video',
        url: 'http://h/assets/ü.mp4',
        duration_ms: 6_000,
        scan_url: 'http://h/s/abcd',
        starts_at: 1_800_000_000_123,
        expires_at: 1_800_000_900_123,
      });
      expect(message.slots[1]).toEqual({ no_fill: 'paced_out' });
      expect(message.slots[19]).toMatchObject({
        scan_url: `http://h/s/${'c'.repeat(32)}`,
        starts_at: 17,
        expires_at: 900_017,
      });
    }
  });
});

describe('hostile frames', () => {
  const nested = (depth: number): Uint8Array =>
    Uint8Array.from({ length: depth + 1 }, (_, at) => (at < depth ? 0x91 : 0xc0));

  test.each([
    ['nothing', Uint8Array.of()],
    ['an array of 4 thousand million', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ['a map of 4 thousand million', Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff)],
    ['a text that is longer than the message', Uint8Array.of(0xdb, 0xff, 0xff, 0xff, 0xff, 0x61)],
    ['a length that is cut', Uint8Array.of(0xdc, 0x01)],
    ['60,000 nested arrays', nested(60_000)],
    ['nine nested arrays', nested(9)],
    ['two values', Uint8Array.of(0x01, 0x02)],
    ['an extension', Uint8Array.of(0xd4, 0x72, 0x00)],
    ['binary', Uint8Array.of(0xc4, 0x01, 0x00)],
    ['the unused code', Uint8Array.of(0xc1)],
    ['5,000 values', Uint8Array.from({ length: 5_003 }, (_, at) => [0xdc, 0x13, 0x88][at] ?? 0)],
  ])('%s is not a message', (_, bytes) => {
    expect(msgpack.decode(frameOf(bytes))).toBeUndefined();
  });

  test('200 plays are within the bounds', () => {
    const plays = Array.from({ length: 200 }, () => ({
      play_id: 'x'.repeat(104),
      started_at: 1.8e12,
      played_ms: 6_000,
      audience: 3,
    }));
    expect(msgpack.decode(frameOf(packr.pack({ t: 'plays', id: 1, plays, settled_to: 1.8e12 })))).toMatchObject({
      t: 'plays',
    });
  });

  test('64-bit integers are numbers', () => {
    expect(msgpack.decode(frameOf(Uint8Array.of(0x81, 0xa2, 0x69, 0x64, 0xcf, 0, 0, 1, 0, 0, 0, 0, 0)))).toEqual({
      id: 2 ** 40,
    });
  });

  test('no bytes make the decoder throw, and everything it reads has passed the guard', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const value = msgpack.decode(frameOf(bytes));
        json.decode(frameOf(bytes));
        return value === undefined || isPlainMessage(bytes);
      }),
      { numRuns: 5_000 },
    );
    expect.assertions(0); // the property throws
  });

  test('plain values of any shape within the bounds pass the guard', () => {
    fc.assert(
      fc.property(
        fc.object({
          maxDepth: 4,
          maxKeys: 5,
          values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double()],
        }),
        value => {
          expect(isPlainMessage(packr.pack(value))).toBe(true);
        },
      ),
    );
  });
});
