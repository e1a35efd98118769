/**
 * Writes `fill` messages. Most of a fill is the same for every play of a creative in a campaign and is written once,
 * for its first play (`fillParts`, `fill-sheets.ts`). Per slot its bytes are copied into one reused buffer, and only
 * the play id, the scan code and two times are added, in base64url and digits without a text in between.
 *
 *   {play_id, campaign_id, creative_id, kind, url, duration_ms, labels?, political?, scan_url, starts_at, expires_at}
 */
import { Packr } from 'msgpackr';
import { type NoFillReason, NO_FILL_REASONS } from '#domain/plays/decision.ts';
import type { Label } from '#domain/law/label.ts';
import type { PoliticalLabel } from '#domain/campaigns/political.ts';
import { PLAY_ID_BYTES, PLAY_ID_LENGTH } from '#domain/plays/play.ts';
import { spellSigned } from '#domain/signing/signed-text.ts';
import type { SipBytes } from '#domain/signing/siphash.ts';
import { SLOTS_MAX } from './bounds.ts';
import { type FillParts, fillSheets } from './fill-sheets.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The fixed part of a fill. `scanBase` is the link up to the scan code. */
export type FillFields = {
  campaignId: string;
  creativeId: string;
  kind: 'video' | 'still';
  url: string;
  durationMs: Milliseconds;
  labels?: readonly Label[] | undefined;
  political?: PoliticalLabel | undefined;
  scanBase: string;
};

/** One slot's own part: signed bytes before encoding, times in ms. */
export type FillSlot = { play: SipBytes; scan: SipBytes; scanBytes: number; startsAt: number; expiresAt: number };

export type FillWriter = {
  begin(id: number): void;
  /** @param sheet the place of its fixed part */
  fill(sheet: number, slot: FillSlot): void;
  noFill(reason: NoFillReason): void;
  /** The message; valid until the next `begin`. `count` is the number of slots written. */
  end(count: number): Uint8Array;
};

const packr = new Packr({ useRecords: false });
const packed = (...values: unknown[]): Buffer => Buffer.concat(values.map(value => Buffer.from(packr.pack(value))));
const OPEN_PLAY_ID = ' '.repeat(PLAY_ID_LENGTH);

const FILL_MAP = 0x89; // nine fields, and each optional one adds 1
const STR_8 = 0xd9;
const STR_16 = 0xda;
const FLOAT_64 = 0xcb;
const UINT_32 = 0xce;
const ARRAY_16 = 0xdc;
const OPEN_TIME = Buffer.from([FLOAT_64, 0, 0, 0, 0, 0, 0, 0, 0]);

/** The open fields of a MessagePack fill, after its first byte: they have the same position in all fills. */
const HEAD_PARTS = [
  Buffer.concat([packed('play_id'), Buffer.of(STR_8, PLAY_ID_LENGTH)]),
  Buffer.from(OPEN_PLAY_ID),
  packed('starts_at'),
  OPEN_TIME,
  packed('expires_at'),
  OPEN_TIME,
];
const PLAY_ID_AT = 1 + HEAD_PARTS[0]!.length;
const STARTS_AT = PLAY_ID_AT + PLAY_ID_LENGTH + HEAD_PARTS[2]!.length + 1;
const EXPIRES_AT = STARTS_AT + 8 + HEAD_PARTS[4]!.length + 1;

const JSON_OPENING = '{"play_id":"';
/** Writes the fixed part of a fill in both sub-protocols. */
export function fillParts(fields: FillFields): FillParts {
  const { campaignId, creativeId, kind, url, durationMs, labels, political, scanBase } = fields;
  const text = JSON.stringify({
    play_id: OPEN_PLAY_ID,
    campaign_id: campaignId,
    creative_id: creativeId,
    kind,
    url,
    duration_ms: durationMs,
    labels,
    political,
    scan_url: scanBase,
  });
  const link = Buffer.from(scanBase, 'utf8');
  const optional = Object.entries({ labels, political }).filter(([, value]) => value !== undefined);
  return {
    json: Buffer.from(text.slice(0, -2)),
    msgpack: Buffer.concat([
      Buffer.of(FILL_MAP + optional.length),
      ...HEAD_PARTS,
      packed(
        'campaign_id',
        campaignId,
        'creative_id',
        creativeId,
        'kind',
        kind,
        'url',
        url,
        'duration_ms',
        durationMs,
        ...optional.flat(),
        'scan_url',
      ),
      Buffer.of(STR_16, 0, 0),
      link,
    ]),
    scanBaseBytes: link.length,
  };
}

/** The unfinished message, at the beginning of the buffer of sheets; it is written again and again, and not copied. */
class Output {
  at = 0;
  /**
   * Views of the first bytes by their number: a view costs more than its content. Fills of one slot have few lengths.
   */
  #views: (Uint8Array | undefined)[] = [];
  #viewed: Uint8Array | undefined;

  get bytes(): Uint8Array {
    return fillSheets.bytes;
  }

  get view(): DataView {
    return fillSheets.view;
  }

  /** Copies bytes of a sheet. */
  copy(place: number, length: number): void {
    this.bytes.copyWithin(this.at, place, place + length);
    this.at += length;
  }

  /** For a few bytes a loop is quicker than a call. */
  copyShort(bytes: Uint8Array): void {
    const { bytes: out, at } = this;
    for (let index = 0; index < bytes.length; index++) out[at + index] = bytes[index]!;
    this.at = at + bytes.length;
  }

  /** An integer of 0 or more in decimal digits. */
  digits(value: number): void {
    const { bytes: out } = this;
    let length = 1;
    for (let limit = 10; value >= limit; limit *= 10) length++;
    let rest = value;
    for (let at = this.at + length - 1; at >= this.at; at--) {
      const tenth = Math.floor(rest / 10);
      out[at] = 48 + (rest - tenth * 10);
      rest = tenth;
    }
    this.at += length;
  }

  written(): Uint8Array {
    const { bytes } = this;
    if (this.#viewed !== bytes) this.#views = [];
    this.#viewed = bytes;
    return (this.#views[this.at] ??= bytes.subarray(0, this.at));
  }
}

const JSON_HEAD = Buffer.from('{"t":"fill","id":');
const JSON_SLOTS = Buffer.from(',"slots":[');
const JSON_STARTS = Buffer.from('","starts_at":');
const JSON_EXPIRES = Buffer.from(',"expires_at":');
const JSON_END = Buffer.from(']}');
const JSON_NO_FILLS = byReason(reason => Buffer.from(JSON.stringify({ no_fill: reason })));
const COMMA = 0x2c;
const BRACE_END = 0x7d;

export class FillWriterJson implements FillWriter {
  readonly #output = new Output();
  #isFirst = true;

  begin(id: number): void {
    const output = this.#output;
    output.at = 0;
    output.copyShort(JSON_HEAD);
    output.digits(id);
    output.copyShort(JSON_SLOTS);
    this.#isFirst = true;
  }

  fill(sheet: number, { play, scan, scanBytes, startsAt, expiresAt }: FillSlot): void {
    const output = this.#output;
    this.#separate();
    const from = output.at;
    const place = fillSheets.placeOf(sheet);
    output.copy(place + fillSheets.msgpackBytes(place), fillSheets.jsonBytes(place));
    spellSigned(play, PLAY_ID_BYTES, output.bytes, from + JSON_OPENING.length);
    output.at = spellSigned(scan, scanBytes, output.bytes, output.at);
    output.copyShort(JSON_STARTS);
    output.digits(startsAt);
    output.copyShort(JSON_EXPIRES);
    output.digits(expiresAt);
    output.bytes[output.at++] = BRACE_END;
  }

  noFill(reason: NoFillReason): void {
    this.#separate();
    this.#output.copyShort(JSON_NO_FILLS[reason]);
  }

  end(): Uint8Array {
    this.#output.copyShort(JSON_END);
    return this.#output.written();
  }

  #separate(): void {
    if (!this.#isFirst) this.#output.bytes[this.#output.at++] = COMMA;
    this.#isFirst = false;
  }
}

const MSGPACK_HEAD = Buffer.concat([Buffer.of(0x83), packed('t', 'fill', 'id')]);
const MSGPACK_SLOTS = packed('slots');
const MSGPACK_NO_FILLS = byReason(reason => packed({ no_fill: reason }));

export class FillWriterMsgpack implements FillWriter {
  readonly #output = new Output();
  #countAt = 0;

  begin(id: number): void {
    const output = this.#output;
    output.at = 0;
    output.copyShort(MSGPACK_HEAD);
    this.#writeId(id);
    output.copyShort(MSGPACK_SLOTS);
    this.#countAt = output.at;
    output.at += 3;
  }

  fill(sheet: number, { play, scan, scanBytes, startsAt, expiresAt }: FillSlot): void {
    const output = this.#output;
    const from = output.at;
    const place = fillSheets.placeOf(sheet);
    output.copy(place, fillSheets.msgpackBytes(place));
    const { bytes, view } = output;
    spellSigned(play, PLAY_ID_BYTES, bytes, from + PLAY_ID_AT);
    view.setFloat64(from + STARTS_AT, startsAt);
    view.setFloat64(from + EXPIRES_AT, expiresAt);
    const lengthAt = output.at - fillSheets.scanBaseBytes(place) - 2;
    output.at = spellSigned(scan, scanBytes, bytes, output.at);
    view.setUint16(lengthAt, output.at - lengthAt - 2);
  }

  noFill(reason: NoFillReason): void {
    this.#output.copyShort(MSGPACK_NO_FILLS[reason]);
  }

  end(count: number): Uint8Array {
    const { view } = this.#output;
    view.setUint8(this.#countAt, ARRAY_16);
    view.setUint16(this.#countAt + 1, Math.min(count, SLOTS_MAX));
    return this.#output.written();
  }

  /** An unsigned integer of 32 bits if it fits; a larger one as a double, which every reader accepts as a number. */
  #writeId(id: number): void {
    const output = this.#output;
    const { view, at } = output;
    const isDouble = id > 0xffffffff;
    view.setUint8(at, isDouble ? FLOAT_64 : UINT_32);
    if (isDouble) view.setFloat64(at + 1, id);
    else view.setUint32(at + 1, id);
    output.at = at + (isDouble ? 9 : 5);
  }
}

function byReason(spell: (reason: NoFillReason) => Buffer): Record<NoFillReason, Buffer> {
  return Object.fromEntries(NO_FILL_REASONS.map(reason => [reason, spell(reason)])) as Record<NoFillReason, Buffer>;
}
