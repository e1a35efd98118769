/** What the API can do and the console cannot: each operation that no page calls is named here, with the reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from './support/architecture/source-files.ts';

const SAME_IN_A_LIST = 'its list shows the same';
const FOR_MACHINES = 'a program calls it, not a person';
const LINKED = 'pages link to it by the address that its record has';
const NO_PAGE_YET = 'no page has it yet';

const UNCALLED: Record<string, string> = {
  'GET /v1/assets/{id}': SAME_IN_A_LIST,
  'GET /v1/campaigns/{id}/results': 'the campaign page reads the same from reporting',
  'GET /v1/invoices/{id}': SAME_IN_A_LIST,
  'GET /v1/invoices/{id}/pdf': LINKED,
  'GET /v1/keys/{id}': SAME_IN_A_LIST,
  'GET /v1/members/{id}': SAME_IN_A_LIST,
  'GET /v1/openapi.json': FOR_MACHINES,
  'GET /v1/payouts/statements/{month}': SAME_IN_A_LIST,
  'GET /v1/payouts/statements/{month}/{currency}/{workspace}/pdf': LINKED,
  'GET /v1/payouts/{id}': SAME_IN_A_LIST,
  'GET /v1/reporting/campaigns': 'the list of campaigns shows the same',
  'GET /v1/wallet/top-ups': 'the wallet has those on their way, and its movements the others',
  'GET /v1/wallet/top-ups/{id}': SAME_IN_A_LIST,
  'POST /v1/payments/stripe/events': FOR_MACHINES,
  'POST /v1/reporting/brand-lift/responses': FOR_MACHINES,
  'POST /v1/screens/{id}/sensor/challenge': FOR_MACHINES,
  'POST /v1/screens/{id}/sensor': FOR_MACHINES,
  'POST /v1/pairing/{code}/confirm': 'the page that a phone opens from the code on the screen calls it',
  'POST /v1/sign-up': 'the page of the site that sells the network calls it',
  'DELETE /v1/assets/{id}': NO_PAGE_YET,
  'POST /v1/assets/{id}/restore': NO_PAGE_YET,
  'DELETE /v1/screens/{id}/sensor': NO_PAGE_YET,
  'GET /v1/agency/reports': NO_PAGE_YET,
  'GET /v1/inventory': NO_PAGE_YET,
  'GET /v1/reporting/brand-lift': NO_PAGE_YET,
  'GET /v1/reporting/scans': NO_PAGE_YET,
  'GET /v1/sandbox/clock': NO_PAGE_YET,
  'POST /v1/sandbox/clock/advance': NO_PAGE_YET,
  'GET /v1/sandbox/screens': NO_PAGE_YET,
  'POST /v1/sandbox/screens': NO_PAGE_YET,
  'DELETE /v1/sandbox/screens/{id}': NO_PAGE_YET,
  'POST /v1/screens': NO_PAGE_YET,
};

const CALL = /\.(get|post|put|patch|delete)\(\s*'(\/v1\/[^']+)'/g;

function operations(): Set<string> {
  const types = readFileSync(join(ROOT, 'sdk/typescript/src/generated/openapi.d.ts'), 'utf8');
  const paths = types.slice(types.indexOf('export interface paths'), types.indexOf('export interface components'));
  const found = new Set<string>();
  let path = '';
  for (const [, opened, method] of paths.matchAll(
    /^ {4}"([^"]+)": \{|^ {8}(get|post|put|patch|delete): operations/gm,
  )) {
    if (opened !== undefined) path = opened;
    else if (path.startsWith('/v1/')) found.add(`${method!.toUpperCase()} ${path}`);
  }
  return found;
}

test('every operation of the API is called by a page of the console, or named here', () => {
  const texts = sourceFiles('web/console').map(file => readFileSync(join(ROOT, file), 'utf8'));
  const called = new Set(
    texts.flatMap(text => [...text.matchAll(CALL)].map(([, method, path]) => `${method!.toUpperCase()} ${path}`)),
  );
  const uncalled = [...operations()].filter(operation => !called.has(operation));
  expect(uncalled.sort()).toEqual(Object.keys(UNCALLED).sort());
});
