/** The page of the operator's tool is the tool's own help. `-u` writes it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminPage } from '../../cli/release/admin-page.ts';
import { ROOT } from '../support/architecture/source-files.ts';

test("the page of the operator's tool has every command with its options", async () => {
  await expect(adminPage()).toMatchFileSnapshot(join(ROOT, 'docs/operate/admin.md'));
});
