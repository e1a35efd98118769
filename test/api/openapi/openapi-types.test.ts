/**
 * The generated types of sdk/typescript/src/generated are those of today's OpenAPI document. The document is made
 * without engines.
 */
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { documentOffline } from '../../../api/openapi/offline.ts';

test('the generated types are those of the document (renew them with vitest -u)', async () => {
  // Without examples, which say nothing to a compiler.
  const text = JSON.stringify(await documentOffline(), (key, value: unknown) =>
    key === 'example' ? undefined : value,
  );
  const types = astToString(await openapiTS(text));
  await expect(
    `// Made from the OpenAPI document by test/api/openapi/openapi-types.test.ts; renew it with vitest -u.\n${types}`,
  ).toMatchFileSnapshot('../../../sdk/typescript/src/generated/openapi.d.ts');
}, 60_000);
