/**
 * Objects in an S3-compatible store: `<prefix>/<first two hex digits>/<sha256>.<ext>`, uploads that wait for their
 * check under `<prefix>/staged/`. Clients PUT to a presigned address of the store itself; what they sent is read again,
 * checked and stored under its hash, so that nothing that is served was ever writable from outside.
 *
 *   s3://[access key:secret@]bucket[/prefix]?region=eu-central-1&endpoint=http://127.0.0.1:9000
 *     &path_style=1&public_endpoint=https://files.example
 *
 * Without keys in the address the SDK's own chain finds them (environment, profile, role of the machine). `endpoint` is
 * for stores other than Amazon's, `public_endpoint` for clients that reach the store under another name.
 */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Fault } from '#runtime/fault-error.ts';
import { isObjectName, isStagingKey, STAGED_MAX, type ObjectStorage, type StagedObject } from './object-storage.ts';
import { openSpool, receivedOf, spool, type Spooled } from './spool.ts';

const REGION_DEFAULT = 'us-east-1';
/** A store that does not answer must not hold a request for ever. */
const CONNECT_MS_MAX = 5_000;
const ANSWER_MS_MAX = 30_000;
const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';

type Bucket = { client: S3Client; publicClient: S3Client; name: string; prefix: string };

/** Opens a bucket, which must exist. The store is first asked when something is read or written. */
export async function openS3Storage(url: URL, { now }: { now: number }): Promise<ObjectStorage> {
  const bucket = bucketOf(url);
  const folder = join(tmpdir(), 'marquee-s3-spool');
  await openSpool(folder, { now });
  return {
    async receive(source, { bytesMax }) {
      const spooled = await spool(folder, source, bytesMax);
      return receivedOf(spooled, {
        keepAs: name => put(bucket, spooled, { key: keyOf(bucket, name), cacheControl: CACHE_FOR_EVER }),
        stageAs: key => put(bucket, spooled, { key: stagedKey(bucket, key) }),
      });
    },
    find: name => findObject(bucket, name),
    read: async (name, range) => readObject(bucket, keyOf(bucket, name), range),
    uploadAddress: async (key, { contentType, now: from, expiresAt }) =>
      getSignedUrl(
        bucket.publicClient,
        new PutObjectCommand({ Bucket: bucket.name, Key: stagedKey(bucket, key), ContentType: contentType }),
        // The type is part of the signature: another one is refused by the store.
        {
          signingDate: new Date(from),
          expiresIn: Math.max(1, Math.floor((expiresAt - from) / 1_000)),
          signableHeaders: new Set(['host', 'content-type']),
        },
      ),
    staged: () => listStaged(bucket),
    readStaged: async key => readStaged(bucket, stagedKey(bucket, key)),
    dropStaged: key =>
      withFault(async () => {
        await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: stagedKey(bucket, key) }));
      }),
  };
}

function bucketOf(url: URL): Bucket {
  const { searchParams: query, hostname: name, username, password } = url;
  const unknown = [...query.keys()].find(key => !['region', 'endpoint', 'path_style', 'public_endpoint'].includes(key));
  if (name === '' || unknown !== undefined)
    throw new Fault(
      'storage_bad_address',
      unknown === undefined ? 'the address names no bucket' : `an s3: address has no parameter ${unknown}`,
      { retryable: false },
    );
  const clientOf = (endpoint: string | null) =>
    new S3Client({
      region: query.get('region') ?? REGION_DEFAULT,
      forcePathStyle: ['1', 'true'].includes(query.get('path_style') ?? ''),
      // Other stores do not know the newer checksums, and a presigned address could not carry one of a body that is yet
      // to come.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS_MAX, requestTimeout: ANSWER_MS_MAX },
      ...(endpoint !== null && { endpoint }),
      ...(username !== '' && {
        credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
      }),
    });
  const client = clientOf(query.get('endpoint'));
  const publicEndpoint = query.get('public_endpoint');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    client,
    publicClient: publicEndpoint === null ? client : clientOf(publicEndpoint),
    name,
    prefix: prefix === '' ? '' : `${prefix}/`,
  };
}

function keyOf({ prefix }: Bucket, name: string): string {
  if (!isObjectName(name)) throw new Fault('storage_bad_name', 'not the name of an object', { retryable: false });
  return `${prefix}${name.slice(0, 2)}/${name}`;
}

function stagedKey({ prefix }: Bucket, key: string): string {
  if (!isStagingKey(key)) throw new Fault('storage_bad_name', 'not the key of an upload', { retryable: false });
  return `${prefix}staged/${key}`;
}

/** Whatever the store or the line to it says becomes a fault that may pass. */
async function withFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Fault('storage_unavailable', 'the object store does not do what it is asked', { retryable: true, cause });
  }
}

async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  return withFault(async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
      throw error;
    }
  });
}

async function findObject(bucket: Bucket, name: string): Promise<{ bytes: number } | undefined> {
  if (!isObjectName(name)) return undefined;
  const found = await unlessAbsent(() =>
    bucket.client.send(new HeadObjectCommand({ Bucket: bucket.name, Key: keyOf(bucket, name) })),
  );
  return found && { bytes: found.ContentLength ?? 0 };
}

async function readObject(bucket: Bucket, key: string, range?: { first: number; last: number }): Promise<Readable> {
  const found = await withFault(() =>
    bucket.client.send(
      new GetObjectCommand({
        Bucket: bucket.name,
        Key: key,
        ...(range && { Range: `bytes=${range.first}-${range.last}` }),
      }),
    ),
  );
  return found.Body as Readable;
}

async function readStaged(bucket: Bucket, key: string): Promise<Readable | undefined> {
  const found = await unlessAbsent(() => bucket.client.send(new GetObjectCommand({ Bucket: bucket.name, Key: key })));
  return found?.Body as Readable | undefined;
}

async function listStaged(bucket: Bucket): Promise<StagedObject[]> {
  const prefix = `${bucket.prefix}staged/`;
  const listed: StagedObject[] = [];
  await withFault(async () => {
    const pages = paginateListObjectsV2({ client: bucket.client }, { Bucket: bucket.name, Prefix: prefix });
    for await (const page of pages) {
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
        listed.push({ key: Key.slice(prefix.length), bytes: Size, since: LastModified?.getTime() ?? 0 });
      if (listed.length >= STAGED_MAX) break;
    }
  });
  return listed.filter(({ key }) => isStagingKey(key));
}

/** A store shows an object when all of it has come, so a name has all of its bytes or does not exist. */
async function put(
  { client, name }: Bucket,
  { path, bytes, finish }: Spooled,
  { key, cacheControl }: { key: string; cacheControl?: string },
): Promise<void> {
  try {
    await finish();
    await withFault(() =>
      client.send(
        new PutObjectCommand({
          Bucket: name,
          Key: key,
          Body: createReadStream(path),
          ContentLength: bytes,
          ...(cacheControl !== undefined && { CacheControl: cacheControl }),
        }),
      ),
    );
  } finally {
    await rm(path, { force: true });
  }
}
