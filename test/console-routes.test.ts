/** The operations of the API that no page of the console calls, each with its reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operationsOf } from '../api/openapi/document.ts';
import { documentOffline } from '../api/offline.ts';
import { ROOT, sourceFiles } from './support/architecture/source-files.ts';

const SAME_IN_A_LIST = 'its list shows the same';
const FOR_MACHINES = 'a program calls it, not a person';
const LINKED = 'pages link to it by the address that its record has';

const UNCALLED: Record<string, string> = {
  'GET /v1/assets/{id}': SAME_IN_A_LIST,
  'GET /v1/campaigns/{id}/results': 'the campaign page reads the same from reporting',
  'GET /v1/invoices/{id}/pdf': LINKED,
  'GET /v1/invoices/{id}/proof': FOR_MACHINES,
  'GET /v1/keys/{id}': SAME_IN_A_LIST,
  'GET /v1/members/{id}': SAME_IN_A_LIST,
  'GET /v1/openapi.json': FOR_MACHINES,
  'GET /v1/payouts/statements/{month}': SAME_IN_A_LIST,
  'GET /v1/payouts/statements/{month}/{currency}/{workspace}/pdf': LINKED,
  'GET /v1/payouts/{id}': SAME_IN_A_LIST,
  'GET /v1/proof-keys': FOR_MACHINES,
  'GET /v1/wallet/top-ups': 'the wallet has those on their way, and its movements the others',
  'GET /v1/wallet/top-ups/{id}': SAME_IN_A_LIST,
  'POST /v1/payments/stripe/events': FOR_MACHINES,
  'POST /v1/reporting/brand-lift/responses': FOR_MACHINES,
  'POST /v1/screens/{id}/sensor/challenge': FOR_MACHINES,
  'POST /v1/screens/{id}/sensor': FOR_MACHINES,
  'POST /v1/pairing/{code}/confirm': 'the screen that is paired calls it',
};

/** `xml` reads the file of a record. */
const CALL = /\.(get|xml|post|put|patch|delete)\(\s*'(\/v1\/[^']+)'/g;

test('every API operation is called by a console page or listed here', async () => {
  const texts = sourceFiles('web/console').map(file => readFileSync(join(ROOT, file), 'utf8'));
  const called = new Set(
    texts.flatMap(text =>
      [...text.matchAll(CALL)].map(([, method, path]) => `${method!.replace('xml', 'get').toUpperCase()} ${path}`),
    ),
  );
  const operations = operationsOf(await documentOffline()).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const uncalled = operations.filter(operation => operation.includes(' /v1/') && !called.has(operation));
  expect(uncalled.sort()).toEqual(Object.keys(UNCALLED).sort());
});
