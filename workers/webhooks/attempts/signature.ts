/**
 * The headers that prove a delivery: `X-Service-Signature` of the interface, keyed with the whole secret, and those of
 * Standard Webhooks, keyed with the bytes after `whsec_`. In the day after a rotation both secrets sign.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';

/** A secret as a signing key: as text for one scheme and as bytes for the other. Each is imported once. */
export type SigningSecret = { text: KeyObject; bytes: KeyObject };

export function signingSecret(text: string): SigningSecret {
  return { text: createSecretKey(text, 'utf8'), bytes: createSecretKey(text.slice(PREFIX.length), 'base64') };
}

/**
 * @param secrets the one in force first
 * @param at seconds since 1970, of this attempt
 */
export function signedHeaders({
  id,
  body,
  secrets,
  at,
}: {
  id: string;
  body: string;
  secrets: readonly SigningSecret[];
  at: number;
}): Record<string, string> {
  const hex = secrets.map(({ text }) => `v1=${createHmac('sha256', text).update(`${at}.${body}`).digest('hex')}`);
  const base64 = secrets.map(
    ({ bytes }) => `v1,${createHmac('sha256', bytes).update(`${id}.${at}.${body}`).digest('base64')}`,
  );
  return {
    'content-type': 'application/json',
    'user-agent': 'Marquee-Webhooks/1',
    'x-service-signature': `t=${at},${hex.join(',')}`,
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': base64.join(' '),
  };
}
