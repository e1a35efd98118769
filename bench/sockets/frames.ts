/**
 * The few parts of the WebSocket protocol (RFC 6455) that a load client needs: frames that are masked beforehand, and a
 * reader of a server's frames.
 */
import { randomBytes } from 'node:crypto';
import { pack } from 'msgpackr';

export const OPCODE = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const FIN = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * A whole client frame around the payload, with a random mask already applied.
 * @throws RangeError above 65,535 bytes.
 */
export function maskedFrame(payload: Uint8Array, opcode: number): Buffer {
  if (payload.length > 0xffff) throw new RangeError('a message of a screen is at most 64 KiB');
  const head =
    payload.length < LENGTH_16
      ? Buffer.from([FIN | opcode, MASKED | payload.length])
      : Buffer.from([FIN | opcode, MASKED | LENGTH_16, payload.length >>> 8, payload.length & 0xff]);
  const mask = randomBytes(4);
  const body = Buffer.from(payload);
  for (let index = 0; index < body.length; index += 1) body[index]! ^= mask[index & 3]!;
  return Buffer.concat([head, mask, body]);
}

/** A message of a screen that speaks MessagePack. */
export const frameOf = (message: object): Buffer => maskedFrame(pack(message), OPCODE.binary);

/** Called with each whole frame; the bytes from `start` to `end` are the payload and are overwritten afterwards. */
export type OnFrame = (opcode: number, bytes: Buffer, start: number, end: number) => void;

/** Cuts what a server sends into frames. Servers send no fragments to a client that asks for none. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  #rest: Buffer | undefined;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Takes the first `length` bytes of a buffer that the caller uses again. */
  read(chunk: Buffer, length: number): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk.subarray(0, length)]) : chunk;
    const limit = this.#rest ? bytes.length : length;
    let at = 0;
    while (limit - at >= 2) {
      let start = at + 2;
      let size = bytes[at + 1]!;
      if (size === LENGTH_16) {
        start = at + 4;
        if (start > limit) break;
        size = bytes.readUInt16BE(at + 2);
      } else if (size === LENGTH_64) {
        start = at + 10;
        if (start > limit) break;
        size = Number(bytes.readBigUInt64BE(at + 2));
      }
      if (start + size > limit) break;
      this.#onFrame(bytes[at]! & 0x0f, bytes, start, start + size);
      at = start + size;
    }
    this.#rest = at < limit ? Buffer.from(bytes.subarray(at, limit)) : undefined;
  }
}
