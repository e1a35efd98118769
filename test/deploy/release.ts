/** Versions that were released, by the commits that released them, and their code in a folder of its own. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineUrls } from '#engines/run.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const run = promisify(execFile);

export type Release = { version: string; commit: string };

/** A version's code with its packages, and how it makes its schemas. */
export type Checkout = { root: string; migrate: (urls: EngineUrls) => Promise<void>; remove: () => void };

/**
 * The releases in the history, the latest first. A release is a commit whose subject is "Release 0.2.0" (`npm run
 * release` says so).
 * @throws an Error where there is none: a clone without its history
 */
export function releases(): Release[] {
  const subjects = execFileSync('git', ['log', '--format=%H %s'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const found = [...subjects.matchAll(/^([0-9a-f]{40}) Release (\d+\.\d+\.\d+)$/gm)];
  if (found.length === 0) throw new Error('no release in the history: fetch all of it (git fetch --unshallow)');
  return found.map(([, commit, version]) => ({ version: version!, commit: commit! }));
}

/** Writes a commit's files to a folder and installs its packages there: ours, if its list of them is the same. */
export async function checkOut(commit: string): Promise<Checkout> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'marquee-release-')));
  await run('bash', ['-c', 'set -o pipefail; git -C "$0" archive "$1" | tar -x -C "$2"', ROOT, commit, root]);
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lockOf(root) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  else await run('npm', ['ci'], { cwd: root, maxBuffer: 2 ** 26 });
  return {
    root,
    migrate: async ({ databaseUrl, clickhouseUrl }) => {
      const env = { ...process.env, DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl };
      await run(process.execPath, ['--import', 'tsx', 'cli/migrate.ts'], { cwd: root, env });
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
