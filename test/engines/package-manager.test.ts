/** Programs that a new machine lacks are installed by apt-get (here one of the test itself), one at a time. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findOrInstall } from '../../engines/package-manager.ts';

const LINUX = process.platform === 'linux';
const PATH = process.env['PATH'];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-packages-'));
  mkdirSync(join(folder, 'bin'));
  writeProgram('apt-get', APT_GET);
  writeProgram('sudo', 'shift; exec "$@"');
  process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`;
});

afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(folder, { recursive: true, force: true });
});

/** Ends with a fault while another one runs, as apt-get does; what it installs is a program of that name. */
const APT_GET = `
cd "$(dirname "$0")/.."
mkdir lock || exit 100
if test "$1" = update; then /bin/sleep 0.2; else eval "name=\\\${$#}"; cp bin/sudo "bin/$name"; fi
rmdir lock`;

function writeProgram(name: string, text: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

const wanted = (name: string) => ({ programs: [name], debian: name, brew: name });

test.runIf(LINUX)('two missing programs requested at once are both installed', async () => {
  const names = ['marquee-test-encoder', 'marquee-test-store'];
  const found = await Promise.all(names.map(name => findOrInstall(wanted(name))));
  expect(found).toEqual(names.map(name => join(folder, 'bin', name)));
});

test.runIf(LINUX)('a program that cannot be installed fails with the command to run', async () => {
  writeProgram('apt-get', 'exit 100');
  await expect(findOrInstall(wanted('marquee-test-none'))).rejects.toThrow(
    /^marquee-test-none is not installed. Run: (sudo -n )?apt-get install -y --no-install-recommends marquee-test-none$/,
  );
});
