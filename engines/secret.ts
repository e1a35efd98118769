import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

// 18 bytes are 144 bits, and base64url of them needs no escaping in a URL, a configuration file or SQL.
const SECRET_BYTES = 18;

/** The password kept in `file` (mode 600); it is made at the first call and is the same ever after. */
export async function keepSecret(file: string): Promise<string> {
  try {
    await writeFile(file, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}
