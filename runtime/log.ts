/** The log of every service: JSON lines on standard error, made with pino. */
import pino from 'pino';
import { isEngineAway } from './fault-error.ts';

export type Log = pino.Logger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The destination of lines other than standard error. */
type LineSink = { write(line: string): void };

/**
 * Lines are written when they reach this many bytes, about two hundred lines of the access log. Each write is handed to
 * another thread, which costs more than a line; a pipe takes as many bytes at once.
 */
const BUFFER_BYTES = 65_536;
/**
 * A line waits no longer than this, so a process that is killed loses no more; one that ends in any other way writes
 * all.
 */
const BUFFER_MS = 100;
/** Pending lines for a stopped reader of standard error; further lines are dropped. */
const WAITING_BYTES_MAX = 16 * 2 ** 20;

/**
 * Structured log of one service, JSON lines on standard error. Secrets are never passed to it. An error that is
 * expected in operation, because an engine restarts, is a line without a stack; a bug has its stack.
 */
export function createLog(service: string, level: string, sink: LineSink = bufferedStandardError()): Log {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    sink,
  );
}

/** Standard error, written in blocks and not from line to line. */
function bufferedStandardError(): LineSink {
  const output = pino.destination({
    dest: 2,
    sync: false,
    minLength: BUFFER_BYTES,
    maxWrite: 2 * BUFFER_BYTES,
    maxLength: WAITING_BYTES_MAX,
  });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    output.flush();
  };
  return {
    write(line) {
      output.write(line);
      timer ??= setTimeout(flush, BUFFER_MS).unref();
    },
  };
}

function describeError(error: Error & { code?: unknown }): object {
  if (!(error instanceof Error) || !isEngineAway(error)) return pino.stdSerializers.err(error);
  return { type: error.name, ...(error.code !== undefined && { code: error.code }), message: error.message };
}
