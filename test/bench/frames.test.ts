/** Frames of WebSockets as the load client writes and reads them, however the stream is cut. Bytes made here. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameReader, maskedFrame, OPCODE } from '../../bench/sockets/frames.ts';

/** A server's frame: whole and not masked. */
function serverFrame(payload: Uint8Array, opcode: number): Buffer {
  const length = payload.length;
  if (length < 126) return Buffer.concat([Buffer.of(0x80 | opcode, length), payload]);
  const head = Buffer.alloc(length <= 0xffff ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length <= 0xffff ? 126 : 127;
  if (length <= 0xffff) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

test.each([0, 1, 125, 126, 127, 300, 65_535])('a masked frame of %i bytes carries its payload', length => {
  const payload = Buffer.from(Array.from({ length }, (_, index) => index & 0xff));
  const frame = maskedFrame(payload, OPCODE.binary);
  const start = length < 126 ? 6 : 8;
  expect(frame[0]).toBe(0x82);
  expect(frame[1]! & 0x80).toBe(0x80);
  expect(length < 126 ? frame[1]! & 0x7f : frame.readUInt16BE(2)).toBe(length);
  const mask = frame.subarray(start - 4, start);
  expect(Buffer.from(frame.subarray(start).map((byte, index) => byte ^ mask[index & 3]!))).toEqual(payload);
});

test('a message that screens may not send is refused', () => {
  expect(() => maskedFrame(new Uint8Array(65_536), OPCODE.binary)).toThrow(RangeError);
});

/** What a reader makes of the stream when it arrives in pieces of these lengths, by turns, through one buffer. */
function readInPieces(stream: Buffer, lengths: readonly number[]): Buffer[] {
  const read: Buffer[] = [];
  const reader = new FrameReader((opcode, bytes, start, end) => {
    expect(opcode).toBe(OPCODE.binary);
    read.push(Buffer.from(bytes.subarray(start, end)));
  });
  const buffer = Buffer.alloc(Math.max(...lengths));
  for (let at = 0, piece = 0; at < stream.length; piece += 1) {
    const length = Math.min(lengths[piece % lengths.length]!, stream.length - at);
    stream.copy(buffer, 0, at, at + length);
    reader.read(buffer, length);
    at += length;
  }
  return read;
}

test('frames are read identically however the stream is cut', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), (payloads, lengths) => {
      const stream = Buffer.concat(payloads.map(payload => serverFrame(payload, OPCODE.binary)));
      expect(readInPieces(stream, lengths)).toEqual(payloads.map(payload => Buffer.from(payload)));
    }),
  );
});

test('a frame above 64 KiB is read from several pieces', () => {
  const payload = Buffer.alloc(70_000, 7);
  const stream = Buffer.concat([serverFrame(payload, OPCODE.binary), serverFrame(Buffer.of(1), OPCODE.binary)]);
  expect(readInPieces(stream, [3, 30_000])).toEqual([payload, Buffer.of(1)]);
});
