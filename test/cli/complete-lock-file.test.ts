/**
 * package-lock.json holds the optional packages of every platform, not only of the one that it was made on. The file is
 * read from the repository; no engine is needed.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingEntries } from '../../cli/release/complete-lock-file.ts';
import { tsxLoader } from '../../runtime/programs/program.ts';

const PROGRAM = 'cli/release/complete-lock-file.ts';

test('the lock file holds the optional packages of every platform', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as Parameters<
    typeof missingEntries
  >[0];
  expect(Object.keys(missingEntries(lock))).toEqual([]);
});

test('a package missing for another platform is found and named with its platform', () => {
  const lock = {
    packages: {
      'node_modules/a': {
        version: '1.0.0',
        optionalDependencies: { '@a/lib-darwin-arm64': '1.2.3', '@a/lib-linux-x64': '1.2.3' },
      },
      'node_modules/@a/lib-linux-x64': { version: '1.2.3' },
    },
  };
  expect(missingEntries(lock)).toEqual({
    'node_modules/@a/lib-darwin-arm64': { version: '1.2.3', optional: true, os: ['darwin'], cpu: ['arm64'] },
  });
});

test('the program runs in any folder', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'marquee with ümlaut ')));
  cpSync(join(import.meta.dirname, '../..', PROGRAM), join(folder, PROGRAM));
  const packages = { 'node_modules/a': { optionalDependencies: { 'a-linux-arm64': '1.0.0' } } };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const said = execFileSync(process.execPath, ['--import', tsxLoader(), join(folder, PROGRAM)], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(said).toContain('added 1 entries');
});
