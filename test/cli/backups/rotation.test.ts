/** Which backups stay in a folder that gets one after another. The backups are folders with a manifest. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeInTurn } from '../../../cli/backup-rotation.ts';

let into: string;
beforeEach(() => {
  into = join(mkdtempSync(join(tmpdir(), 'marquee-rotation-')), 'backups');
});
afterEach(() => rmSync(into, { recursive: true, force: true }));

function placeBackup(name: string, { whole = true } = {}): void {
  mkdirSync(join(into, name, 'postgres'), { recursive: true });
  if (whole) writeFileSync(join(into, name, 'manifest.json'), '{}');
}
async function write(out: string): Promise<{ folder: string }> {
  await mkdir(out, { recursive: true });
  writeFileSync(join(out, 'manifest.json'), '{}');
  return { folder: out };
}
const at = (iso: string): Date => new Date(iso);
const names = (): string[] => readdirSync(into).toSorted();

test('the newest complete backups stay, including the one just taken', async () => {
  for (const day of ['18', '19', '20']) placeBackup(`2026-11-${day}T031500Z`);
  const taken = await takeInTurn({ into, keep: 2, now: at('2026-11-21T03:15:00Z'), take: write });
  expect(taken).toEqual({
    folder: join(into, '2026-11-21T031500Z'),
    removed: ['2026-11-18T031500Z', '2026-11-19T031500Z'],
  });
  expect(names()).toEqual(['2026-11-20T031500Z', '2026-11-21T031500Z']);
});

test('a failed backup removes only its own files', async () => {
  for (const day of ['18', '19', '20']) placeBackup(`2026-11-${day}T031500Z`);
  const before = names();
  const take = async (out: string) => {
    await mkdir(join(out, 'postgres'), { recursive: true });
    throw new Error('no space left on the disk');
  };
  await expect(takeInTurn({ into, keep: 1, now: at('2026-11-21T03:15:00Z'), take })).rejects.toThrow('no space left');
  expect(names()).toEqual(before);
});

test('a second backup within a second leaves the complete one unchanged', async () => {
  const now = at('2026-11-21T03:15:00Z');
  await takeInTurn({ into, keep: 1, now, take: write });
  await expect(takeInTurn({ into, keep: 1, now, take: write })).rejects.toThrow('EEXIST');
  expect(names()).toEqual(['2026-11-21T031500Z']);
});

test('interrupted backups do not count and are deleted after a day; a running one stays', async () => {
  placeBackup('2026-11-18T031500Z');
  placeBackup('2026-11-19T031500Z', { whole: false });
  placeBackup('2026-11-21T030000Z', { whole: false });
  const { removed } = await takeInTurn({ into, keep: 2, now: at('2026-11-21T03:15:00Z'), take: write });
  expect(removed).toEqual(['2026-11-19T031500Z']);
  expect(names()).toEqual(['2026-11-18T031500Z', '2026-11-21T030000Z', '2026-11-21T031500Z']);
});

test('files with other names stay', async () => {
  for (const name of ['2026-11-18', 'before-the-move', '2026-11-18T031500Z-kept']) placeBackup(name);
  const { removed } = await takeInTurn({ into, keep: 1, now: at('2026-11-21T03:15:00Z'), take: write });
  expect([removed, names().length]).toEqual([[], 4]);
});
