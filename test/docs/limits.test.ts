/** The documents say of each narrower limit of a key what the API allows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NARROW_MAX } from '../../api/rate-limit/rate-limit.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const limits = Object.entries(NARROW_MAX).map(([bucket, max]) => [bucket.replaceAll('_', ' '), max] as const);

test.each(limits)('%s: %i a minute, in each place that mentions it', (name, max) => {
  expect(read('docs/api/limits.md')).toMatch(new RegExp(`^\\|[^|]*${name}[^|]*\\| ${max} a minute`, 'im'));
  expect(read('docs/interface-specification.md')).toMatch(new RegExp(`^\\| ${name} \\| ${max} per minute`, 'im'));
  expect(read('api/openapi/openapi.ts')).toMatch(new RegExp(`${max} per minute for [^.;]*${name}`));
});
