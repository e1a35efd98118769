/** Files that are written as a whole or not at all. Real files in a temporary folder. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDurably, replaceDurably } from '#runtime/durable-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-durable-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file is created once, with its mode, and nothing else remains', () => {
  const path = join(folder, 'secret');
  expect(createDurably({ path, text: 'one', mode: 0o600 })).toBe(true);
  expect(createDurably({ path, text: 'two', mode: 0o600 })).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('one');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret']);
});

test('a file is replaced as a whole', () => {
  const path = join(folder, 'state');
  replaceDurably({ path, text: 'a long text', mode: 0o600 });
  replaceDurably({ path, text: 'short', mode: 0o600 });
  expect(readFileSync(path, 'utf8')).toBe('short');
  expect(readdirSync(folder)).toEqual(['state']);
});
