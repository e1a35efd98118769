/** Bundles of programs: used while they are made of the sources that are there, and never a moment longer. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildPrograms } from '../../../runtime/programs/build.ts';
import { bundleOf, PROGRAMS, programOf, ROOT, STARTER } from '../../../runtime/programs/program.ts';

const PROGRAM = 'service/main.ts';
let root: string;

const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
const runs = (path: string): string => execFileSync(process.execPath, [path], { encoding: 'utf8' }).trim();

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'marquee-programs-'));
  for (const folder of ['service', 'patches']) mkdirSync(join(root, folder));
  write('package-lock.json', '{}');
  write('patches/package.patch', 'one line');
  write('service/greeting.ts', `export const greeting: string = 'hello';`);
  write('service/text.txt', 'beside it');
  write(
    PROGRAM,
    `import { readFileSync } from 'node:fs';
import { greeting } from './greeting.ts';
console.log(greeting, readFileSync(import.meta.dirname + '/text.txt', 'utf8'));`,
  );
  await buildPrograms(root, [PROGRAM]);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a bundle behaves like its source, and finds the files next to the source', () => {
  expect(runs(join(root, bundleOf(PROGRAM, root)!))).toBe('hello beside it');
});

test('a bundle still works after its folder was moved', () => {
  const elsewhere = `${root}-moved`;
  renameSync(root, elsewhere);
  root = elsewhere;
  expect(runs(join(root, bundleOf(PROGRAM, root)!))).toBe('hello beside it');
});

test('a bundle is ignored when a source, a patch or the package list changes, and used again once rebuilt', async () => {
  for (const changed of ['service/greeting.ts', 'patches/package.patch', 'package-lock.json']) {
    write(changed, `export const greeting = 'changed ${changed}';`);
    expect(bundleOf(PROGRAM, root)).toBeUndefined();
    await buildPrograms(root, [PROGRAM]);
    expect(bundleOf(PROGRAM, root)).toBeDefined();
  }
  write('patches/another.patch', 'new');
  expect(bundleOf(PROGRAM, root)).toBeUndefined();
});

test('a program running from the previous build keeps its chunks, and older builds are deleted', async () => {
  const bundles: string[] = [];
  for (const text of ['second', 'third']) {
    bundles.push(join(root, bundleOf(PROGRAM, root)!));
    write('service/greeting.ts', `export const greeting = '${text}';`);
    await buildPrograms(root, [PROGRAM]);
  }
  expect(bundles.map(bundle => existsSync(bundle))).toEqual([false, true]);
});

test('a program with a damaged manifest or missing bundle starts from the source', () => {
  const bundle = bundleOf(PROGRAM, root)!;
  rmSync(join(root, bundle));
  expect(bundleOf(PROGRAM, root)).toBeUndefined();
  write('dist/programs/manifest.json', '{"service/main.ts": {"file"');
  expect(bundleOf(PROGRAM, root)).toBeUndefined();
});

test('a program started by name runs in the started process, from the current sources', async () => {
  const folder = 'runtime/programs';
  for (const made of [folder, 'delivery', 'node_modules']) mkdirSync(join(root, made), { recursive: true });
  for (const file of ['program.ts', 'start.ts']) copyFileSync(join(ROOT, folder, file), join(root, folder, file));
  symlinkSync(join(ROOT, 'node_modules/tsx'), join(root, 'node_modules/tsx'));
  write('package.json', '{"type": "module"}');
  const says = (text: string): void =>
    write(
      'delivery/main.ts',
      `const said: string = '${text}'; console.log(said, process.pid, process.argv.slice(2).join());`,
    );
  says('from its bundle');
  await buildPrograms(root, ['runtime/programs/start.ts', 'delivery/main.ts']);
  const start = (...args: string[]): { pid: number; stdout: string; stderr: string; status: number | null } =>
    spawnSync(process.execPath, [join(root, STARTER), ...args], { encoding: 'utf8' });
  const first = start('delivery/main.ts', 'with', 'these');
  expect(first.stdout).toBe(`from its bundle ${first.pid} with,these\n`);
  says('changed');
  const second = start('delivery/main.ts');
  expect(second.stdout).toBe(`changed ${second.pid} \n`);
  expect(start('delivery')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^delivery cannot be started so/),
  });
});

test.each(PROGRAMS)('%s is started with valid Node options', source => {
  const { file, execArgv } = programOf(source);
  expect(execArgv[0]).toBe(file.endsWith('.ts') ? '--import' : '--enable-source-maps');
});
