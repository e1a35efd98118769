/**
 * Errors as replies: errors thrown by a route, refusals of Fastify before a route runs, and refusals of Node before
 * there is a request. Internal causes are logged under the request's id and never shown.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { isRefusal, refuse, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { isEngineAway } from '#runtime/fault-error.ts';
import { InsufficientFunds } from '#books/ledger.ts';
import { Rollback } from '#books/unit-of-work.ts';
import { escapePointer } from './body-bounds.ts';
import { replyToOnce } from '../idempotency/idempotency.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { FIELD_FAULTS_MAX, sendRefusal } from '../wire/reply.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which its route reads at its own pace. */
    hasFile?: boolean;
  }
}

/** Fastify's error handler: whatever a route throws, and whatever Fastify refuses before a route runs. */
export function replyToError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const before = replyToOnce(error, { request, reply });
  if (before !== undefined) return isRefusal(before) ? sendRefusal(reply, before) : before;
  const refusal = refusalOf(error, request);
  if (refusal.code === 'internal_error') request.log.error({ err: error, request_id: request.id }, 'a request failed');
  if (refusal.code === 'engine_unavailable')
    request.log.warn({ err: error, request_id: request.id }, 'an engine is offline');
  return sendRefusal(reply, refusal);
}

function refusalOf(error: FastifyError, request: FastifyRequest): Refusal {
  const thrown: unknown = error;
  if (thrown instanceof Rollback && isRefusal(thrown.value)) return thrown.value;
  if (thrown instanceof InsufficientFunds)
    return refuse('insufficient_funds', 'The wallet does not cover this amount. Top it up or lower the amount.');
  if (error.validation)
    return error.validationContext === 'querystring' ? refuseQuery(error.validation) : refuseBody(error.validation);
  if (isEngineAway(error)) return refuse('engine_unavailable', 'Nothing was changed. Try again in a moment.');
  return refuseFrameworkError(error, request);
}

function refuseFrameworkError(error: FastifyError, request: FastifyRequest): Refusal {
  if (error.statusCode === 413)
    return refuse('body_too_large', `A body is at most ${(request.routeOptions.bodyLimit ?? 0) / 1024} KiB here.`);
  if (error.statusCode === 415) return refuse('unsupported_media_type', 'Send application/json.');
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH') return refuseUnknownPath(request);
  if (error.statusCode === 400)
    return refuse('malformed_json', 'The body could not be read as JSON in UTF-8, or it has a forbidden key.');
  return refuse('internal_error', 'The error was recorded under this request_id.');
}

function refuseQuery(faults: readonly FastifySchemaValidationError[]): Refusal {
  const errors = fieldFaults(faults);
  const code = errors.some(fault => fault.code === 'unknown_field') ? 'unknown_query_parameter' : 'bad_query_parameter';
  return refuse(code, sentenceOf(errors), errors);
}

function refuseBody(faults: readonly FastifySchemaValidationError[]): Refusal {
  const errors = fieldFaults(faults);
  return refuse('validation_failed', sentenceOf(errors), errors);
}

function sentenceOf(errors: readonly FieldFault[]): string {
  const [first] = errors;
  return errors.length === 1 && first
    ? `${first.pointer || 'The body'} ${first.detail}.`
    : `${errors.length} fields break a rule.`;
}

function fieldFaults(faults: readonly FastifySchemaValidationError[]): FieldFault[] {
  return faults
    .filter(fault => fault.keyword !== 'anyOf' && fault.keyword !== 'if')
    .slice(0, FIELD_FAULTS_MAX)
    .map(fieldFault);
}

const CODES: Record<string, string> = {
  type: 'wrong_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  pattern: 'bad_format',
  format: 'bad_format',
  minLength: 'too_short',
  minItems: 'too_short',
  minProperties: 'too_short',
  maxLength: 'too_long',
  maxItems: 'too_long',
  maxProperties: 'too_long',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  uniqueItems: 'duplicate',
};

function fieldFault(fault: FastifySchemaValidationError): FieldFault {
  const { keyword, instancePath, params } = fault;
  if (keyword === 'required')
    return { pointer: `${instancePath}/${String(params['missingProperty'])}`, code: 'required', detail: 'is required' };
  if (keyword === 'additionalProperties') {
    return {
      pointer: `${instancePath}/${escapePointer(String(params['additionalProperty']))}`,
      code: 'unknown_field',
      detail: 'is not a field of this request',
    };
  }
  const allowed = params['allowedValues'];
  const detail = Array.isArray(allowed) ? `must be one of ${allowed.join(', ')}` : (fault.message ?? 'is not valid');
  return { pointer: instancePath, code: CODES[keyword] ?? 'invalid', detail };
}

// Refusals of Node before there is a request: by code, else the request is malformed.
const CONNECTION_FAULTS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers a connection that sent no readable request. There is no route and no code of ours for it. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = CONNECTION_FAULTS[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ type: 'about:blank', title: status.slice(4), status: Number(status.slice(0, 3)) });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon(); // a socket that was only ended stays until the client closes it
}
