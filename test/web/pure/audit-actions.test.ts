/**
 * Every action that is written into the audit log has words in German. In English its name is read as words. Actions
 * are found where they are written: pure.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { terms } from '../../../web/console/text/de-terms.ts';

const ROOT = join(import.meta.dirname, '../../..');
const files = ['api', 'cli', 'sql', 'workers']
  .flatMap(top => readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map(file => join(top, file)))
  .filter(file => file.endsWith('.ts') && !file.includes('openapi/examples'));
const actions = [
  ...new Set(
    files.flatMap(file =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/action: '([a-z_]+\.[a-z_]+)'/g)].map(found => found[1]!),
    ),
  ),
].sort();

test('actions are found', () => {
  expect(actions).toEqual(expect.arrayContaining(['campaign.paused', 'wallet.topped_up', 'screen.paired']));
});

test.each(actions)('%s is said in German', action => {
  expect(action.split('.').map(part => terms[`action.${part}`] ?? `nothing for ${part}`)).toEqual(
    expect.not.arrayContaining([expect.stringContaining('nothing for')]),
  );
});
