/**
 * The sections of an image: some rows of one kind, each section checked by itself. It has rows of numbers, bytes, and
 * values that the numbers name by their place, as JSON. Lengths and numbers are in the order of bytes of the machine,
 * which is the only one that reads them: the head's mark is another number elsewhere.
 */
import { crc32 } from 'node:zlib';
import { Fault } from '#runtime/fault-error.ts';

type SectionKind = 'head' | 'screens' | 'venues' | 'campaigns' | 'playlists' | 'end';
const KINDS: readonly SectionKind[] = ['head', 'screens', 'venues', 'campaigns', 'playlists', 'end'];

export type Section = { kind: SectionKind; values: unknown; numbers: Float64Array; bytes: Uint8Array };

/** Mark, kind, lengths of the three parts, and the checksum of all that but itself. */
const HEAD_NUMBERS = 6;
const HEAD_BYTES = HEAD_NUMBERS * Uint32Array.BYTES_PER_ELEMENT;
const CHECKSUM_AT = 5;
const MARK = 0x4d61_7271;
/** Numbers lie at multiples of their size, so that they are read where they lie. */
const ALIGNED = 8;

const NO_NUMBERS = new Float64Array(0);
const NO_BYTES = new Uint8Array(0);

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNED) * ALIGNED;

/** A section as bytes. */
export function spellSection({ kind, values, numbers = NO_NUMBERS, bytes = NO_BYTES }: SpelledSection): Buffer {
  const text = Buffer.from(JSON.stringify(values));
  const lengths = [numbers.byteLength, text.length, bytes.byteLength] as const;
  const spelled = Buffer.alloc(HEAD_BYTES + lengths.reduce((sum, length) => sum + aligned(length), 0));
  const head = new Uint32Array(spelled.buffer, spelled.byteOffset, HEAD_NUMBERS);
  head.set([MARK, KINDS.indexOf(kind), ...lengths]);
  let at = HEAD_BYTES;
  for (const part of [new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), text, bytes]) {
    spelled.set(part, at);
    at += aligned(part.byteLength);
  }
  head[CHECKSUM_AT] = checksumOf(spelled);
  return spelled;
}

type SpelledSection = Pick<Section, 'kind' | 'values'> & Partial<Section>;

/**
 * The sections of a file one after another; what is given must be taken before the next is asked for.
 * @throws Fault `image_damaged`
 */
export function* readSections(file: Buffer): Generator<Section> {
  for (let at = 0; at < file.length;) {
    if (at + HEAD_BYTES > file.length) throw damaged('a head is cut off');
    const [mark, kind, ...rest] = new Uint32Array(file.buffer, file.byteOffset + at, HEAD_NUMBERS);
    const [numbers, text, bytes, checksum] = rest as [number, number, number, number];
    const end = at + HEAD_BYTES + aligned(numbers) + aligned(text) + aligned(bytes);
    if (mark !== MARK || end > file.length) throw damaged('a section is cut off, or something else');
    if (checksumOf(file.subarray(at, end)) !== checksum) throw damaged('a checksum is another');
    const from = at + HEAD_BYTES;
    const textFrom = from + aligned(numbers);
    const bytesFrom = textFrom + aligned(text);
    yield {
      kind: KINDS[kind!]!,
      numbers: new Float64Array(file.buffer, file.byteOffset + from, numbers / Float64Array.BYTES_PER_ELEMENT),
      values: JSON.parse(file.toString('utf8', textFrom, textFrom + text)),
      bytes: file.subarray(bytesFrom, bytesFrom + bytes),
    };
    at = end;
  }
}

/** Of a section without its checksum. */
function checksumOf(section: Buffer): number {
  const before = CHECKSUM_AT * Uint32Array.BYTES_PER_ELEMENT;
  return crc32(section.subarray(HEAD_BYTES), crc32(section.subarray(0, before)));
}

export function damaged(why: string): Fault {
  return new Fault('image_damaged', `the image of the snapshot is damaged: ${why}`, { retryable: false });
}
