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
import type { ScanEvent } from '#ingest/intake.ts';

/**
 * Batches of scans on disk, while Redis is away: a file per batch, named by the batch's id, a line per scan. A file is written
 * to until its batch is sent for the first time; from then on it stays as it is, so that a repeat under the same id is
 * the same batch. A line that was cut off by the end of the process was never promised to anybody and is left out.
 * The writes are synchronous: some tens of microseconds each, and only while Redis is away. They survive the process, not a loss of power.
 */
const SUFFIX = '.scans';
const BATCH_ID = /^[A-Za-z0-9_.-]{1,100}$/;

export type KeptBatch = { id: string; scans: ScanEvent[] };

export type KeptScans = {
  /** Adds a scan to the file of a batch. */
  append(id: string, scan: ScanEvent): void;
  /** Writes a batch as a whole. */
  write(batch: KeptBatch): void;
  /** Ids of the batches that are there, oldest first. */
  ids(): string[];
  read(id: string): KeptBatch;
  remove(id: string): void;
};

/** @param folder is made when it is needed, and may be one that several processes keep their batches in: whoever sends one removes it. */
export function openKeptScans(folder: string): KeptScans {
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
    read: id => ({
      id,
      scans: readFileSync(pathOf(id), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line) as ScanEvent),
    }),
    remove: id => rmSync(pathOf(id), { force: true }),
  };
}
