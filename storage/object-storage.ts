/**
 * Files by content address: an object's name is the SHA-256 of its bytes and an extension, so an object never changes,
 * may be cached for ever, and the same upload twice is one object. Every kind of storage offers exactly this.
 *
 * An upload is not an object yet: it is staged under a key, checked, and only what was accepted is kept under its hash.
 */
import type { Readable } from 'node:stream';

export type ObjectStorage = {
  /**
   * Takes a stream in without naming it yet. The caller looks at what came and then keeps, stages or discards it.
   * @throws Fault `storage_too_large` (not retryable) once more than `bytesMax` bytes have come, `storage_unavailable`
   * when the storage cannot be written. An error of the source is passed on. Nothing stays behind in either case.
   */
  receive(source: Readable, options: { bytesMax: number }): Promise<ReceivedObject>;
  /** Size of an object in bytes, or undefined when there is none of that name. */
  find(name: string): Promise<{ bytes: number } | undefined>;
  /** The bytes `first`..`last` (inclusive), or all of them. */
  read(name: string, range?: { first: number; last: number }): Promise<Readable>;

  /**
   * An address to which a client may PUT an upload of this content type itself, until `expiresAt` (ms). Undefined for a
   * storage that has no address of its own: the API takes the upload in then.
   */
  uploadAddress(
    key: string,
    options: { contentType: string; now: number; expiresAt: number },
  ): Promise<string | undefined>;
  /** What is staged, up to some 10,000 keys, in no order. `since` is ms since 1970. */
  staged(): Promise<StagedObject[]>;
  /** Undefined when nothing is staged under the key. */
  readStaged(key: string): Promise<Readable | undefined>;
  /** Nothing happens when nothing is staged under the key. */
  dropStaged(key: string): Promise<void>;
};

export type StagedObject = { key: string; bytes: number; since: number };

export type ReceivedObject = {
  /** Hex SHA-256 of the bytes. */
  sha256: string;
  bytes: number;
  /** The first bytes (at most 4,096), enough to tell a file's type. */
  head: Buffer;
  /** Makes it durable as `<sha256>.<extension>` and returns that name. The same bytes again are the same object. */
  keep(extension: string): Promise<string>;
  /** Makes it durable under a key, in place of what was staged there. */
  stage(key: string): Promise<void>;
  discard(): Promise<void>;
};

/**
 * More are never listed at once: ten pages of a store, which take about a second. What is beyond is seen when these are
 * gone.
 */
export const STAGED_MAX = 10_000;

const NAME = /^[0-9a-f]{64}\.[a-z0-9]{1,5}$/;
const KEY = /^[a-z]{3}_[0-9a-z]{13}(\.audio)?$/;

/** Whether a text has the form of an object's name. Nothing else ever reaches a path. */
export function isObjectName(text: string): boolean {
  return NAME.test(text);
}

/** Whether a text has the form of an upload's key: a public id, with `.audio` for a second file. */
export function isStagingKey(text: string): boolean {
  return KEY.test(text);
}
