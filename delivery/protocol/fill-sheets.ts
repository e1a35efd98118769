/**
 * The fixed parts of fills in both sub-protocols (`FillParts`), and the message that is being written: all in one
 * buffer, so that a fill is one copy within it. A sheet has its lengths first, then its bytes. Its maker keeps the
 * sheet's place. Nothing is freed: when the room is used up all sheets are dropped, and each is written again at its
 * next play.
 */
import { assert } from '#domain/assertion.ts';
import { base64urlLength } from '#domain/base64url.ts';
import { SCAN_BYTES_MAX } from '#domain/plays/play.ts';
import { SLOTS_MAX } from './bounds.ts';

/**
 * A fill in each sub-protocol, from its beginning to the end of the link's fixed part, with the play id and, in
 * MessagePack, the times and the link's length left open. `scanBaseBytes` is the length of the fixed part of the link.
 */
export type FillParts = { json: Uint8Array; msgpack: Uint8Array; scanBaseBytes: number };

/** About fifty thousand played creatives; 32 MiB. */
const SHEETS_BYTES_MAX = 32 * 1024 * 1024;
const SHEETS_BYTES_FIRST = 64 * 1024;
/** Room for the parts of a message besides sheets: the scan code and times of each fill, and their punctuation. */
const OWN_BYTES_MAX = base64urlLength(SCAN_BYTES_MAX) + 128;
/** Lengths are of 16 bits. */
const PARTS_BYTES_MAX = 0xffff;
/** The lengths of the MessagePack, of the JSON and of the link. */
const HEAD_BYTES = 6;

export class FillSheets {
  /** The unfinished message first, then the sheets. Another one after `spell`. */
  bytes = Buffer.alloc(SHEETS_BYTES_FIRST);
  /** The same, for numbers of several bytes. */
  view = viewOf(this.bytes);
  /** Sheets start here. */
  #first = 0;
  #end = 0;
  /** Added to the position of a sheet in `bytes`, so that a dropped sheet is not mistaken for another one. */
  #base = 0;
  readonly #bytesMax: number;

  constructor({ bytesMax = SHEETS_BYTES_MAX }: { bytesMax?: number } = {}) {
    this.#bytesMax = bytesMax;
    this.#clear((SLOTS_MAX + 1) * OWN_BYTES_MAX);
  }

  /** Whether a sheet is still there. */
  has(sheet: number): boolean {
    return sheet >= this.#base + this.#first;
  }

  /** The position of a sheet's MessagePack bytes; the JSON bytes follow. */
  placeOf(sheet: number): number {
    return sheet - this.#base + HEAD_BYTES;
  }

  msgpackBytes(place: number): number {
    return this.#lengthAt(place - HEAD_BYTES);
  }

  jsonBytes(place: number): number {
    return this.#lengthAt(place - HEAD_BYTES + 2);
  }

  scanBaseBytes(place: number): number {
    return this.#lengthAt(place - HEAD_BYTES + 4);
  }

  /** Adds a sheet, and returns its place. The unfinished message stays. */
  spell({ json, msgpack, scanBaseBytes }: FillParts): number {
    assert(Math.max(json.length, msgpack.length) <= PARTS_BYTES_MAX, 'a fill is no longer than a message');
    const messageBytes = (SLOTS_MAX + 1) * (Math.max(json.length, msgpack.length) + OWN_BYTES_MAX);
    if (messageBytes > this.#first) this.#clear(messageBytes);
    const bytes = HEAD_BYTES + msgpack.length + json.length;
    if (this.#end + bytes > this.bytes.length) this.#makeRoom(bytes);
    const at = this.#end;
    this.view.setUint16(at, msgpack.length);
    this.view.setUint16(at + 2, json.length);
    this.view.setUint16(at + 4, scanBaseBytes);
    this.bytes.set(msgpack, at + HEAD_BYTES);
    this.bytes.set(json, at + HEAD_BYTES + msgpack.length);
    this.#end = at + bytes;
    return this.#base + at;
  }

  #lengthAt(at: number): number {
    return this.view.getUint16(at);
  }

  #makeRoom(bytes: number): void {
    if (this.bytes.length * 2 <= this.#bytesMax) this.#grow(this.bytes.length * 2);
    else this.#clear(this.#first);
    if (this.#end + bytes > this.bytes.length) this.#grow(this.#end + bytes);
  }

  /** Forgets all sheets. */
  #clear(messageBytes: number): void {
    this.#base += this.bytes.length;
    this.#first = messageBytes;
    this.#end = messageBytes;
    if (messageBytes > this.bytes.length) this.#grow(messageBytes);
  }

  #grow(length: number): void {
    const grown = Buffer.alloc(length);
    this.bytes.copy(grown);
    this.bytes = grown;
    this.view = viewOf(grown);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/**
 * Those of this process: the writers of the two sub-protocols, and so the unfinished message, are the process's too.
 */
export const fillSheets = new FillSheets();
