/**
 * The upload address of a file: an address of the storage itself if it has one, else a signed address of this API. A
 * still picture may have two files, the picture and its sound.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { signPath } from '#storage/signed-url.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';

export type AddressDependencies = {
  storage: ObjectStorage;
  uploadKeys: readonly Uint8Array[];
  now: () => Milliseconds;
  urls: { public: string };
};

export type UploadPart = 'file' | 'audio';

/** The path of an upload address of this API, which its signature covers. */
export function uploadPath(id: string, part: UploadPart): string {
  return part === 'file' ? `/uploads/${id}` : `/uploads/${id}/audio`;
}

/** The key under which an upload waits in storage. */
export function stagingKey(id: string, part: UploadPart): string {
  return part === 'file' ? id : `${id}.audio`;
}

type UploadColumns = {
  status: string;
  content_type: string | null;
  upload_expires_at: Date | null;
  uploaded_at: Date | null;
  audio_content_type?: string | null;
  audio_uploaded_at?: Date | null;
};
export type UploadAddresses = { file: string | null; audio: string | null };

/** The addresses that are still open for a row. */
export async function addressesOf(
  row: UploadColumns,
  id: string,
  dependencies: AddressDependencies,
): Promise<UploadAddresses> {
  const expiresAt = row.upload_expires_at?.getTime() ?? 0;
  if (row.status !== 'awaiting_upload' || expiresAt <= dependencies.now()) return { file: null, audio: null };
  const open = async (part: UploadPart, contentType: string | null | undefined, uploadedAt: Date | null | undefined) =>
    contentType === null || contentType === undefined || uploadedAt
      ? null
      : addressOf(dependencies, { id, part, contentType, expiresAt });
  const [file, audio] = await Promise.all([
    open('file', row.content_type, row.uploaded_at),
    open('audio', row.audio_content_type, row.audio_uploaded_at),
  ]);
  return { file, audio };
}

async function addressOf(
  { storage, urls, uploadKeys, now }: AddressDependencies,
  { id, part, contentType, expiresAt }: { id: string; part: UploadPart; contentType: string; expiresAt: Milliseconds },
): Promise<string> {
  const own = await storage.uploadAddress(stagingKey(id, part), { contentType, now: now(), expiresAt });
  return own ?? urls.public + signPath(uploadPath(id, part), { key: uploadKeys[0]!, expiresAt });
}
