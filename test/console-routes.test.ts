/** The operations of the API that no page of the console calls, each with its reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operationsOf } from '../api/openapi/document.ts';
import { documentOffline } from '../api/openapi/offline.ts';
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
  'GET /v1/invoices/{id}/proof': NO_PAGE_YET,
  'GET /v1/keys/{id}': SAME_IN_A_LIST,
  'GET /v1/members/{id}': SAME_IN_A_LIST,
  'GET /v1/openapi.json': FOR_MACHINES,
  'GET /v1/payouts/statements/{month}': SAME_IN_A_LIST,
  'GET /v1/payouts/statements/{month}/{currency}/{workspace}/pdf': LINKED,
  'GET /v1/payouts/{id}': SAME_IN_A_LIST,
  'GET /v1/proof-keys': FOR_MACHINES,
  'GET /v1/reporting/campaigns': 'the list of campaigns shows the same',
  'GET /v1/wallet/top-ups': 'the wallet has those on their way, and its movements the others',
  'GET /v1/wallet/top-ups/{id}': SAME_IN_A_LIST,
  'POST /v1/payments/stripe/events': FOR_MACHINES,
  'POST /v1/reporting/brand-lift/responses': FOR_MACHINES,
  'POST /v1/screens/{id}/sensor/challenge': FOR_MACHINES,
  'POST /v1/screens/{id}/sensor': FOR_MACHINES,
  'POST /v1/pairing/{code}/confirm': 'the screen that is paired calls it',
  'POST /v1/sign-up': NO_PAGE_YET,
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

test('every operation of the API is called by a page of the console, or named here', async () => {
  const texts = sourceFiles('web/console').map(file => readFileSync(join(ROOT, file), 'utf8'));
  const called = new Set(
    texts.flatMap(text => [...text.matchAll(CALL)].map(([, method, path]) => `${method!.toUpperCase()} ${path}`)),
  );
  const operations = operationsOf(await documentOffline()).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const uncalled = operations.filter(operation => operation.includes(' /v1/') && !called.has(operation));
  expect(uncalled.sort()).toEqual(Object.keys(UNCALLED).sort());
});
