import type { Readable } from 'node:stream';

/**
 * Files by content address: an object's name is the SHA-256 of its bytes and an extension, so an object never changes,
 * may be cached for ever, and the same upload twice is one object. Every kind of storage offers exactly this.
 */
export type ObjectStorage = {
  /**
   * Takes a stream in without naming it yet. The caller looks at what came and then keeps or discards it.
   * @throws Fault `storage_too_large` (not retryable) once more than `bytesMax` bytes have come, `storage_unavailable`
   * when the storage cannot be written. An error of the source is passed on. Nothing stays behind in either case.
   */
  receive(source: Readable, options: { bytesMax: number }): Promise<ReceivedObject>;
  /** Size of an object in bytes, or undefined when there is none of that name. */
  find(name: string): Promise<{ bytes: number } | undefined>;
  /** The bytes `first`..`last` (inclusive), or all of them. */
  read(name: string, range?: { first: number; last: number }): Promise<Readable>;
};

export type ReceivedObject = {
  /** Hex SHA-256 of the bytes. */
  sha256: string;
  bytes: number;
  /** The first bytes (at most 4,096), enough to tell a file's type. */
  head: Buffer;
  /** Makes it durable as `<sha256>.<extension>` and returns that name. The same bytes again are the same object. */
  keep(extension: string): Promise<string>;
  discard(): Promise<void>;
};

const NAME = /^[0-9a-f]{64}\.[a-z0-9]{1,5}$/;

/** Whether a text is spelled like an object's name. Nothing else ever reaches a path. */
export function isObjectName(text: string): boolean {
  return NAME.test(text);
}
