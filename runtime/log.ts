/** The log of every service: JSON lines on standard error, made with pino. */
import pino from 'pino';
import { isEngineAway } from './fault-error.ts';

export type Log = pino.Logger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Where lines go that are not for standard error. */
type LineSink = { write(line: string): void };

/**
 * Structured log of one service, JSON lines on standard error. Secrets are never passed to it. An error that is expected in
 * operation, because an engine restarts, is a line without a stack; a bug has its stack.
 */
export function createLog(
  service: string,
  level: string,
  sink: LineSink = pino.destination({ dest: 2, sync: false }),
): Log {
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

function describeError(error: Error & { code?: unknown }): object {
  if (!(error instanceof Error) || !isEngineAway(error)) return pino.stdSerializers.err(error);
  return { type: error.name, ...(error.code !== undefined && { code: error.code }), message: error.message };
}
