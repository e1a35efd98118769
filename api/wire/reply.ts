/**
 * Turns the outcome of a route into an HTTP reply: a result under its status, or a refusal as
 * `application/problem+json` (RFC 9457) with a code of the one registry.
 */
import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isRefusal, REFUSALS, type Funds, type Refusal } from '#domain/refusal.ts';
import { money } from './shapes.ts';

/** Faults of fields that one answer lists: enough to correct a form at once; the rest shows on the next try. */
export const FIELD_FAULTS_MAX = 20;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a refusal. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, title } = REFUSALS[refusal.code];
  reply.request.refusalCode = refusal.code;
  if (status === 401) void reply.header('www-authenticate', challengeOf(refusal));
  return reply
    .code(status)
    .type('application/problem+json')
    .send({
      type: `urn:marquee:problem:${refusal.code}`,
      title,
      status,
      detail: refusal.detail,
      code: refusal.code,
      request_id: reply.request.id,
      ...(refusal.errors && { errors: refusal.errors.slice(0, FIELD_FAULTS_MAX) }),
      ...(refusal.funds && { funds: fundsOf(refusal.funds) }),
    });
}

function fundsOf({ neededMicros, availableMicros, currency }: Funds) {
  return { needed: money(neededMicros, currency), available: money(availableMicros, currency) };
}

/** The challenge of RFC 6750: a call without a key gets no error in it. */
function challengeOf({ code, detail }: Refusal): string {
  return code === 'missing_key' || !code.endsWith('_key')
    ? 'Bearer realm="marquee"'
    : `Bearer realm="marquee", error="invalid_token", error_description="${detail}"`;
}

/** A serialized answer, reusable while it is valid: its JSON and ETag. */
export class WrittenAnswer<Result> {
  readonly json: string;
  readonly etag: string;
  /** For the compiler only: an answer serialized for one route is not valid for another. */
  declare readonly writtenOf: Result;

  private constructor(json: string) {
    this.json = json;
    this.etag = `"${hashOf(json)}"`;
  }

  /** Serializes a result with the serializer of its route. */
  static of<Result extends object>(reply: FastifyReply, status: number, result: Result): WrittenAnswer<Result> {
    const json = reply.code(status).serialize(result);
    if (typeof json !== 'string') throw new TypeError('a route with a schema has a serializer of text');
    return new WrittenAnswer<Result>(json);
  }
}

/** A result as a file of another media type than JSON, for a route that answers by `Accept` or by a parameter. */
export class FileAnswer {
  readonly body: Buffer | string;
  readonly type: string;
  readonly name: string;

  /** @param name of the file, in letters, digits, dots and hyphens */
  constructor(body: Buffer | string, { type, name }: { type: string; name: string }) {
    this.body = body;
    this.type = type;
    this.name = name;
  }
}

/** The hash of an answer's bytes for its ETag. A single call takes half the time of a `Hash` object. */
export const hashOf = (body: string): string => hash('sha1', body, 'base64');

/**
 * Sends a result under a status, or a refusal. `Result` is named by the caller, from the schema that its route has for
 * the status; without it only a refusal is accepted.
 */
export function answer<Result = never>(
  reply: FastifyReply,
  status: number,
  result: NoInfer<Result | WrittenAnswer<Result>> | FileAnswer | Refusal,
): FastifyReply {
  if (isRefusal(result)) return sendRefusal(reply, result);
  if (result instanceof FileAnswer)
    return reply
      .code(status)
      .type(result.type)
      .header('content-disposition', `inline; filename="${result.name}"`)
      .send(result.body);
  if (!(result instanceof WrittenAnswer)) return reply.code(status).send(result);
  return reply.code(status).header('etag', result.etag).type(JSON_TYPE).send(result.json);
}
