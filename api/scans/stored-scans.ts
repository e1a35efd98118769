/**
 * Batches of scans on disk, while Redis is down: a file per batch, named by the batch's id, with a line per scan. A
 * file is appended to until its batch is sent for the first time. From then on it does not change, so that a retry
 * under the same id is the same batch. A line that was cut off when the process ended is left out: its scan was never
 * acknowledged.
 *
 * Writes are synchronous: some tens of microseconds each, and only while Redis is down. They survive the end of the
 * process, but not a power failure.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ScanEvent } from '#ingest/queue/batch.ts';

const SUFFIX = '.scans';
const BATCH_ID = /^[A-Za-z0-9_.-]{1,100}$/;

/** A batch as it is stored. */
export type StoredBatch = { id: string; scans: ScanEvent[] };

export type StoredScans = {
  /** Adds a scan to the file of a batch. */
  append(id: string, scan: ScanEvent): void;
  /** Writes a batch as a whole. */
  write(batch: StoredBatch): void;
  /** Ids of the stored batches, oldest first. */
  ids(): string[];
  /** Undefined if another process has sent and removed it. */
  read(id: string): StoredBatch | undefined;
  remove(id: string): void;
};

/**
 * @param folder created when it is first needed; several processes may share it, and the process that sends a batch
 * removes it
 */
export function openStoredScans(folder: string): StoredScans {
  const pathOf = (id: string) => join(folder, id + SUFFIX);
  const makeFolder = () => mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lineOf = (scan: ScanEvent) => `${JSON.stringify(scan)}\n`;
  return {
    append(id, scan) {
      makeFolder();
      appendFileSync(pathOf(id), lineOf(scan), { mode: 0o600 });
    },
    write({ id, scans }) {
      makeFolder();
      writeFileSync(`${pathOf(id)}.part`, scans.map(lineOf).join(''), { mode: 0o600 });
      renameSync(`${pathOf(id)}.part`, pathOf(id));
    },
    ids: () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .filter(name => name.endsWith(SUFFIX) && BATCH_ID.test(name.slice(0, -SUFFIX.length)))
        .flatMap(name => {
          const stat = statSync(join(folder, name), { throwIfNoEntry: false }); // another process may have sent it
          return stat ? [{ id: name.slice(0, -SUFFIX.length), at: stat.birthtimeMs }] : [];
        })
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id),
    read(id) {
      if (!existsSync(pathOf(id))) return undefined;
      const lines = readFileSync(pathOf(id), 'utf8').split('\n').slice(0, -1);
      return { id, scans: lines.map(line => JSON.parse(line) as ScanEvent) };
    },
    remove: id => rmSync(pathOf(id), { force: true }),
  };
}
