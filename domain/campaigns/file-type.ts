/** Recognizes files by their first bytes. A file is accepted only when they agree with the type that was announced. */

type FileType = { contentType: string; extension: string; matches: (head: Uint8Array) => boolean };

/** How much of a file is read: the document type of a WebM file may start after some hundred bytes. */
export const HEAD_BYTES = 4_096;

const startsWith = (head: Uint8Array, bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte);
const textAt = (head: Uint8Array, from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
const mentions = (head: Uint8Array, text: string) => textAt(head, 0, Math.min(head.length, HEAD_BYTES)).includes(text);
// The boxes that a QuickTime file of before 2001 may begin with, and the one that newer files begin with.
const QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

const FILE_TYPES: readonly FileType[] = [
  {
    contentType: 'video/mp4',
    extension: 'mp4',
    matches: head => textAt(head, 4, 8) === 'ftyp' && textAt(head, 8, 12) !== 'qt  ',
  },
  {
    contentType: 'video/quicktime',
    extension: 'mov',
    matches: head => textAt(head, 4, 12) === 'ftypqt  ' || QUICKTIME_BOXES.has(textAt(head, 4, 8)),
  },
  {
    contentType: 'video/webm',
    extension: 'webm',
    matches: head => startsWith(head, [0x1a, 0x45, 0xdf, 0xa3]) && mentions(head, 'webm'),
  },
  { contentType: 'image/jpeg', extension: 'jpg', matches: head => startsWith(head, [0xff, 0xd8, 0xff]) },
  {
    contentType: 'image/png',
    extension: 'png',
    matches: head => startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  },
  {
    contentType: 'image/webp',
    extension: 'webp',
    matches: head => textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 12) === 'WEBP',
  },
  // A tag of ID3, or the eleven set bits with which a frame of layer III begins.
  {
    contentType: 'audio/mpeg',
    extension: 'mp3',
    matches: head => textAt(head, 0, 3) === 'ID3' || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2),
  },
  { contentType: 'audio/mp4', extension: 'm4a', matches: head => textAt(head, 4, 8) === 'ftyp' },
  {
    contentType: 'audio/wav',
    extension: 'wav',
    matches: head => textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 12) === 'WAVE',
  },
];

/** Other files that people upload by mistake, named in the message of the rejection. */
const OTHERS: readonly { name: string; matches: (head: Uint8Array) => boolean }[] = [
  {
    name: 'a ZIP archive',
    matches: head => startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || startsWith(head, [0x50, 0x4b, 0x05, 0x06]),
  },
  { name: 'a web page', matches: head => /^\s*<(!doctype html|html|head|body|script)/i.test(textAt(head, 0, 256)) },
  { name: 'a PDF document', matches: head => textAt(head, 0, 5) === '%PDF-' },
  { name: 'a GIF image', matches: head => textAt(head, 0, 4) === 'GIF8' },
];

/** Whether the first bytes of a file are those of the content type. */
export function isContentType(head: Uint8Array, contentType: string): boolean {
  return FILE_TYPES.find(type => type.contentType === contentType)?.matches(head) ?? false;
}

/** A description of the first bytes for people: a content type, another kind of file by name, or undefined. */
export function describeHead(head: Uint8Array): string | undefined {
  return OTHERS.find(other => other.matches(head))?.name ?? FILE_TYPES.find(type => type.matches(head))?.contentType;
}

/** The extension under which files of a content type are stored and served. @throws for a type that is never stored. */
export function extensionOf(contentType: string): string {
  const found = FILE_TYPES.find(type => type.contentType === contentType);
  if (!found) throw new Error(`nothing has the content type ${contentType}`);
  return found.extension;
}

/** The content type of a stored file's extension, or undefined. */
export function contentTypeOf(extension: string): string | undefined {
  return FILE_TYPES.find(type => type.extension === extension)?.contentType;
}
