/** Downloads an upload from the storage into the folder of its job, and checks its size and first bytes. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { judgeHead, UPLOAD_BYTES_MAX } from '#domain/campaigns/creative.ts';
import { HEAD_BYTES } from '#domain/campaigns/file-type.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { MediaJob, Rejected } from './media-job.ts';

export type FetchedUpload = { path: string; sha256: string; bytes: number; contentType: string };

/** The upload as a file of this machine; the file's SHA-256 is computed on the way. */
export async function fetchUpload(
  { storage, folder, signal }: MediaJob,
  { key, contentType }: { key: string; contentType: string },
): Promise<FetchedUpload | Rejected> {
  const source = await storage.readStaged(key);
  if (!source) throw new Fault('upload_missing', `nothing is staged under ${key}`, { retryable: true });
  const path = join(folder, `upload-${key.endsWith('.audio') ? 'audio' : 'file'}`);
  const measure = createMeasure();
  try {
    await pipeline(source, measure.stream, createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof Fault && error.code === 'storage_too_large')
      return {
        rejection: {
          code: 'too_large',
          detail: `The file has more than ${UPLOAD_BYTES_MAX} bytes. Export it with fewer.`,
        },
      };
    throw error;
  }
  const { bytes, sha256 } = measure.result();
  const rejection = judgeHead({ bytes, head: await headOf(path) }, contentType);
  return rejection ? { rejection } : { path, sha256, bytes, contentType };
}

/** Counts and hashes the bytes that pass through. @throws Fault `storage_too_large` into the stream */
function createMeasure() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes <= UPLOAD_BYTES_MAX) done(null, chunk);
      else done(new Fault('storage_too_large', 'the upload is too large', { retryable: false }));
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
