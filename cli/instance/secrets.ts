/**
 * The secrets of an instance on embedded engines, kept in its data folder. A deployment passes its own in the
 * environment.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDurably } from '#runtime/durable-file.ts';

/** Secrets of an instance on embedded engines. Real deployments pass theirs in; these have no default elsewhere. */
export type Secrets = { signingKeys: string; encryptionKey: string; analystPassword: string };

/**
 * Reads the secrets of a data folder; on the first start makes and stores them (mode 600). They are on the disk before
 * anything is signed or sealed with them.
 */
export function secretsOf(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  if (!existsSync(path)) makeSecrets(path);
  return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
}

function makeSecrets(path: string): void {
  const secrets: Secrets = {
    signingKeys: `1:${randomBytes(16).toString('base64')}`, // SipHash-2-4 takes 128 bits
    encryptionKey: randomBytes(32).toString('base64'),
    analystPassword: randomBytes(12).toString('hex'),
  };
  mkdirSync(dirname(path), { recursive: true });
  createDurably({ path, text: JSON.stringify(secrets), mode: 0o600 });
}
