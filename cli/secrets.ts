import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets of an instance on embedded engines. Real deployments pass theirs in; these have no default elsewhere. */
export type Secrets = { signingKeys: string; encryptionKey: string; analystPassword: string };

/** Reads the secrets of a data folder, or makes and keeps them (mode 600) on the first start. */
export function secretsOf(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
  const secrets: Secrets = {
    signingKeys: `1:${randomBytes(16).toString('base64')}`, // SipHash-2-4 takes 128 bits
    encryptionKey: randomBytes(32).toString('base64'),
    analystPassword: randomBytes(12).toString('hex'),
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}
