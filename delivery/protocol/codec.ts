/** The two encodings of the protocol: JSON in text frames, plain MessagePack maps in binary frames. */
import { Packr, Unpackr } from 'msgpackr';
import { type Subprotocol, SUBPROTOCOLS } from './bounds.ts';
import { FillWriterJson, FillWriterMsgpack, type FillWriter } from './fill-writer.ts';
import type { SlotRequest } from './inbound.ts';
import { isPlainMessage } from './msgpack-guard.ts';
import { readSlotJson, readSlotMsgpack } from './slot-reader.ts';

export type Frame = string | Uint8Array;

export type Codec = {
  subprotocol: Subprotocol;
  /** Whether its frames are binary. */
  binary: boolean;
  /**
   * The request in a `slot` frame of the plain form, valid until the next call; undefined for anything else, or for a
   * wrong one.
   */
  readSlot(frame: ArrayBuffer, now: number): SlotRequest | undefined;
  /** The value in a frame, or undefined if it is invalid. The frame is not kept. */
  decode(frame: ArrayBuffer): unknown;
  /** Valid until the next call. */
  encode(message: object): Frame;
  fills: FillWriter;
};

const packr = new Packr({ useRecords: false });
// A 64-bit integer beyond the precision of a double is out of every field's bounds, so the loss does no harm.
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' });

const json: Codec = {
  subprotocol: 'marquee.v1.json',
  binary: false,
  readSlot: (frame, now) => readSlotJson(new Uint8Array(frame), now),
  decode(frame) {
    try {
      return JSON.parse(Buffer.from(frame).toString('utf8')) as unknown;
    } catch {
      // The input was not JSON; the caller reports that.
      return undefined;
    }
  },
  encode: message => JSON.stringify(message),
  fills: new FillWriterJson(),
};

const msgpack: Codec = {
  subprotocol: 'marquee.v1.msgpack',
  binary: true,
  readSlot: (frame, now) => readSlotMsgpack(new Uint8Array(frame), now),
  decode(frame) {
    const bytes = new Uint8Array(frame);
    if (!isPlainMessage(bytes)) return undefined;
    try {
      return unpackr.unpack(bytes) as unknown;
    } catch {
      // It passed the guard but not the decoder: still not a message.
      return undefined;
    }
  },
  encode: message => packr.pack(message),
  fills: new FillWriterMsgpack(),
};

/**
 * The codec for the sub-protocols that a client offers (`Sec-WebSocket-Protocol`), in its order of preference. None
 * offered means JSON; only unknown ones offered means undefined.
 */
export function chooseCodec(offered: string): Codec | undefined {
  if (offered === json.subprotocol) return json;
  if (offered === msgpack.subprotocol) return msgpack;
  const names = offered
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  if (names.length === 0) return json;
  const chosen = names.find(name => (SUBPROTOCOLS as readonly string[]).includes(name));
  if (chosen === undefined) return undefined;
  return chosen === msgpack.subprotocol ? msgpack : json;
}
