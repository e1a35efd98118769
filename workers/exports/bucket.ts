/**
 * A bucket that takes one file in parts, through the egress. Google's buckets use the same protocol. The bucket keeps
 * the parts, so an export continues with them after a crash; this is why the SDK's own upload library, which loses its
 * parts with the process, is not used.
 */
import { pipeline, Transform, type Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { BucketDestination } from '#sql/audit-exports/exports.ts';
import type { Egress } from '#runtime/egress/egress.ts';

const ATTEMPTS_MAX = 3;
const CONNECT_MS_MAX = 5_000;
/** A part of 8 MiB over a line of 1.2 Mbit/s. */
const REQUEST_MS_MAX = 60_000;
/** Answers of a bucket are a few hundred bytes of XML; nothing beyond this is read. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const GCS_URL = 'https://storage.googleapis.com';

export type BucketCredentials = { accessKeyId: string; secretAccessKey: string };

/** The endpoint of the destination. */
export function bucketUrl({ type, region, endpoint }: Pick<BucketDestination, 'type' | 'region' | 'endpoint'>): string {
  return endpoint ?? (type === 'gcs' ? GCS_URL : `https://s3.${region ?? 'us-east-1'}.amazonaws.com`);
}

export type Bucket = {
  begin(key: string): Promise<string>;
  /** Numbers begin at 1. Returns the part's tag. */
  put(upload: { id: string; key: string }, number: number, body: Buffer): Promise<string>;
  finish(upload: { id: string; key: string; parts: readonly string[] }): Promise<void>;
  /** Deletes the parts in the bucket. */
  abandon(upload: { id: string; key: string }): Promise<void>;
};

/** The client is not closed: its connections belong to the egress. */
export function openBucket(
  destination: BucketDestination,
  credentials: BucketCredentials,
  { egress, signal }: { egress: Egress; signal: AbortSignal },
): Bucket {
  const { bucket: Bucket, type, region } = destination;
  const client = new S3Client({
    endpoint: bucketUrl(destination),
    region: region ?? (type === 'gcs' ? 'auto' : 'us-east-1'),
    credentials,
    maxAttempts: ATTEMPTS_MAX,
    forcePathStyle: destination.endpoint !== undefined || type === 'gcs',
    followRegionRedirects: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED', // not every bucket knows the newer checksums
    requestHandler: {
      httpAgent: egress.agents.http,
      httpsAgent: egress.agents.https,
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      throwOnRequestTimeout: true,
    },
  });
  boundAnswers(client);
  const options = { abortSignal: signal };
  return {
    async begin(Key) {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'text/csv; charset=utf-8' }),
        options,
      );
      return UploadId!;
    },
    async put({ id: UploadId, key: Key }, PartNumber, Body) {
      const { ETag } = await client.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.length }),
        options,
      );
      return ETag!;
    },
    async finish({ id: UploadId, key: Key, parts }) {
      const MultipartUpload = { Parts: parts.map((ETag, index) => ({ ETag, PartNumber: index + 1 })) };
      await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }), options);
    },
    async abandon({ id: UploadId, key: Key }) {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), options);
    },
  };
}

type Next = (args: unknown) => Promise<{ response: { body?: Readable } }>;

/** Cuts off an answer beyond the limit, because the SDK would buffer all of it. */
function boundAnswers(client: S3Client): void {
  const bound =
    (next: Next): Next =>
    async args => {
      const result = await next(args);
      const { response } = result;
      // The reader gets the error.
      if (response.body) response.body = pipeline(response.body, boundedStream(), () => undefined);
      return result;
    };
  client.middlewareStack.addRelativeTo(bound as Parameters<typeof client.middlewareStack.addRelativeTo>[0], {
    name: 'boundAnswers',
    relation: 'after',
    toMiddleware: 'deserializerMiddleware',
  });
}

function boundedStream(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX)
        done(Object.assign(new Error('the bucket answers without end'), { name: 'AnswerTooLarge' }));
      else done(null, chunk);
    },
  });
}
