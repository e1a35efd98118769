/** The log of the services in a file of the data folder, bounded in size. */
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Enough for some hours of a busy installation. A full file is renamed to `.1`, in place of the one before. */
const BYTES_MAX = 20 * 1024 * 1024;

/** Appends lines to a file, and begins a new one when it is full. */
export class LogFile {
  readonly path: string;
  readonly #bytesMax: number;
  #file: number;
  #bytes: number;

  constructor(path: string, { bytesMax = BYTES_MAX }: { bytesMax?: number } = {}) {
    this.path = path;
    this.#bytesMax = bytesMax;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  write(line: string): void {
    try {
      if (this.#bytes >= this.#bytesMax) this.#turn();
      this.#bytes += writeSync(this.#file, `${line}\n`);
    } catch (error) {
      // A full disk is reported by the services themselves, and the terminal shows that.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  #turn(): void {
    closeSync(this.#file);
    renameSync(this.path, `${this.path}.1`);
    this.#file = openSync(this.path, 'a', 0o600);
    this.#bytes = 0;
  }
}
