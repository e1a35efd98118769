/** Checks signatures of Ed25519 (RFC 8032), by which sensing modules attest what they counted. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** A public key of 32 bytes (RFC 8032) as what signatures are checked with. @throws when it is none */
export function openPublicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') },
    format: 'jwk',
  });
}

/**
 * Whether the holder of the key signed this text; the signature is 64 bytes in base64url. About a tenth of a
 * millisecond.
 */
export function hasSigned(key: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}
