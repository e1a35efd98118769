/**
 * The README's two commands and the unit tests on each supported version of Node: a clone without the packages of this
 * checkout, and the binaries that npm carries. Linux on x64 and arm64.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const run = promisify(execFile);
const VERSIONS = ['20.20', '22', '24', '26'];
const MINUTES_10 = 600_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

let folder: string;
beforeAll(() => {
  folder = makeDataDir();
});
afterAll(() => removeDataDir(folder));

describe.each(VERSIONS)('on Node %s', version => {
  const checkout = () => join(folder, version);
  const on = async (command: string, ...args: string[]): Promise<string> => {
    const bin = join(folder, `node-${version}`, 'node_modules', `node-linux-${process.arch}`, 'bin');
    const { NODE_OPTIONS: _, ...environment } = process.env;
    const env = { ...environment, PATH: `${bin}:${process.env['PATH']}`, CI: '' };
    const { stdout } = await run(command, args, { cwd: checkout(), env, maxBuffer: OUTPUT_BYTES_MAX });
    return stdout;
  };

  test(
    'npm ci installs every package',
    async () => {
      const prefix = join(folder, `node-${version}`);
      mkdirSync(prefix);
      await run('npm', ['install', '--prefix', prefix, '--no-save', `node-linux-${process.arch}@${version}`]);
      await run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, checkout()]);
      expect(await on('node', '--version')).toMatch(new RegExp(`^v${version}\\.`));
      await on('npm', 'ci');
      expect(existsSync(join(checkout(), 'dist', 'programs', 'start.mjs'))).toBe(true);
    },
    MINUTES_10,
  );

  test(
    'the demo loses, doubles and overspends nothing',
    async () => {
      const lines = await on('npm', 'run', '--silent', 'demo', '--', '--for', '10', '--screens', '50', '--json');
      const summary = JSON.parse(lines.trim().split('\n').at(-1)!) as Record<string, unknown>;
      expect(summary).toMatchObject({ event: 'summary', lost: 0, double_counted: 0, overspent: 0 });
      expect(summary['plays_acked']).toBeGreaterThan(0);
    },
    MINUTES_10,
  );

  test(
    'the rules hold',
    async () => {
      const config = ['--config', 'test/support/vitest/unit.config.ts'];
      expect(
        await on('npx', 'vitest', 'run', ...config, 'test/domain', '--test-timeout', '60000', '--reporter', 'json'),
      ).toContain('"success":true');
    },
    MINUTES_10,
  );
});
