/** The files of imports. Text in another encoding would be imported with wrong letters. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { UsageError } from '../../arguments.ts';

/** @throws UsageError if the file is not UTF-8 */
export async function readImport(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (!isUtf8(bytes)) throw new UsageError(`Nothing was imported. ${file} is not UTF-8: save it with this encoding.`);
  return bytes.toString('utf8');
}
