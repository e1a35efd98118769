/**
 * The Fastify instance that the API's routes are declared on: its bounds, its checks of input, and what it answers to a
 * request that could not be read.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Milliseconds } from '#domain/unit.ts';
import type { TrustProxy } from '#runtime/ingress/forwarded-for.ts';
import type { Log } from '#runtime/log.ts';
import { countUnrouted, type Admission } from '../authentication/admission.ts';
import type { Api } from '../wire/fastify.ts';
import { refuseConnection, replyToError } from './error-reply.ts';
import { normalizeForwardedFor } from '../rate-limit/forwarded-for.ts';
import { openReply } from './hooks.ts';
import { sendRefusal } from '../wire/reply.ts';

/**
 * A whole request, its body included: 200 MiB over a line of 2 Mbit/s. Without it a slow sender holds a socket for
 * ever.
 */
const REQUEST_MS_MAX = 15 * 60 * 1_000;
/** The limit of bytes before a body, on a connection without other reads. */
const HEADERS_MS_MAX = 15_000;
/** How often Node checks for connections beyond it: every 5 s. */
const CHECKS_OF_HEAD = 1 / 3;
const BODY_BYTES_MAX = 1024 * 1024;
const PARAM_LENGTH_MAX = 200; // the longest is an asset's name of 70 characters

type ServerOptions = {
  log: Log;
  trustProxy?: TrustProxy;
  headMsMax?: Milliseconds;
  schemaController?: NonNullable<FastifyServerOptions['schemaController']>;
};

export function createServer(
  { log, trustProxy, headMsMax = HEADERS_MS_MAX, schemaController }: ServerOptions,
  admission: Admission,
): Api {
  return fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_MS_MAX,
    http: { headersTimeout: headMsMax, connectionsCheckingInterval: headMsMax * CHECKS_OF_HEAD },
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: trustProxy ?? false,
    // The only hook before Fastify reads the headers.
    rewriteUrl: (request: IncomingMessage) => {
      normalizeForwardedFor(request);
      return request.url!;
    },
    // Node draws its randomness in stock, which randomBytes does not
    genReqId: () => `req_${randomUUID().replaceAll('-', '').slice(-24)}`,
    requestIdHeader: false,
    return503OnClosing: false, // a request on a draining connection is answered, and its connection closed
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    ...(schemaController && { schemaController }),
    // All faults of a form at once; body-bounds limits their number. Nothing is coerced, filled in or removed.
    ajv: { customOptions: { allErrors: true, removeAdditional: false, coerceTypes: false, useDefaults: false } },
    clientErrorHandler: (error, socket) => refuseConnection(error as NodeJS.ErrnoException, socket),
    frameworkErrors: (error, request, reply) => {
      openReply(request, reply); // no hook runs for an address that could not be read
      void replyToUnreadable(error, { admission, request, reply });
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
}

type UnreadableCall = { admission: Admission; request: FastifyRequest; reply: FastifyReply };

/** An address that could not be read is a path that there is not: counted and answered as such. */
async function replyToUnreadable(error: FastifyError, { admission, request, reply }: UnreadableCall): Promise<void> {
  try {
    const refusal = await countUnrouted(admission, request, reply);
    if (refusal) sendRefusal(reply, refusal);
    else replyToError(error, request, reply);
  } catch (failure) {
    replyToError(failure as FastifyError, request, reply);
  }
}
