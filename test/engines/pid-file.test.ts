/** A data folder belongs to one living process. Real files in a temporary folder, and processes that have ended. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDataDir, releaseDataDir } from '../../engines/processes/pid-file.ts';
import { startTimeOf } from '../../engines/processes/process-identity.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-claim-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder belongs to one living process', async () => {
  await claimDataDir(folder);
  await expect(claimDataDir(folder)).rejects.toThrow(`belong to the running process ${process.pid}`);
  await releaseDataDir(folder);
  await claimDataDir(folder);
});

test.each([
  [
    'of an earlier boot, in which this pid was given at the same moment',
    async () => `${process.pid} ${await startTimeOf(process.pid)}`,
  ],
  ['whose pid another program has now', async () => `${process.ppid} 1`],
  ['that a cut of power left empty', async () => ''],
])('a claim is taken over: one %s', async (_which, claim) => {
  writeFileSync(join(folder, 'engines.owner'), await claim());
  await claimDataDir(folder);
  expect(readFileSync(join(folder, 'engines.owner'), 'utf8')).toBe(`${process.pid} ${await startTimeOf(process.pid)}`);
});
