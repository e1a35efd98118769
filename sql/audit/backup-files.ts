/**
 * The files of a backup: compressed, flushed to the disk before the manifest says that they are there, and closed to
 * other users of the machine, because they hold what all workspaces have.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Fault } from '#runtime/fault-error.ts';

export const OWN_FOLDER = 0o700;
export const OWN_FILE = 0o600;

export function fileOf(folder: string, engine: 'postgres' | 'clickhouse', table: string): string {
  return join(folder, engine, `${table}.${engine === 'postgres' ? 'copy' : 'tsv'}.gz`);
}

/** Writes a compressed file that must not exist yet. */
export async function keepFile(content: Readable, path: string): Promise<void> {
  await pipeline(content, createGzip(), createWriteStream(path, { flags: 'wx', mode: OWN_FILE, flush: true }));
}

/**
 * The lines of a compressed file of ClickHouse's. They end at a line feed alone: a value may hold other ends of line.
 * @throws Fault `backup_damaged` where the file is not there or was cut short
 */
export async function* linesOfFile(path: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  createReadStream(path)
    .on('error', error => unpacked.destroy(error))
    .pipe(unpacked);
  let rest = '';
  try {
    for await (const chunk of unpacked.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } catch (cause) {
    throw new Fault('backup_damaged', `${path} cannot be read to its end`, { retryable: false, cause });
  }
  if (rest !== '') yield rest;
}
