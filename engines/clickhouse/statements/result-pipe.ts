/**
 * Streams a result out of the engine without holding it: the engine writes it into a named pipe (INTO OUTFILE), whose
 * 64 KiB are all that is in memory between it and the socket. A client that reads slowly stops the engine's thread. The
 * engine's own streaming calls would serve only formats whose pieces can follow one another, and they analyze the query
 * on the thread of this server.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { quoteString } from './parameters.ts';
import type { Statement } from './statement.ts';

const run = promisify(execFile);

export type ResultPipe = {
  readable: Readable;
  /** The statement with the pipe as its output, in its own format or the default one. */
  intoPipe(statement: Statement, defaultFormat: string): string;
  /** The engine has finished: the pipe contains the rest. */
  end(): void;
  remove(): Promise<void>;
};

/** Makes a pipe in `folder`, which only this server reads. */
export async function openResultPipe(folder: string): Promise<ResultPipe> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  await run('mkfifo', ['-m', '600', path]);
  // Both ends are opened without waiting for the engine. Ours of the writing end keeps the pipe from ending before the
  // engine has opened its own, or where it never does.
  const readable = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  let writer: number | undefined = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const end = () => {
    if (writer !== undefined) closeSync(writer);
    writer = undefined;
  };
  return {
    readable,
    intoPipe({ sql, formatAt }, defaultFormat) {
      const output = ` INTO OUTFILE ${quoteString(path)} APPEND `;
      return formatAt === undefined
        ? `${sql}${output}FORMAT ${defaultFormat}`
        : sql.slice(0, formatAt) + output + sql.slice(formatAt);
    },
    end,
    async remove() {
      end();
      readable.destroy();
      await rm(path, { force: true });
    },
  };
}
