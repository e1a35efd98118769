/** What a file is by its first bytes: the announced type is only believed when they agree. */
type FileType = { contentType: string; extension: string; matches: (head: Buffer) => boolean };

const startsWith = (head: Buffer, bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte);
const textAt = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to);
// The boxes that a QuickTime file of before 2001 may begin with, and the one that newer files begin with.
const QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

const FILE_TYPES: readonly FileType[] = [
  { contentType: 'video/mp4', extension: 'mp4', matches: head => textAt(head, 4, 8) === 'ftyp' && textAt(head, 8, 12) !== 'qt  ' },
  { contentType: 'video/quicktime', extension: 'mov', matches: head => textAt(head, 4, 12) === 'ftypqt  ' || QUICKTIME_BOXES.has(textAt(head, 4, 8)) },
  { contentType: 'video/webm', extension: 'webm', matches: head => startsWith(head, [0x1a, 0x45, 0xdf, 0xa3]) && head.includes('webm') },
  { contentType: 'image/jpeg', extension: 'jpg', matches: head => startsWith(head, [0xff, 0xd8, 0xff]) },
  { contentType: 'image/png', extension: 'png', matches: head => startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { contentType: 'image/webp', extension: 'webp', matches: head => textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 12) === 'WEBP' },
];

/** Whether the first bytes of a file are those of the content type. */
export function isContentType(head: Buffer, contentType: string): boolean {
  return FILE_TYPES.find(type => type.contentType === contentType)?.matches(head) ?? false;
}

/** The extension under which files of a content type are stored and served. @throws for a type that no creative has. */
export function extensionOf(contentType: string): string {
  const found = FILE_TYPES.find(type => type.contentType === contentType);
  if (!found) throw new Error(`no creative has the content type ${contentType}`);
  return found.extension;
}

/** The content type of a stored file's extension, or undefined. */
export function contentTypeOf(extension: string): string | undefined {
  return FILE_TYPES.find(type => type.extension === extension)?.contentType;
}
