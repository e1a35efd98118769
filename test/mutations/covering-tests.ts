/**
 * Which test files are run for a mutation: those that call the changed function. A function that everything calls is
 * called by all tests, so those whose path is nearest to the source's come first; of these the fastest.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { MANIFEST } from '../../runtime/programs/program.ts';
import { startVitest } from 'vitest/node';
import { importGraph, ROOT, sourceFiles } from '../support/architecture/source-files.ts';
import { LONG_TESTS } from '../support/vitest/long-tests.ts';
import type { Mutant } from './mutants.ts';

/** What one test file ran: functions by source file, '' for the module itself. */
export type Recorded = { test: string; ms: number; functions: Record<string, string[]> };

const FOLDER = join(ROOT, '.data/mutations');
/** Together; a mutation that these do not find is said to live. */
const TESTS_MS_MAX = 120_000;
/** These judge the source as text, or test this tool. */
const NOT_RUN = /^test\/(architecture|file-shapes|mutations)\b/;

/** Runs `npm test` once and records what each file calls. It takes longer than the tests: programs run unbundled. */
export async function recordTests(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const manifest = join(ROOT, MANIFEST);
  const isBundled = existsSync(manifest);
  // A bundle would hide in which source a function is.
  if (isBundled) renameSync(manifest, `${manifest}.unused`);
  process.env['RECORD_FUNCTIONS'] = FOLDER;
  try {
    const vitest = await startVitest('test', [], { watch: false });
    await vitest.close();
  } finally {
    delete process.env['RECORD_FUNCTIONS'];
    if (isBundled) renameSync(`${manifest}.unused`, manifest);
  }
}

export function hasRecords(): boolean {
  try {
    return readdirSync(FOLDER).length > 0;
  } catch {
    return false;
  }
}

/** A function that gives the test files of a mutation. */
export function createCoveringTests(): (mutant: Mutant) => string[] {
  const recorded = readdirSync(FOLDER)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Recorded)
    .filter(({ test, ms }) => !NOT_RUN.test(test) && ms < TESTS_MS_MAX)
    .sort((one, other) => one.ms - other.ms);
  const importers = importersOf();
  return mutant => {
    const callers = callersOf(mutant, importers);
    // Calls of long tests and of killed processes are not recorded.
    const isBeside = (test: string) => dirname(test) === `test/${dirname(mutant.file)}`;
    let ms = 0;
    const calling = recorded
      .filter(({ test, functions }) => isBeside(test) || callers.some(({ file, name }) => runs(functions[file], name)))
      .sort((one, other) => nearness(other.test, mutant.file) - nearness(one.test, mutant.file))
      .filter(test => (ms += test.ms) <= TESTS_MS_MAX)
      .map(({ test }) => test);
    return [...calling, ...LONG_TESTS.filter(isBeside)];
  };
}

/** How many folders and words of its name a test file shares with a source. */
function nearness(test: string, source: string): number {
  const parts = wordsOf(source);
  return [...wordsOf(test)].filter(part => parts.has(part)).length;
}

function wordsOf(path: string): Set<string> {
  return new Set(path.split(/[/.-]/));
}

/** Whether a function was called; without a name, any function of the file. */
function runs(functions: readonly string[] = [], name: string | undefined): boolean {
  return name === undefined ? functions.some(called => called !== '') : functions.includes(name);
}

type Called = { file: string; name: string | undefined };

/** The function that a mutation changes. A change outside of functions, or in Lua, is seen by those that import it. */
function callersOf({ file, start }: Mutant, importers: ReadonlyMap<string, readonly string[]>): Called[] {
  const anyOf = (files: readonly string[]) => files.map(one => ({ file: one, name: undefined }));
  if (file.endsWith('.lua')) return anyOf(sourceFiles('authority'));
  const name = enclosingFunction(file, start);
  return name === undefined ? anyOf([file, ...(importers.get(file) ?? [])]) : [{ file, name }];
}

function importersOf(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of importGraph(sourceFiles('')))
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  return importers;
}

/** The innermost function with a name around a place, as V8 names it. */
function enclosingFunction(file: string, place: number): string | undefined {
  const tree = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  let name: string | undefined;
  const visit = (node: ts.Node): void => {
    if (place < node.getStart(tree) || place >= node.getEnd()) return;
    if (ts.isFunctionLike(node)) name = nameOf(node) ?? name;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return name;
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text;
  if (node.name !== undefined) return `${accessOf(node)}${node.name.getText()}`;
  const { parent } = node;
  const isNamed =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  return isNamed ? parent.name.getText() : undefined;
}

function accessOf(node: ts.SignatureDeclaration): string {
  return ts.isGetAccessor(node) ? 'get ' : ts.isSetAccessor(node) ? 'set ' : '';
}
