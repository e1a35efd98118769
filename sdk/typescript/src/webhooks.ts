/**
 * Proves that a webhook came from Marquee. Of the two signatures that every delivery carries, that of Standard Webhooks
 * is taken where it is there (https://www.standardwebhooks.com), else `X-Service-Signature`. It runs on Web Crypto, so
 * in Node, in workers at the edge and in browsers alike; `crypto.subtle.verify` compares in constant time.
 */
import type { webhooks } from './generated/openapi.d.ts';

type BodyOf<O> = O extends { requestBody?: infer Request }
  ? NonNullable<Request> extends { content: { 'application/json': infer Body } }
    ? Body
    : never
  : never;
/** The body of an event; `type` is its type. */
export type WebhookEvent = { [Type in keyof webhooks]: BodyOf<webhooks[Type]['post']> }[keyof webhooks];

export type Delivery = {
  /** As Fetch or Node has them, names in any case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, before any JSON parser. */
  body: string | Uint8Array;
  /** The `whsec_...` of the webhook. */
  secret: string;
  /** Seconds since 1970. */
  now?: number;
};

export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/** An older delivery may have been recorded and replayed; one from the future has a wrong clock. */
const AGE_SECONDS_MAX = 300;
const SECRET_PREFIX = 'whsec_';

/** The event of a delivery. @throws a WebhookSignatureError when it is not from Marquee, or is not from now */
export async function verifyWebhook({
  headers,
  body,
  secret,
  now = Date.now() / 1_000,
}: Delivery): Promise<WebhookEvent> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = standardOf(headers, secret) ?? serviceOf(headers, secret);
  if (!signed) throw new WebhookSignatureError('the delivery has no signature');
  if (!(Math.abs(now - Number(signed.at)) < AGE_SECONDS_MAX))
    throw new WebhookSignatureError('the delivery is not from these five minutes');
  if (!(await isSigned(signed, bytes))) throw new WebhookSignatureError('the signature is not that of this body');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

/** A signature as it was sent, in either scheme. */
type Signed = {
  /** Seconds since 1970, as they are written in the header: they are signed so. */
  at: string;
  /** The signed part before the body. */
  before: string;
  key: Uint8Array;
  signatures: readonly Uint8Array[];
};

function standardOf(headers: Delivery['headers'], secret: string): Signed | undefined {
  const id = headerOf(headers, 'webhook-id');
  const at = headerOf(headers, 'webhook-timestamp');
  const listed = headerOf(headers, 'webhook-signature');
  if (id === undefined || at === undefined || listed === undefined) return undefined;
  const signatures = listed.split(' ').flatMap(one => (one.startsWith('v1,') ? bytesOfBase64(one.slice(3)) : []));
  const [key] = bytesOfBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  return key && { at, before: `${id}.${at}.`, key, signatures };
}

function serviceOf(headers: Delivery['headers'], secret: string): Signed | undefined {
  const fields = headerOf(headers, 'x-service-signature')
    ?.split(',')
    .map(field => field.split('='));
  const at = fields?.find(([name]) => name === 't')?.[1];
  if (!fields || at === undefined) return undefined;
  const signatures = fields.flatMap(([name, hex]) => (name === 'v1' ? bytesOfHex(hex ?? '') : []));
  return { at, before: `${at}.`, key: new TextEncoder().encode(secret), signatures };
}

async function isSigned({ before, key, signatures }: Signed, body: Uint8Array): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', copyOf(key), algorithm, false, ['verify']);
  const text = copyOf(new TextEncoder().encode(before), body);
  const answers = await Promise.all(
    signatures.map(signature => crypto.subtle.verify('HMAC', imported, copyOf(signature), text)),
  );
  return answers.includes(true);
}

function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

/** The bytes, or nothing if it is not base64. */
function bytesOfBase64(text: string): Uint8Array[] {
  try {
    return [Uint8Array.from(atob(text), character => character.charCodeAt(0))];
  } catch {
    return []; // not base64: it is no signature
  }
}

function bytesOfHex(text: string): Uint8Array[] {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return [];
  return [Uint8Array.from(text.match(/../g) ?? [], byte => Number.parseInt(byte, 16))];
}

/** One after the other, in memory of their own, as Web Crypto asks for. */
function copyOf(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
