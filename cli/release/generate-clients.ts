/**
 * `npm run generate`: writes the parts of the SDKs that follow from the OpenAPI document, for TypeScript and Python.
 * The document is made without engines. `npm ci` runs it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { documentOffline } from '../../api/offline.ts';
import { type OpenApiDocument, pythonClientOf } from './python-client.ts';

const ROOT = join(import.meta.dirname, '../..');
const PYTHON = 'sdk/python/marquee/generated';

const document = JSON.stringify(await documentOffline());
// Without examples, which say nothing to a compiler.
const withoutExamples = JSON.stringify(JSON.parse(document), (key, value: unknown) =>
  key === 'example' ? undefined : value,
);
const { types, operations } = pythonClientOf(JSON.parse(document) as OpenApiDocument);
const files = {
  'sdk/typescript/src/generated/openapi.d.ts': astToString(await openapiTS(withoutExamples)),
  [`${PYTHON}/__init__.py`]: '',
  [`${PYTHON}/types.py`]: types,
  [`${PYTHON}/operations.py`]: operations,
};
for (const [file, text] of Object.entries(files)) {
  const path = join(ROOT, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
