/**
 * What a person sees in a terminal: steps with their times, lines that are repainted, and the log of the services in
 * short. The terminal writes into a text of the test; no engine is needed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LogFile } from '../../../cli/terminal/log-file.ts';
import { LogLines } from '../../../cli/terminal/log-lines.ts';
import { Terminal } from '../../../cli/terminal/terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-terminal-'));
beforeAll(() => {
  process.env['NO_COLOR'] = '1';
});
afterAll(() => {
  delete process.env['NO_COLOR'];
  rmSync(folder, { recursive: true });
});

function open({ columns = 80, isTTY = true } = {}) {
  let written = '';
  const clock = { ms: 0 };
  return {
    terminal: new Terminal(
      {
        isTTY,
        columns,
        write: text => {
          written += text;
        },
      },
      () => clock.ms,
    ),
    clock,
    written: () => written,
  };
}

describe('a terminal', () => {
  test('shows the duration of a step as soon as the next line appears', () => {
    const { terminal, clock, written } = open();
    terminal.begin('Starting');
    clock.ms = 2_340;
    terminal.say('It runs.');
    expect(written()).toBe('  Starting ... done 2.3 s\nIt runs.\n');
  });

  test('does not mark a step as done because of a warning in between', () => {
    const { terminal, clock, written } = open();
    terminal.begin('Stopping');
    terminal.note('a warning');
    clock.ms = 1_000;
    terminal.leave();
    expect(written()).toBe('  Stopping ... \na warning\n  Stopping ... done 1.0 s\n');
  });

  test('repaints its figures, and prints lines above them', () => {
    const { terminal, written } = open();
    terminal.paint(['one', 'two']);
    terminal.say('a line');
    expect(written()).toBe('one\ntwo\n\u001b[2A\u001b[0Ja line\none\ntwo\n');
  });

  test('cuts painted lines to its width, because wrapped lines cannot be repainted', () => {
    const { terminal, written } = open({ columns: 5 });
    terminal.paint(['12345678']);
    expect(written()).toBe('1234\n');
  });

  test('writes steps and lines into a pipe, and no painted figures', () => {
    const { terminal, written } = open({ isTTY: false });
    terminal.begin('Starting');
    terminal.say('It runs.');
    terminal.paint(['one']);
    terminal.say('It has ended.');
    expect(written()).toBe('  Starting ... done 0.0 s\nIt runs.\nIt has ended.\n');
  });
});

const line = (entry: object): string =>
  JSON.stringify({
    level: 40,
    time: '2026-11-22T10:00:00.000Z',
    service: 'ingest',
    msg: 'the queue is away',
    ...entry,
  });

describe('the log of services, for a person', () => {
  test('is one line for a warning, with the error message and without its stack', () => {
    const read = new LogLines('warn').read(
      line({ err: { message: 'connect\n  ECONNREFUSED', stack: 'Error: connect\n at x' } }),
    );
    expect(read).toMatch(/^\d\d:\d\d:\d\d warning ingest: the queue is away: connect ECONNREFUSED$/);
  });

  test('omits lines below the requested level', () => {
    expect(new LogLines('error').read(line({}))).toBeUndefined();
    expect(new LogLines('silent').read(line({ level: 60 }))).toBeUndefined();
    expect(new LogLines('error').read(line({ level: 50 }))).toContain('error ingest: the queue is away');
  });

  test('repeats the same line only after half a minute', () => {
    const clock = { ms: 0 };
    const lines = new LogLines('warn', () => clock.ms);
    const shown = [0, 1_000, 29_999, 30_000].map(ms => {
      clock.ms = ms;
      return lines.read(line({})) !== undefined;
    });
    expect(shown).toEqual([true, false, false, true]);
  });

  test('passes other output through', () => {
    expect(new LogLines('warn').read('(node:1) Warning: something')).toContain('warning (node:1) Warning: something');
  });
});

test('a full log file is rotated, and the previous part is kept', () => {
  const path = join(folder, 'services.log');
  const file = new LogFile(path, { bytesMax: 10 });
  for (const text of ['first line', 'second', 'third']) file.write(text);
  expect([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['first line\n', 'second\nthird\n']);
});
