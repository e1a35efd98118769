/** The files that the operator imports. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImport } from '../../../cli/admin/supply/import-file.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'marquee-import-'))));
afterAll(() => rm(folder, { recursive: true }));

const read = async (bytes: Buffer): Promise<string> => {
  await writeFile(join(folder, 'places.csv'), bytes);
  return readImport(join(folder, 'places.csv'));
};

test('a file is read as UTF-8, with its mark', async () => {
  expect(await read(Buffer.from('\uFEFFid,name\na,Köln'))).toBe('\uFEFFid,name\na,Köln');
});

test.each([
  ['Latin-1', Buffer.from('id,name\na,Köln', 'latin1')],
  ['UTF-16', Buffer.from('\uFEFFid,name', 'utf16le')],
  ['a truncated letter', Buffer.from('ö').subarray(0, 1)],
])('a file in %s is refused, because its letters would be wrong', async (_name, bytes) => {
  await expect(read(bytes)).rejects.toThrow(/Nothing was imported\. .*places\.csv is not UTF-8/);
});
