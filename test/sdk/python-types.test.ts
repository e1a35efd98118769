/** The SDK for Python, its tests and its example hold their types, as mypy checks them at its strictest. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findOrInstall } from '../../engines/package-manager.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const FOLDER = join(ROOT, 'sdk/python');

test('mypy finds no errors', { timeout: 180_000 }, async () => {
  const mypy = await findOrInstall({ programs: ['mypy'], debian: 'mypy', brew: 'mypy' });
  const files = ['marquee', 'tests', join(ROOT, 'examples/python/daily_report.py')];
  const { stdout } = await promisify(execFile)(mypy, ['--strict', '--cache-dir', '/dev/null', ...files], {
    cwd: FOLDER,
    env: { ...process.env, MYPYPATH: FOLDER },
  });
  expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/);
});
