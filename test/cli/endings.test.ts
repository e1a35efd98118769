/**
 * However a demo is ended, nothing of it stays: no service, no engine, no folder. The demo runs as a command with
 * engines of its own, and its processes are found through /proc, so on Linux. This is the quickest of the ways to end a
 * command; all others are in endings-long.test.ts.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { Command } from '../support/command.ts';

const NOTHING = { processes: [], folders: [] };
const CASE_MS_MAX = 260_000;

let command: Command;
afterEach(() => command?.remove());

describe.runIf(process.platform === 'linux')('a demo', () => {
  test(
    'prints its steps and the sign-in links as text outside a terminal',
    async () => {
      command = Command.run('demo', ['--screens', '10', '--campaigns', '4']);
      await command.saying('Starting Postgres, Redis and ClickHouse');
      await command.saying('Ctrl-C stops it.');
      for (const role of ['brand', 'venue', 'agency', 'operator'])
        expect(command.said).toMatch(new RegExp(`^ {2}${role} +http://127\\.0\\.0\\.1:\\d+/console/sign-in#`, 'm'));
      expect(command.said).not.toContain('\u001b');
    },
    CASE_MS_MAX,
  );

  // its processes are found by what /proc tells of them
  test(
    'its child processes end when it is killed during its start',
    async () => {
      command = Command.run('demo', ['--json', '--screens', '10', '--campaigns', '4']);
      await command.process('delivery/main.');
      process.kill(command.supervisor(), 'SIGKILL');
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );
});
