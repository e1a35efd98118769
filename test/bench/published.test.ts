/**
 * Published runs: what is written of a run, that a busy host marks it, and that the documents show the results. Figures
 * made here, in a folder of the test.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Figure, figureOf, type Pair, partOf } from '../../bench/protocol.ts';
import { measureSpeed } from '../../bench/published/host.ts';
import { fullTable, PAGES, shortTable, withTable } from '../../bench/published/page.ts';
import { readResults, writeResult } from '../../bench/published/results.ts';
import { type PublishedRun, publishedRunOf } from '../../bench/published/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-results-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SPEED = { hash_mb_per_second: 1_500, copy_gb_per_second: 9.5, load: 0.1 };
const HOST = { machine: 'EPYC, 2 cores, 23 GiB', system: 'Linux 6.18', node: '22.23.1' };

/** A run whose reference did so much work per CPU-second in each of its pairs, and ours half of it. */
function runOf(references: readonly number[], hashAfter = 1_490): PublishedRun {
  return publishedRunOf({
    bench: 'ingest',
    figures: [figureOfRates(references)],
    length: { pairs: references.length, forSeconds: 6 },
    host: HOST,
    speed: { before: SPEED, after: { ...SPEED, hash_mb_per_second: hashAfter } },
    commit: 'abcdef12',
    date: new Date(0),
  });
}

function figureOfRates(references: readonly number[]): Figure {
  const pairs = references.map((rate): Pair => {
    const sample = (amount: number) => ({ amount, seconds: 30, cpuSeconds: 30, busySeconds: 30 });
    return { reference: sample(rate * 30), ours: sample((rate / 2) * 30) };
  });
  return figureOf({ bench: 'ingest', figure: 'G7', unit: 'plays/CPU-s', goal: 0.5, details: {} }, pairs);
}

describe('a published run', () => {
  test('has the median, minimum and maximum of ours, the reference and their ratio', () => {
    expect(runOf([1_000, 1_040, 1_020])).toEqual({
      bench: 'ingest',
      commit: 'abcdef12',
      date: '1970-01-01',
      ...HOST,
      pairs: 3,
      seconds: 6,
      speed: { before: SPEED, after: { ...SPEED, hash_mb_per_second: 1_490 } },
      figures: [
        {
          figure: 'G7',
          unit: 'plays/CPU-s',
          ours: { median: 510, min: 500, max: 520 },
          reference: { median: 1_020, min: 1_000, max: 1_040 },
          ratio: { median: 0.5, min: 0.5, max: 0.5 },
          goal: 0.5,
          met: true,
          better: 'more',
        },
      ],
    });
  });

  test.each([
    ['its reference moved by more than a tenth', [1_000, 1_200], 1_490, 'the reference of G7 moved by 20%'],
    ['its host became slower by more than a tenth', [1_000, 1_010], 1_000, 'the speed of the host moved by 50%'],
  ])('is marked if %s', (_, references, hashAfter, busy) => {
    expect(runOf(references, hashAfter)).toMatchObject({ busy });
  });

  test('is read as written, and only the last one counts', () => {
    writeResult(runOf([500]), folder);
    writeResult(runOf([1_000]), folder);
    expect(readResults(folder)).toEqual([runOf([1_000])]);
  });
});

test('a figure compared with our own code has no reference, and states its share of the other rate', () => {
  expect(partOf(figureOfRates([1_000, 1_200]), 'of the other rate')).toMatchObject({
    unit: 'of the other rate',
    ours: 0.5,
    reference: null,
    ratio: null,
    samples: { ours: [0.5, 0.5] },
  });
});

test('the speed of a host is measured in megabytes and gigabytes a second', () => {
  const { hash_mb_per_second: hash, copy_gb_per_second: copy, load } = measureSpeed(1024 * 1024);
  expect(hash).toBeGreaterThan(10);
  expect(copy).toBeGreaterThan(0.1);
  expect(load).toBeGreaterThanOrEqual(0);
});

describe('the documents', () => {
  test('show each figure with its reference, ratio, goal, commit and the speed of the host', () => {
    const table = fullTable([runOf([1_000, 1_200])]);
    expect(table).toContain(
      '| `ingest` G7 | plays/CPU-s | 550 (500 to 600) | 1,100 (1,000 to 1,200) | 0.5 | at least 0.5 | met, busy host | abcdef12, 1970-01-01 |',
    );
    expect(table).toContain('Node 22.23.1: SHA-256 at 1,490 to 1,500 MB a second, a copy of memory at 9.5 to 9.5 GB');
    expect(table).toContain('- `ingest` ran on a busy host: the reference of G7 moved by 20%.');
  });

  test('show a missed goal as missed', () => {
    const run = runOf([1_000]);
    const missed = { ...run, figures: run.figures.map(figure => ({ ...figure, goal: 0.7, met: false })) };
    expect(fullTable([missed])).toContain('| at least 0.7 | **missed** |');
    expect(shortTable([missed])).toContain('| at least 0.7, **missed** |');
  });

  test('say so if nothing was published', () => {
    expect([fullTable([]), shortTable([])]).toEqual(Array(2).fill('No run has been published yet.'));
  });

  test.each(PAGES)('have the figures from the results: $path', ({ path, tableOf }) => {
    const page = readFileSync(path, 'utf8');
    expect(withTable(page, tableOf())).toBe(page);
  });
});
