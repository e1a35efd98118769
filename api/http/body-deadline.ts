/**
 * How long a body may take. One of at most 1 MiB has 30 s; a file has as long as it needs, at a rate that even a slow
 * line reaches. Without these bounds a sender of one byte a second would hold a socket, and a file half written, for a
 * quarter of an hour.
 */
import { Transform, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { Fault } from '#runtime/fault-error.ts';
import { sendRefusal } from '../wire/reply.ts';

const BODY_MS_MAX = 30_000;
const FILE_BYTES_PER_SECOND_MIN = 8 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    bodyTimer: NodeJS.Timeout | null;
  }
}

/** Begins the deadline of a request that has a body. */
export function beginBody(request: FastifyRequest, reply: FastifyReply, msMax = BODY_MS_MAX): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return;
  request.bodyTimer = setTimeout(() => {
    if (!reply.sent)
      sendRefusal(
        reply.header('connection', 'close'),
        refuse('body_too_slow', `A body must come within ${msMax / 1_000} s.`),
      );
  }, msMax);
}

/** The body is complete, or no longer awaited. */
export function endBody(request: FastifyRequest): void {
  if (request.bodyTimer !== null) clearTimeout(request.bodyTimer);
  request.bodyTimer = null;
}

/** The same bytes. Ends with a Fault `body_too_slow` if they arrive below the minimum rate over a whole interval. */
export function keepPace(source: Readable, intervalMs = BODY_MS_MAX): Readable {
  let bytes = 0;
  const paced = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    if (bytes < (FILE_BYTES_PER_SECOND_MIN * intervalMs) / 1_000)
      paced.destroy(new Fault('body_too_slow', 'the file comes too slowly', { retryable: false }));
    bytes = 0;
  }, intervalMs);
  paced.once('close', () => clearInterval(timer));
  source.once('error', error => paced.destroy(error)); // the sender went away
  return source.pipe(paced);
}

export function refuseTooSlow(): Refusal {
  return refuse('body_too_slow', `A file must come with at least ${FILE_BYTES_PER_SECOND_MIN / 1024} KiB a second.`);
}
