/**
 * Every action that is written into the audit log has words in German, and so has every field. In English their names
 * are read as words. Both are found where they are written: pure.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspace } from '../../../web/console/text/de/workspace.ts';
import { terms } from '../../../web/console/text/de/terms.ts';

const ROOT = join(import.meta.dirname, '../../..');
const files = ['api', 'cli', 'sql', 'workers']
  .flatMap(top => readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map(file => join(top, file)))
  .filter(file => file.endsWith('.ts') && !file.includes('openapi/examples'));
const found = (pattern: RegExp): string[] =>
  [
    ...new Set(
      files.flatMap(file => [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(match => match[1]!)),
    ),
  ].sort();
const actions = found(/action: '([a-z_]+\.[a-z_]+)'/g);
/** Of fields that are written one by one. Those of whole records are read as words where German has none for them. */
const fields = found(/\b([a-z_]+): \{ from\b/g)
  .map(field => field.replace(/_micros$/, ''))
  // Of ClickHouse, mails and XML: no fields of the log.
  .filter(field => !['query_params', 'envelope', 'period'].includes(field));

test('actions and fields are found', () => {
  expect(fields).toEqual(expect.arrayContaining(['status', 'archived_at']));
  expect(actions).toEqual(expect.arrayContaining(['campaign.paused', 'wallet.topped_up', 'screen.paired']));
});

test.each(actions)('%s has a German text', action => {
  expect(action.split('.').map(part => terms[`action.${part}`] ?? `nothing for ${part}`)).toEqual(
    expect.not.arrayContaining([expect.stringContaining('nothing for')]),
  );
});

test.each(fields)('the field %s has a German text', field => {
  const isSaid = Object.hasOwn(terms, `auditField.${field}`) || Object.hasOwn(workspace, `auditField.${field}`);
  expect([field, isSaid]).toEqual([field, true]);
});
