/**
 * The buffer of encoded fills and the message that is being written: what is written of a message stays while the
 * buffer grows, and a forgotten sheet is never taken for another one. In memory, with the writers of both
 * sub-protocols.
 */
import { Unpackr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { chooseCodec } from '../../../delivery/protocol/codec.ts';
import { FillSheets, fillSheets } from '../../../delivery/protocol/fill-sheets.ts';
import { fillParts } from '../../../delivery/protocol/fill-writer.ts';
import { signedBytes } from './signed-bytes.ts';

const SLOTS = 20;
const KIB = 1024;

const partsOf = (url: string) =>
  fillParts({
    campaignId: 'cmp_1',
    creativeId: 'cre_1',
    kind: 'video',
    url,
    durationMs: 6_000,
    scanBase: 'http://h/s/',
  });
const slot = {
  play: signedBytes('P'.repeat(104)),
  scan: signedBytes('c'.repeat(60)),
  scanBytes: 45,
  startsAt: 1_800_000_000_123,
  expiresAt: 1_800_000_900_123,
};

describe.each(['marquee.v1.json', 'marquee.v1.msgpack'])('%s', name => {
  const codec = chooseCodec(name)!;
  const decoded = (bytes: Uint8Array): unknown =>
    codec.binary ? new Unpackr({ useRecords: false }).unpack(bytes) : JSON.parse(Buffer.from(bytes).toString());

  test('a message with the most and longest fills is complete, even if the buffer grew meanwhile', () => {
    const urls = Array.from({ length: SLOTS }, (_, at) => `http://h/${name}/${'x'.repeat(at * 3 * KIB)}`);
    codec.fills.begin(7);
    for (const url of urls) codec.fills.fill(fillSheets.spell(partsOf(url)), slot);
    const message = decoded(codec.fills.end(SLOTS)) as { slots: { url: string }[] };
    expect(message.slots.map(({ url }) => url)).toEqual(urls);
  });
});

test('a sheet is returned as it was written, or it is forgotten', () => {
  const sheets = new FillSheets({ bytesMax: 128 * KIB });
  const spelled: { sheet: number; text: string }[] = [];
  let forgotten = 0;
  for (let at = 0; at < 1_000; at++) {
    const text = `http://h/${at}/${'y'.repeat(at % 97)}`;
    spelled.push({ sheet: sheets.spell(partsOf(text)), text });
    const kept = spelled.filter(({ sheet }) => sheets.has(sheet));
    forgotten = spelled.length - kept.length;
    expect(kept.at(-1)!.text).toBe(text);
    for (const { sheet, text: own } of kept) {
      const place = sheets.placeOf(sheet);
      const from = place + sheets.msgpackBytes(place);
      expect(sheets.bytes.toString('utf8', from, from + sheets.jsonBytes(place))).toContain(`"url":"${own}"`);
    }
  }
  expect(forgotten).toBeGreaterThan(500);
  expect(sheets.bytes.length).toBeLessThanOrEqual(128 * KIB);
  expect(sheets.has(0)).toBe(false);
});
