/**
 * Every way to end each command that starts engines, while it runs and while it starts: nothing of it stays, neither a
 * process nor a folder. Processes are found by what /proc tells of them, so on Linux.
 */
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { Command, type Exit } from '../support/command.ts';

const NOTHING: { processes: string[]; folders: string[] } = { processes: [], folders: [] };
const CASE_MS_MAX = 260_000;
const LINUX = process.platform === 'linux';
const DEMO = ['--json', '--screens', '10', '--campaigns', '4'];
const START = ['--json', '--port', '0', '--delivery-port', '0'];

let command: Command;
afterEach(() => command?.remove());

const signalled = (signal: NodeJS.Signals): Exit => ({ code: null, signal });
const ended = (code: number): Exit => ({ code, signal: null });

/**
 * Ways to end a command, and how npm ends then: as what it runs does, if it may wait for that. What a group gets npm
 * hands on, so that what it runs hears it twice.
 */
const ENDINGS: Record<string, { end: () => void; exit: (clean: number | undefined) => Exit }> = {
  'Ctrl-C': { end: () => command.signalGroup('SIGINT'), exit: (clean = 130) => ended(clean) },
  'Ctrl-C, twice at once': {
    end() {
      command.signalGroup('SIGINT');
      command.signalGroup('SIGINT');
    },
    exit: (clean = 130) => ended(clean),
  },
  'SIGTERM to the group': { end: () => command.signalGroup('SIGTERM'), exit: (clean = 143) => ended(clean) },
  'SIGTERM to npm alone': { end: () => command.signalNpm('SIGTERM'), exit: (clean = 143) => ended(clean) },
  'a closed terminal': { end: () => command.signalGroup('SIGHUP'), exit: () => signalled('SIGHUP') },
  'kill -9 of what npm runs': {
    end: () => void process.kill(command.supervisor(), 'SIGKILL'),
    exit: () => signalled('SIGKILL'),
  },
  'kill -9 of npm': { end: () => command.signalNpm('SIGKILL'), exit: () => signalled('SIGKILL') },
  'kill -9 of the group': { end: () => command.signalGroup('SIGKILL'), exit: () => signalled('SIGKILL') },
};
const ALL = Object.keys(ENDINGS);
const SUDDEN = [
  'Ctrl-C, twice at once',
  'SIGTERM to npm alone',
  'a closed terminal',
  'kill -9 of what npm runs',
  'kill -9 of npm',
];

type Outcome = { exit: Exit; left: typeof NOTHING };

/** Ends the command; answers how npm ended, and what is left. */
async function endBy(ending: string): Promise<Outcome> {
  ENDINGS[ending]!.end();
  return { exit: await command.exit, left: await command.left() };
}

/** What is to come of it. `clean`: what the command comes to when it may stop as it should. */
function outcomeOf(ending: string, { clean }: { clean?: number } = {}): Outcome {
  return { exit: ENDINGS[ending]!.exit(clean), left: NOTHING };
}

describe.runIf(LINUX)('a running demo', () => {
  test.each(ALL)(
    '%s',
    async ending => {
      command = Command.run('demo', DEMO);
      await command.saying('"event":"progress"');
      expect(await endBy(ending)).toEqual(outcomeOf(ending, { clean: 0 }));
    },
    CASE_MS_MAX,
  );

  test(
    'stops cleanly with its child processes when its terminal sends Ctrl-C twice',
    async () => {
      command = Command.run('demo', DEMO);
      await command.saying('"event":"progress"');
      command.signalGroup('SIGINT');
      command.signalGroup('SIGINT');
      expect(await command.exit).toEqual({ code: 0, signal: null });
      expect([...command.processes().values()]).toEqual([]); // it was the last to end
      expect(command.said).toContain('"event":"summary"');
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );

  test(
    'a second Ctrl-C, seconds later, ends it at once',
    async () => {
      command = Command.run('demo', DEMO);
      await command.saying('"event":"progress"');
      command.signalGroup('SIGINT');
      await new Promise(resolve => {
        setTimeout(resolve, 1_500);
      }); // within a second they would be one wish
      command.signalGroup('SIGINT');
      expect(await command.exit).toEqual({ code: 130, signal: null });
      expect([...command.processes().values()]).toEqual([]);
      expect(command.said).not.toContain('"event":"summary"');
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );

  test(
    'ends after a given duration in the usual way',
    async () => {
      command = Command.run('demo', [...DEMO, '--for', '5']);
      expect(await command.exit).toEqual({ code: 0, signal: null });
      expect(command.said).toContain('"lost":0,"double_counted":0,"overspent":0');
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );

  test(
    'its reader goes away',
    async () => {
      command = Command.run('demo', DEMO);
      await command.saying('"event":"progress"');
      command.stopReading();
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );
});

describe.runIf(LINUX && existsSync('/usr/bin/script'))('a demo in a terminal', () => {
  test(
    'Ctrl-C is pressed',
    async () => {
      command = Command.runInTerminal('demo', DEMO.slice(1));
      await command.saying('top campaigns');
      command.type('\u0003');
      expect(await command.exit).toEqual({ code: 0, signal: null });
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );

  test(
    'the terminal is closed',
    async () => {
      command = Command.runInTerminal('demo', DEMO.slice(1));
      await command.saying('top campaigns');
      command.closeTerminal();
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );
});

/** Words of the command lines of processes that are there for a part of a start each. */
const STAGES = ['initdb', 'bin/postgres', 'api/main.', 'ffmpeg'];

describe.runIf(LINUX).each(STAGES)('a demo that starts, with %s', stage => {
  test.each(SUDDEN)(
    '%s',
    async ending => {
      command = Command.run('demo', DEMO);
      await command.process(stage);
      expect(await endBy(ending)).toEqual(outcomeOf(ending));
    },
    CASE_MS_MAX,
  );
});

describe.runIf(LINUX)('an installation of one command', () => {
  test.each(SUDDEN)(
    '%s, while it runs',
    async ending => {
      command = Command.run('start', START);
      await command.saying('"event":"ready"');
      expect(await endBy(ending)).toEqual(outcomeOf(ending, { clean: 0 }));
    },
    CASE_MS_MAX,
  );

  test(
    'starts again on its folder at once after it was killed',
    async () => {
      command = Command.run('start', START);
      await command.saying('"event":"ready"');
      const { api, delivery } = JSON.parse(
        command.said.split('\n').find(line => line.includes('"event":"ready"'))!,
      ) as { api: string; delivery: string };
      process.kill(command.supervisor(), 'SIGKILL');
      const again = command.runAgain('start', [
        '--json',
        '--port',
        new URL(api).port,
        '--delivery-port',
        new URL(delivery).port,
      ]);
      await again.saying('"event":"ready"');
      again.signalGroup('SIGINT');
      expect(await again.exit).toEqual({ code: 0, signal: null });
      expect(await again.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );
});

describe.runIf(LINUX)('a benchmark', () => {
  test.each(SUDDEN)(
    '%s',
    async ending => {
      command = Command.run('bench', ['freshness']);
      await command.process('delivery/main.');
      expect(await endBy(ending)).toEqual(outcomeOf(ending));
    },
    CASE_MS_MAX,
  );
});

describe.runIf(LINUX)('a run of tests', () => {
  test.each(SUDDEN)(
    '%s',
    async ending => {
      command = Command.run('test', ['--config', 'test/support/vitest/waits.config.ts']);
      await command.saying('waiting');
      ENDINGS[ending]!.end(); // how the runner itself ends is its own affair
      expect(await command.left()).toEqual(NOTHING);
    },
    CASE_MS_MAX,
  );
});
