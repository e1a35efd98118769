/**
 * Every code by which the API says what is wrong with a field has a sentence in German. In English the console shows
 * the API's own sentence, without which no fault can be made. Codes are found where faults are made: pure.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { terms } from '../../../web/console/text/de/terms.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** A fault as a call or as an object with its sentence, and the table for what schemas refuse. */
const MADE = [
  /refuseField\(\s*[^,]+,\s*'([a-z_]+)'/g,
  /fault\(\w+, [^,]+, '([a-z_]+)'/g,
  /code: '([a-z_]+)',\s*detail/g,
  /CODES\[keyword\] \?\? '([a-z_]+)'/g,
];
/** The text of a fault of an upload or a warning of a forecast is in a group of its own. */
const GROUPS = ['fault', 'uploadRejection', 'forecastWarning'];
/** Shown by pages that have more to say: no screen fits a plan. */
const SAID_ELSEWHERE = new Set(['no_matching_screen']);

function codesOf(source: string): string[] {
  const table = /const CODES[^{]*\{([^}]*)\}/.exec(source)?.[1] ?? '';
  return [
    ...MADE.flatMap(pattern => [...source.matchAll(pattern)].map(found => found[1]!)),
    ...[...table.matchAll(/: '([a-z_]+)'/g)].map(found => found[1]!),
  ];
}

/** The examples of the document, what webhooks tell, and a sample of a problem make no fault. */
const NO_FAULTS = /openapi.examples|webhooks.events|openapi.problems/;
const files = ['domain', 'api', 'sql']
  .flatMap(top => readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map(file => join(top, file)))
  .filter(file => file.endsWith('.ts') && !NO_FAULTS.test(file));
const codes = [...new Set(files.flatMap(file => codesOf(readFileSync(join(ROOT, file), 'utf8'))))].sort();

test('codes are found in calls, in objects and in the table of schemas', () => {
  expect(codes).toEqual(
    expect.arrayContaining(['bad_url', 'too_many', 'reversed', 'wrong_currency', 'too_short', 'invalid']),
  );
});

test.each(codes.filter(code => !SAID_ELSEWHERE.has(code)))('%s is said in German', code => {
  expect(GROUPS.map(group => terms[`${group}.${code}`]).find(text => text !== undefined)).toBeTruthy();
});

test('no text remains for a removed code', () => {
  const said = Object.keys(terms).flatMap(name => (name.startsWith('fault.') ? [name.slice('fault.'.length)] : []));
  expect(said.filter(code => !codes.includes(code))).toEqual([]);
});
