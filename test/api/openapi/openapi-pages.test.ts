/**
 * The tables of docs/errors.md and docs/roles.md are those of the code. The pages are read from the repository; no
 * engine is needed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { may, RESOURCES, ROLES, SURFACES, type Role, type Verb } from '../../../domain/access/permission.ts';
import { REFUSALS } from '../../../domain/refusal.ts';

/** The rows of the first table of a page of docs/, cell by cell. */
function tableOf(page: string): string[][] {
  const lines = readFileSync(join(import.meta.dirname, '../../../docs', page), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| '));
  return lines.slice(1).map(line => line.slice(2, -2).split(' | '));
}

test('docs/errors.md has exactly the codes of the registry with status and title', () => {
  const rows = tableOf('errors.md');
  expect(rows.map(([code, status, title]) => [code, status, title])).toEqual(
    Object.entries(REFUSALS).map(([code, { status, title }]) => [`\`${code}\``, String(status), title]),
  );
  for (const row of rows) expect(row).toEqual([...row.slice(0, 3), expect.stringMatching(/\.$/)]);
});

test('docs/roles.md is the permission table', () => {
  const named = (text: string): readonly string[] =>
    text === 'every role' ? ROLES : text === 'nobody' ? [] : text.split(', ');
  const allowed = (resource: (typeof RESOURCES)[number], verb: Verb): readonly Role[] =>
    ROLES.filter(role => SURFACES.some(surface => may(surface, role, 'read_write', resource, verb) === undefined));
  const rows = tableOf('roles.md').map(([resource, surfaces, read, write]) => ({
    resource,
    surfaces: surfaces!.split(', '),
    read: named(read!),
    write: named(write!),
  }));
  expect(rows).toEqual(
    RESOURCES.map(resource => ({
      resource,
      surfaces: SURFACES.filter(surface => may(surface, 'owner', 'read_write', resource, 'read') === undefined),
      read: allowed(resource, 'read'),
      write: allowed(resource, 'write'),
    })),
  );
});
