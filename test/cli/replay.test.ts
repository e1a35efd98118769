/**
 * A demo with two delivery processes is recorded, and the replay command decides every slot again in the same way. Both
 * run as commands, the demo with engines of its own.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SECONDS = 15;

type Replay = {
  event: string;
  runs: number;
  runs_without_beginning: number;
  slots: number;
  differences: number;
  first: string[];
};

/** The last line of a command's output, and how it ended. */
async function lastLine(script: string, args: string[]): Promise<{ code: number; line: string; errors: string }> {
  const run = promisify(execFile);
  const result = await run(process.execPath, ['--import', 'tsx', script, ...args], {
    maxBuffer: 2 ** 26,
    env: { ...process.env, CLICKHOUSE_URL: '', DATABASE_URL: '', REDIS_URL: '' },
  }).then(
    output => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: result.code, line: result.stdout.trim().split('\n').at(-1) ?? '', errors: result.stderr };
}

test(
  'every slot of a demo with two delivery processes is decided identically in a replay',
  { timeout: 300_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'marquee-replay-'));
    await chmod(dataDir, 0o755); // Postgres runs as somebody else where the tests are root
    try {
      const demo = await lastLine('cli/demo/demo.ts', [
        '--for',
        String(SECONDS),
        '--screens',
        '40',
        '--campaigns',
        '20',
        '--delivery-processes',
        '2',
        '--port',
        '0',
        '--delivery-port',
        '0',
        '--data-dir',
        dataDir,
        '--json',
      ]);
      expect(demo.code === 0 ? '' : demo.errors).toBe('');
      const { slots } = JSON.parse(demo.line) as { slots: number };
      const again = await lastLine('cli/replay/replay.ts', ['--data-dir', dataDir, '--json']);
      const replay = JSON.parse(again.line) as Replay;
      expect(replay).toMatchObject({
        event: 'replay',
        runs: 2,
        runs_without_beginning: 0,
        slots,
        differences: 0,
        first: [],
      });
      expect([again.code, slots > 20]).toEqual([0, true]);
      const none = await lastLine('cli/replay/replay.ts', [
        '--data-dir',
        dataDir,
        '--json',
        '--from',
        '2020-01-01T00:00:00Z',
        '--to',
        '2020-01-02T00:00:00Z',
      ]);
      expect(JSON.parse(none.line)).toMatchObject({ runs: 0, slots: 0 });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
