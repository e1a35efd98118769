/**
 * A fresh installation has nothing to warn of. On a terminal a person reads sentences; behind a pipe a program reads
 * JSON lines. The start command runs with engines of its own, on Linux.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Command } from '../support/command.ts';

const ARGUMENTS = ['--port', '0', '--delivery-port', '0'];
const WARNING = 40;
/** Begin an error and a warning. */
const [RED, YELLOW] = ['\u001b[31m', '\u001b[33m'];
const CASE_MS_MAX = 260_000;

let command: Command;
afterEach(() => command?.remove());

const levelsIn = (text: string): number[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('{"level"'))
    .map(line => (JSON.parse(line) as { level: number }).level);

describe.runIf(process.platform === 'linux')('a first start', () => {
  test(
    'shows its progress as sentences at a terminal, then the address of the console, and no secret',
    async () => {
      command = Command.runInTerminal('start', ARGUMENTS);
      await command.saying('Ctrl-C stops it; the data stays.');
      const shown = command.said.slice(command.said.indexOf('Marquee, on')); // npm may speak before
      expect(shown).not.toMatch(/"level"|AUTHORITY_LOST|\n +at /);
      for (const paint of [RED, YELLOW]) expect(shown).not.toContain(paint);
      const [first] = /\w+:\/\/\S+/.exec(shown)!;
      expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console$/);
      const secrets = readFileSync(join(command.folder, 'data', 'secrets.json'), 'utf8');
      for (const secret of Object.values(JSON.parse(secrets) as Record<string, string>))
        expect(shown).not.toContain(secret);
      const levels = levelsIn(readFileSync(join(command.folder, 'data', 'services.log'), 'utf8'));
      expect([levels.length > 0, levels.filter(level => level >= WARNING)]).toEqual([true, []]);
    },
    CASE_MS_MAX,
  );

  test(
    'writes JSON lines for a program, without a warning',
    async () => {
      command = Command.run('start', ARGUMENTS);
      await command.saying('"event":"ready"');
      const levels = levelsIn(command.said);
      expect([levels.length > 0, levels.filter(level => level >= WARNING)]).toEqual([true, []]);
    },
    CASE_MS_MAX,
  );
});
