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
  // its processes are found by what /proc tells of them
  test(
    'what it has started ends when it is killed amid its start',
    async () => {
      command = Command.run('demo', ['--json', '--screens', '10', '--campaigns', '4']);
      await command.process('delivery/main.');
      process.kill(command.supervisor(), 'SIGKILL');
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );
});
