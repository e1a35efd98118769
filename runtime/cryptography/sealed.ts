/**
 * Encrypts secrets that must be readable later (of webhooks, of buckets): AES-256-GCM under the key of the
 * configuration, with a fresh nonce each time. The purpose of a secret is authenticated with it, so that one that was
 * copied into another row or column cannot be opened there.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Fault } from '../fault-error.ts';

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Sealer = {
  /** @param purpose of the secret: one of the purposes below */
  seal(text: string, purpose: string): Buffer;
  /**
   * Encrypts equal texts of one purpose to equal bytes, so that equal answers stay equal. The nonce is a MAC of text
   * and purpose, as in SIV mode (RFC 5297): only equality shows.
   */
  sealEqually(text: string, purpose: string): Buffer;
  /** @throws Fault `sealed_with_another_key`, not retryable, for another key or purpose, or a changed byte */
  open(sealed: Uint8Array, purpose: string): string;
};

/** The purpose of the signing secrets of a workspace's webhooks. */
export const webhookSecretPurpose = (workspace: number): string => `webhook of ${workspace}`;
/** The purpose of the credentials with which one export of the audit is written to a bucket. */
export const exportCredentialsPurpose = (auditExport: number): string => `audit export ${auditExport}`;

/** The purpose of the secret that a person's authenticator app has, too. */
export const secondFactorPurpose = (person: number): string => `second factor of ${person}`;

/** The purpose of the private keys that sign proofs of invoices. */
export const PROOF_KEY_PURPOSE = 'private key of proofs';

/** The purpose of the state that a browser keeps while it is at an OpenID provider. */
export const SIGN_IN_PURPOSE = 'sign-in with a provider';
/** The purpose of the token that a browser keeps to sign out there, too. */
export const SIGN_OUT_PURPOSE = 'sign-out at a provider';

/** The purpose of the token in links that end alerts by mail. */
export const UNSUBSCRIBE_PURPOSE = 'unsubscribe from alerts';

/** The purpose of the cursor of a list. */
export const cursorPurpose = (list: string): string => `cursor of ${list}`;

/** The key as the configuration has it: 32 bytes in base64. @throws Error for anything else. */
export function parseEncryptionKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== text) throw new Error(`not ${KEY_BYTES} bytes in base64`);
  return key;
}

export function createSealer(key: Buffer): Sealer {
  const nonceKey = Buffer.from(hkdfSync('sha256', key, '', 'nonces of equal texts', KEY_BYTES));
  const sealWith = (nonce: Buffer, text: string, purpose: string) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
    return Buffer.concat([
      Buffer.from([VERSION]),
      nonce,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
  };
  return {
    seal: (text, purpose) => sealWith(randomBytes(NONCE_BYTES), text, purpose),
    sealEqually(text, purpose) {
      const mac = createHmac('sha256', nonceKey)
        .update(JSON.stringify([purpose, text]))
        .digest();
      return sealWith(mac.subarray(0, NONCE_BYTES), text, purpose);
    },
    open(sealed, purpose) {
      try {
        if (sealed[0] !== VERSION) throw new Error('another version');
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES)).setAAD(
          Buffer.from(purpose),
        );
        decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
        return Buffer.concat([
          decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]).toString('utf8');
      } catch (cause) {
        throw new Fault('sealed_with_another_key', 'a secret cannot be opened with this ENCRYPTION_KEY', {
          retryable: false,
          cause,
        });
      }
    },
  };
}
