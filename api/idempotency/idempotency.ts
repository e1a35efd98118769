/**
 * `Idempotency-Key` on every POST and PATCH. A key is scoped to workspace, book, method and path; in calls of the own
 * account also to the person. The reply is stored by the unit of work of its effect, in the same transaction. It is
 * looked up before a route runs, so that a repeat gets the same answer whatever has changed since. Refusals changed
 * nothing and are not stored: the same call may succeed later.
 *
 * A reply that shows a secret once (`config.secretReply`) is encrypted with the caller's API key, or the token of their
 * session. Neither is stored anywhere, so only the original caller can have it repeated.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import {
  findReplies,
  matchingReply,
  OnceRefused,
  RepliedBefore,
  type KeptReply,
  type KeptRow,
  type Once,
} from '#books/once.ts';
import type { Postgres } from '#sql/postgres.ts';
import { stableJson } from '#domain/signing/stable-json.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { credentialOf } from '../authentication/credential.ts';
import { callerOf, type Caller } from '../authentication/caller.ts';
import type { Principal } from '../authentication/principal.ts';
import { createJoinedReads } from '../joined/joined-reads.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Replies looked up by one statement: far more than calls arrive during a statement. */
const CALLS_AT_ONCE_MAX = 500;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The reply holds a secret that is shown once. */
    secretReply?: boolean;
  }
  interface FastifyRequest {
    once: Once | null;
  }
}

/** The stored reply of a scope, if any. */
export type ReplyLookup = (scope: Buffer) => Promise<KeptRow | undefined>;

/** A look-up that calls of the same moment share. */
export function createReplyLookup({ sql, now }: { sql: Postgres; now: () => Milliseconds }): ReplyLookup {
  const batches = createJoinedReads<Buffer, KeptRow>({
    read: scopes => findReplies(sql, scopes, new Date(now())),
    keysMax: CALLS_AT_ONCE_MAX,
  });
  return scope => batches.get(scope);
}

/** Whether a call has an Idempotency-Key that counts. */
export function mayBeRepeat({ headers, principal, method }: FastifyRequest): boolean {
  return headers['idempotency-key'] !== undefined && principal !== null && (method === 'POST' || method === 'PATCH');
}

/**
 * The hook before a route whose call may be a repeat: answers a repeat, or sets `request.once` for the unit of work.
 */
export async function prepareOnce(
  { findReply }: { findReply: ReplyLookup },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | Refusal | undefined> {
  const key = request.headers['idempotency-key'];
  const { principal } = request;
  if (!principal) return undefined;
  if (typeof key !== 'string' || !KEY.test(key))
    return refuse('bad_idempotency_key', 'An Idempotency-Key has 1 to 255 printable characters of ASCII.');
  const once = onceOf({ request, reply, principal, key });
  request.once = once;
  try {
    const before = await findReply(once.scope);
    return before && sendAgain(matchingReply(before, once.fingerprint), { request, reply });
  } catch (error) {
    if (error instanceof OnceRefused) return refuseOnce(error);
    throw error;
  }
}

type KeyedRequest = { request: FastifyRequest; reply: FastifyReply; principal: Principal; key: string };

function onceOf({ request, reply, principal, key }: KeyedRequest): Once {
  const path = request.url.split('?', 1)[0]!;
  const { access } = request.routeOptions.config;
  const isPersonal = access !== undefined && access !== 'public' && access.resource === 'sessions';
  const { workspace, sandbox, person } = principal;
  const scope = sha256(
    JSON.stringify([workspace, sandbox, request.method, path, key, ...(isPersonal ? [person] : [])]),
  );
  const status = successOf(request);
  const replyOf = (value: unknown): KeptReply | undefined => {
    if (isRefusal(value)) return undefined;
    // A JSON serializer gives text.
    const text = value === undefined ? '' : (reply.code(status).serialize(value) as string);
    return { status, body: seal(Buffer.from(text), request) };
  };
  return { scope, fingerprint: sha256(stableJson(request.body ?? null)), replyOf, progress: { state: 'open' } };
}

/** The status of a route's success: the one in its response schema, else 204. */
function successOf(request: FastifyRequest): number {
  const named = Object.keys(request.routeOptions.schema?.response ?? {})
    .map(Number)
    .find(status => status >= 200 && status < 300);
  return named ?? 204;
}

/**
 * The same caller, for a route whose answer is made from the result of its unit of work by `render`: the stored reply
 * is rendered as well. Refusals are not.
 */
export function withReply<T>(caller: Caller, render: (value: T) => unknown): Caller {
  const { once } = caller;
  if (!once) return caller;
  return {
    ...caller,
    once: { ...once, replyOf: value => once.replyOf(isRefusal(value) ? value : render(value as T)) },
  };
}

/** Runs a unit of work for the caller, and renders its result for the answer and for the stored reply. */
export async function replying<T, R>(
  caller: Caller,
  { now, render }: { now: Milliseconds; render: (value: T) => R },
  work: (call: Caller & { now: Date }) => Promise<T | Refusal>,
): Promise<R | Refusal> {
  const value = await work({ ...withReply(caller, render), now: new Date(now) });
  return isRefusal(value) ? value : render(value);
}

/**
 * Stores the result of a route without a unit of work (a forecast), in its own unit. Of two such calls under one key,
 * both of which have done their work, one is answered, and the other as its repeat is.
 */
export async function keepResult(
  { sql, now }: { sql: Postgres; now: () => Milliseconds },
  request: FastifyRequest,
  result: unknown,
): Promise<void> {
  const { once } = request;
  if (once === null || once.progress.state !== 'open' || isRefusal(result)) return;
  await inUnitOfWork(sql, { actor: callerOf(request).actor, now: new Date(now()), once }, async () => result);
}

/** Answers a repeat that a unit of work detected and threw; undefined for any other error. */
export function replyToOnce(
  error: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply | Refusal | undefined {
  if (error instanceof RepliedBefore) return sendAgain(error.reply, { request, reply });
  return error instanceof OnceRefused ? refuseOnce(error) : undefined;
}

function refuseOnce({ reason }: OnceRefused): Refusal {
  if (reason === 'in_flight')
    return refuse('idempotency_in_flight', 'The same request is being carried out. Try again in a moment.');
  return refuse(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Take a new one for a new request.',
  );
}

function sendAgain(
  { status, body }: KeptReply,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply | Refusal {
  const opened = unseal(body, request);
  if (!opened)
    return refuse(
      'idempotency_key_reused',
      'This reply holds a secret and is repeated only to the API key that asked for it.',
    );
  void reply.code(status).header('idempotent-replayed', 'true');
  // Bytes are sent as they are.
  return opened.length === 0 ? reply.send() : reply.type('application/json; charset=utf-8').send(opened);
}

function sealKeyOf(request: FastifyRequest): Buffer {
  return Buffer.from(hkdfSync('sha256', credentialOf(request) ?? '', '', 'marquee idempotent reply', 32));
}

function seal(body: Buffer, request: FastifyRequest): Buffer {
  if (request.routeOptions.config.secretReply !== true) return body;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealKeyOf(request), nonce);
  return Buffer.concat([nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
}

function unseal(body: Buffer, request: FastifyRequest): Buffer | undefined {
  if (request.routeOptions.config.secretReply !== true) return body;
  const decipher = createDecipheriv('aes-256-gcm', sealKeyOf(request), body.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined; // sealed under another API key
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
