/** What a file may look like from outside: how it is named beside its neighbours. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from './support/architecture/source-files.ts';

const files = sourceFiles('');

test('no file stands beside a folder of its own name, where nobody knows which of the two to open', () => {
  const folderOf = (file: string) => join(ROOT, file.replace(/\.tsx?$/, ''));
  const isTwin = (file: string) => existsSync(folderOf(file)) && statSync(folderOf(file)).isDirectory();
  expect(files.filter(isTwin)).toEqual([]);
});
