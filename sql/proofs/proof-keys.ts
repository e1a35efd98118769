/**
 * The Ed25519 keys with which the installation signs proofs. The workers make the first one. Private keys are sealed
 * with `ENCRYPTION_KEY`. The newest key signs, and all public keys stay published.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { PROOF_KEY_PURPOSE, type Sealer } from '#runtime/cryptography/sealed.ts';
import type { Postgres } from '../postgres.ts';

export type ProofSigner = { handle: number; privateKey: KeyObject };
type PrivateRow = { handle: number; private_sealed: Buffer };
type PublicRow = { public_key: Buffer; created_at: Date };

/** Makes the first key of an installation. */
export async function ensureProofKey(sql: Postgres, sealer: Sealer, now: Date): Promise<void> {
  const keys = await sql`select from proof_keys limit 1`;
  if (keys.length === 0) await addProofKey(sql, sealer, now);
}

/** The key that signs now; there is one. @throws Fault `sealed_with_another_key` */
export async function readProofSigner(sql: Postgres, sealer: Sealer): Promise<ProofSigner> {
  const [row] = await sql<PrivateRow[]>`select handle, private_sealed from proof_keys order by handle desc limit 1`;
  const der = Buffer.from(sealer.open(row!.private_sealed, PROOF_KEY_PURPOSE), 'base64');
  return { handle: row!.handle, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

/** Makes a key that signs from now on, and returns its name. Proofs from before keep theirs. */
export async function addProofKey(sql: Postgres, sealer: Sealer, now: Date): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  await sql`
    insert into proof_keys (public_key, private_sealed, created_at)
    values (${bytes}, ${sealer.seal(der, PROOF_KEY_PURPOSE)}, ${now})`;
  return proofKeyId(bytes);
}

/** All public keys, the newest first, as RFC 8037 writes them. */
export async function listProofKeys(sql: Postgres) {
  const rows = await sql<PublicRow[]>`select public_key, created_at from proof_keys order by handle desc`;
  return rows.map(({ public_key: bytes, created_at: createdAt }) => ({
    kty: 'OKP' as const,
    crv: 'Ed25519' as const,
    x: bytes.toString('base64url'),
    kid: proofKeyId(bytes),
    use: 'sig' as const,
    alg: 'EdDSA' as const,
    created_at: createdAt.toISOString(),
  }));
}

/** The name of a public key: its thumbprint (RFC 7638). */
export function proofKeyId(publicKey: Buffer): string {
  const x = publicKey.toString('base64url');
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
}
