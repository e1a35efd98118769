/** Passwords of embedded engines: made once and kept in a file of the data folder. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createDurably } from '#runtime/durable-file.ts';

// 18 bytes are 144 bits, and base64url of them needs no escaping in a URL, a configuration file or SQL.
const SECRET_BYTES = 18;

/**
 * The password kept in `file` (mode 600); it is made at the first call and is the same ever after, also after a cut of
 * power.
 */
export async function keepSecret(file: string): Promise<string> {
  if (!existsSync(file))
    createDurably({ path: file, text: randomBytes(SECRET_BYTES).toString('base64url'), mode: 0o600 });
  return readFile(file, 'utf8');
}
