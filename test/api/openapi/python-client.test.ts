/**
 * The generated files of sdk/python are those of today's OpenAPI document. The document is made without engines.
 */
import { expect, test } from 'vitest';
import { documentOffline } from '../../../api/openapi/offline.ts';
import { pythonClientOf, type OpenApiDocument } from '../../../cli/release/python-client.ts';

const FOLDER = '../../../sdk/python/marquee/generated';

test('the generated shapes and calls for Python are those of the document (renew them with vitest -u)', async () => {
  const document = JSON.parse(JSON.stringify(await documentOffline())) as OpenApiDocument;
  const { types, operations } = pythonClientOf(document);
  await expect(types).toMatchFileSnapshot(`${FOLDER}/types.py`);
  await expect(operations).toMatchFileSnapshot(`${FOLDER}/operations.py`);
}, 60_000);
