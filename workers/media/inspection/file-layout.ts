/** Reads how a file is laid out, box by box and chunk by chunk, without decoding any of it. */
import { open, type FileHandle } from 'node:fs/promises';

/** A plain file has a dozen; a file with more is unusual. */
const PARTS_MAX = 1_000;
/** The longest head of a part: the size and name of a box of MP4, and its 64-bit size. */
const HEAD_BYTES = 16;
const PNG_SIGNATURE_BYTES = 8;

/** A part's name, and where the next begins; undefined if there is none. */
type Part = { name: string; next: number };
type ReadPart = (head: Buffer, at: number) => Part;

/** Whether the index of an MP4 or QuickTime file is complete and comes before the data. */
export async function isStreamable(path: string): Promise<boolean> {
  const names = await partsOf(path, { from: 0, read: boxAt });
  const [index, media] = [names.indexOf('moov'), names.indexOf('mdat')];
  return index >= 0 && index < media && !names.includes('moof');
}

/** Whether a PNG has animation frames besides its default picture. */
export async function isAnimatedPng(path: string): Promise<boolean> {
  return (await partsOf(path, { from: PNG_SIGNATURE_BYTES, read: chunkAt })).includes('acTL');
}

const nameIn = (head: Buffer) => head.toString('latin1', 4, 8);

function boxAt(head: Buffer, at: number): Part {
  const size = head.readUInt32BE(0);
  const bytes = size === 1 && head.length >= HEAD_BYTES ? Number(head.readBigUInt64BE(8)) : size;
  return { name: nameIn(head), next: bytes < 8 ? Infinity : at + bytes }; // 0: to the end of the file
}

/** Length, name, data and a checksum. */
function chunkAt(head: Buffer, at: number): Part {
  const name = nameIn(head);
  return { name, next: name === 'IDAT' ? Infinity : at + head.readUInt32BE(0) + 12 }; // acTL stands before IDAT
}

async function partsOf(path: string, { from, read }: { from: number; read: ReadPart }): Promise<string[]> {
  const file = await open(path, 'r');
  try {
    return await namesIn(file, { from, read });
  } finally {
    await file.close();
  }
}

async function namesIn(file: FileHandle, { from, read }: { from: number; read: ReadPart }): Promise<string[]> {
  const names: string[] = [];
  let at = from;
  while (Number.isSafeInteger(at) && names.length < PARTS_MAX) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, at);
    if (bytesRead < 8) break;
    const part = read(buffer.subarray(0, bytesRead), at);
    names.push(part.name);
    at = part.next;
  }
  return names;
}
