/** Which test files are run for a mutation of a file, by what they import and how they are named. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importGraph, ROOT, sourceFiles } from '../support/architecture/source-files.ts';
import { ALONE_TESTS } from '../support/vitest/alone-tests.ts';
import { LONG_TESTS } from '../support/vitest/long-tests.ts';

/** Tests that judge the source as text, start all services, or need minutes. */
const NOT_RUN = /^test\/(architecture|file-shapes|api\/openapi|bench|cli|deploy|docs|fault|flow|mutations|sdk|web)\b/;
const ENGINES = 'test/support/engines/';
/** Most mutations die in the first file. One file takes a tenth of a second, or some seconds with engines. */
const PURE_FILES_MAX = 10;
const ENGINE_FILES_MAX = 6;
/** A long test is tried last, and only one that is named for the file. */
const LONG_FILES_MAX = 1;
/** A test that starts a program needs the program's sources, as if it imported them. */
const STARTED_PROGRAM = /programOf\('([^']+)'\)/g;

/** A function that gives the test files that reach a file, nearest first, those without engines before others. */
export function createNearestTests(): (file: string) => string[] {
  const graph = importGraph(sourceFiles(''));
  const importers = new Map<string, string[]>();
  for (const [file, targets] of graph)
    for (const target of [...targets, ...programsOf(file)])
      importers.set(target, [...(importers.get(target) ?? []), file]);
  const scripts = sourceFiles('authority'); // they load the Lua files
  const withEngines = distances(sourceFiles(ENGINES), importers);
  return file => {
    const found = distances(file.endsWith('.lua') ? scripts : [file], importers);
    const far = (test: string) => found.get(test)! - commonWords(test, file);
    const nearest = [...found.keys()].filter(isRun).sort((a, b) => far(a) - far(b));
    const tests = nearest.filter(test => !LONG_TESTS.includes(test));
    return [
      ...tests.filter(test => !withEngines.has(test)).slice(0, PURE_FILES_MAX),
      ...tests.filter(test => withEngines.has(test)).slice(0, ENGINE_FILES_MAX),
      ...nearest.filter(test => LONG_TESTS.includes(test) && commonWords(test, file) > 1).slice(0, LONG_FILES_MAX),
    ];
  };
}

function programsOf(file: string): string[] {
  if (!file.startsWith('test/')) return [];
  const programs = [...readFileSync(join(ROOT, file), 'utf8').matchAll(STARTED_PROGRAM)].map(match => match[1]!);
  return programs.filter(program => existsSync(join(ROOT, program)));
}

/** By file, over how many imports it reaches one of these. */
function distances(files: readonly string[], importers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const found = new Map(files.map(file => [file, 0]));
  for (const [file, distance] of found)
    for (const importer of importers.get(file) ?? []) if (!found.has(importer)) found.set(importer, distance + 1);
  return found;
}

/** Of two paths: tests are named for what they test. */
function commonWords(test: string, file: string): number {
  const words = (path: string) => new Set(path.split(/s?[^a-z]+/)); // without the plural
  return [...words(file)].filter(word => word !== 'ts' && words(test).has(word)).length;
}

function isRun(file: string): boolean {
  return file.endsWith('.test.ts') && !NOT_RUN.test(file) && !ALONE_TESTS.includes(file);
}
