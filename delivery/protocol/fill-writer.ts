/**
 * Writes `fill` messages. Most of a fill is the same for every play of a creative in a campaign and is spelled once, when
 * the campaign is loaded (`fillParts`); per slot only the play id, the scan code and two times are added.
 *
 *   {play_id, campaign_id, creative_id, kind, url, duration_ms, scan_url, starts_at, expires_at}
 */
import { Packr } from 'msgpackr';
import { type NoFillReason, NO_FILL_REASONS } from '#domain/decision.ts';
import { SLOTS_MAX } from './bounds.ts';

/** What is fixed of a fill. `scanBase` is the link up to the scan code. */
export type FillFields = { campaignId: string; creativeId: string; kind: 'video' | 'still'; url: string; durationMs: number; scanBase: string };

/** The fixed part as each sub-protocol spells it. The MessagePack one ends with the header (str 16) and the first `scanBaseBytes` bytes of the link. */
export type FillParts = { json: string; msgpack: Uint8Array; scanBaseBytes: number };

/** One slot's own part: texts in ASCII, times in ms. */
export type FillSlot = { playId: string; scanCode: string; startsAt: number; expiresAt: number };

export type FillWriter = {
  begin(id: number): void;
  fill(parts: FillParts, slot: FillSlot): void;
  noFill(reason: NoFillReason): void;
  /** The message; valid until the next `begin`. `count` is the number of slots written. */
  end(count: number): string | Uint8Array;
};

const packr = new Packr({ useRecords: false });
const STR_16 = 0xda;

/** Spells the fixed part of a fill in both sub-protocols: from after the play id to the scan code. */
export function fillParts(fields: FillFields): FillParts {
  const text = JSON.stringify({
    campaign_id: fields.campaignId, creative_id: fields.creativeId, kind: fields.kind, url: fields.url,
    duration_ms: fields.durationMs, scan_url: fields.scanBase,
  });
  const pairs: unknown[] = [
    'campaign_id', fields.campaignId, 'creative_id', fields.creativeId, 'kind', fields.kind, 'url', fields.url, 'duration_ms', fields.durationMs, 'scan_url',
  ];
  const link = Buffer.from(fields.scanBase, 'utf8');
  return {
    json: `","${text.slice(2, -2)}`,
    msgpack: Buffer.concat([...pairs.map(value => Buffer.from(packr.pack(value))), Buffer.of(STR_16, 0, 0), link]),
    scanBaseBytes: link.length,
  };
}

export class FillWriterJson implements FillWriter {
  private text = '';
  private separator = '';

  begin(id: number): void {
    this.text = `{"t":"fill","id":${id},"slots":[`;
    this.separator = '';
  }

  fill(parts: FillParts, { playId, scanCode, startsAt, expiresAt }: FillSlot): void {
    this.text += `${this.separator}{"play_id":"${playId}${parts.json}${scanCode}","starts_at":${startsAt},"expires_at":${expiresAt}}`;
    this.separator = ',';
  }

  noFill(reason: NoFillReason): void {
    this.text += `${this.separator}{"no_fill":"${reason}"}`;
    this.separator = ',';
  }

  end(): string {
    return `${this.text}]}`;
  }
}

const FILL_MAP = 0x89; // nine fields
const STR_8 = 0xd9;
const FLOAT_64 = 0xcb;
const UINT_32 = 0xce;
/** Room for a fill besides its parts: keys, play id, scan code and times. */
const FILL_BYTES_MAX = 256;
/** Header: t, id and the announced number of slots. */
const HEAD_BYTES_MAX = 64;
const ARRAY_16_BYTES = 3;

const HEAD = Buffer.concat([Buffer.of(0x83), packr.pack('t'), packr.pack('fill'), packr.pack('id')]);
const SLOTS_KEY = Buffer.from(packr.pack('slots'));
const PLAY_ID_KEY = Buffer.concat([Buffer.of(FILL_MAP), packr.pack('play_id'), Buffer.of(STR_8)]);
const STARTS_KEY = Buffer.concat([packr.pack('starts_at'), Buffer.of(FLOAT_64)]);
const EXPIRES_KEY = Buffer.concat([packr.pack('expires_at'), Buffer.of(FLOAT_64)]);
const NO_FILLS = Object.fromEntries(NO_FILL_REASONS.map(reason => [reason, Buffer.from(packr.pack({ no_fill: reason }))])) as Record<NoFillReason, Buffer>;

/** The length of the link is known per slot only, so its header is filled in after the fixed part was copied. */
export class FillWriterMsgpack implements FillWriter {
  private buffer = Buffer.alloc(16 * 1024);
  private at = 0;
  private countAt = 0;

  begin(id: number): void {
    this.at = 0;
    this.room(HEAD_BYTES_MAX);
    this.copy(HEAD);
    this.writeId(id);
    this.copy(SLOTS_KEY);
    this.countAt = this.at;
    this.at += ARRAY_16_BYTES;
  }

  fill(parts: FillParts, { playId, scanCode, startsAt, expiresAt }: FillSlot): void {
    this.room(FILL_BYTES_MAX + parts.msgpack.length);
    this.copy(PLAY_ID_KEY);
    this.buffer[this.at++] = playId.length;
    this.at += this.buffer.write(playId, this.at, 'latin1');
    this.copy(parts.msgpack);
    this.buffer.writeUInt16BE(parts.scanBaseBytes + scanCode.length, this.at - parts.scanBaseBytes - 2);
    this.at += this.buffer.write(scanCode, this.at, 'latin1');
    this.copy(STARTS_KEY);
    this.at = this.buffer.writeDoubleBE(startsAt, this.at);
    this.copy(EXPIRES_KEY);
    this.at = this.buffer.writeDoubleBE(expiresAt, this.at);
  }

  noFill(reason: NoFillReason): void {
    this.room(HEAD_BYTES_MAX);
    this.copy(NO_FILLS[reason]);
  }

  end(count: number): Uint8Array {
    this.buffer[this.countAt] = 0xdc;
    this.buffer.writeUInt16BE(Math.min(count, SLOTS_MAX), this.countAt + 1);
    return this.buffer.subarray(0, this.at);
  }

  /** An unsigned integer of 32 bits where it fits; a larger one as a double, which every reader takes for a number. */
  private writeId(id: number): void {
    const small = id <= 0xffffffff;
    this.buffer[this.at++] = small ? UINT_32 : FLOAT_64;
    this.at = small ? this.buffer.writeUInt32BE(id, this.at) : this.buffer.writeDoubleBE(id, this.at);
  }

  private copy(bytes: Uint8Array): void {
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  private room(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const grown = Buffer.alloc(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(grown);
    this.buffer = grown;
  }
}
