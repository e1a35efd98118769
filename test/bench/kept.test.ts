/**
 * Kept runs: what is written of a run, what may not be kept and why, when a figure is worse than before, and that the
 * documents show what the history has. Figures made here; files in a folder of the test.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runDecide } from '../../bench/delivery/decide.ts';
import { compare, runBefore } from '../../bench/kept/comparison.ts';
import { historyText, keepRun, keptBenches, readRuns } from '../../bench/kept/history.ts';
import {
  type KeptFigure,
  type KeptRun,
  keptRunOf,
  type Probes,
  refusalOf,
  refusalOfLength,
  refusalOfTree,
} from '../../bench/kept/kept-run.ts';
import { keptTable, PAGES, shortTable, withKeptTable } from '../../bench/kept/page.ts';
import { figureOf, type Pair } from '../../bench/protocol.ts';

const STEADY = { before: 1_500, after: 1_490 };
const PLACE = {
  commit: 'abcdef12',
  machine: 'EPYC, 2 cores, 23 GiB',
  system: 'Linux 6.18',
  node: '20.20.2',
  load: 0.1,
};
const LENGTH = { pairs: 5, forSeconds: 30 };
const folder = mkdtempSync(join(tmpdir(), 'marquee-kept-'));
afterAll(() => rmSync(folder, { recursive: true }));

type RunOptions = { probes?: Probes; hasReference?: boolean; measured?: number };

/** A run whose reference did so much work per CPU-second in each of its pairs, and ours half of it. */
function runOf(
  references: readonly number[],
  { probes = STEADY, hasReference = true, measured = references.length }: RunOptions = {},
): KeptRun {
  const pairs = references.map((rate): Pair => {
    const sample = (amount: number) => ({ amount, seconds: 30, cpuSeconds: 30, busySeconds: 30 });
    return { reference: sample(rate * 30), ours: sample((rate / 2) * 30), measured };
  });
  const figure = figureOf({ bench: 'ingest', figure: 'G7', unit: 'plays/CPU-s', goal: 0.4, details: {} }, pairs);
  if (!hasReference) delete figure.referenceMoved;
  return keptRunOf({ bench: 'ingest', figures: [figure], length: LENGTH, probes, place: PLACE, date: new Date(0) });
}

function withRatio(run: KeptRun, ratio: KeptFigure['ratio'], better: 'more' | 'less' = 'more'): KeptRun {
  return { ...run, figures: run.figures.map(figure => ({ ...figure, ratio, better })) };
}

describe('a kept run', () => {
  test('says where and when it was, and of each figure the median, the least and the most of its pairs', () => {
    expect(runOf([1_000, 1_040, 1_020, 1_010, 1_030])).toEqual({
      bench: 'ingest',
      date: '1970-01-01',
      ...PLACE,
      pairs: 5,
      seconds: 30,
      moved: { reference: 'the reference of G7, plays/CPU-s', by: 0.04 },
      quiet: true,
      figures: [
        {
          figure: 'G7',
          unit: 'plays/CPU-s',
          ours: { median: 510, min: 500, max: 520 },
          reference: { median: 1_020, min: 1_000, max: 1_040 },
          ratio: { median: 0.5, min: 0.5, max: 0.5 },
          goal: 0.4,
          met: true,
          better: 'more',
        },
      ],
    });
  });

  test('is refused when its reference moved by more than a tenth, with the name of that reference and how far', () => {
    expect(refusalOf(runOf([1_000, 1_100]))).toBeUndefined();
    expect(refusalOf(runOf([1_000, 1_101]))).toBe(
      'ingest: not kept: the machine was not quiet: the reference of G7, plays/CPU-s moved by 10.1%, and 10.0% is the most',
    );
  });

  test('is refused when the machine was slower at its end and a figure has no reference', () => {
    const slower = { before: 1_500, after: 1_250 };
    expect(refusalOf(runOf([1_000, 1_000], { probes: slower }))).toBeUndefined();
    expect(refusalOf(runOf([1_000, 1_000], { probes: slower, hasReference: false }))).toContain(
      'the probe of the machine (SHA-256 by the clock) moved by 20.0%',
    );
  });

  test('says how many pairs were left out', () => {
    const pairs = runOf([1_000, 1_010], { measured: 5 });
    expect(pairs.left_out).toBe(3);
    expect(runOf([1_000, 1_010])).not.toHaveProperty('left_out');
  });

  test('is refused when the tree differs from its commit, with what differs', () => {
    expect(refusalOfTree({ commit: 'abcdef12', changed: [] })).toBeUndefined();
    expect(refusalOfTree({ commit: 'abcdef12', changed: [' M delivery/main.ts'] })).toMatch(
      /differs from abcdef12.*\n M delivery\/main\.ts/,
    );
  });

  test('is refused when it is shorter than its benchmark asks for', () => {
    expect(refusalOfLength('ingest', LENGTH)).toBeUndefined();
    expect(refusalOfLength('ingest', { pairs: 4, forSeconds: 30 })).toContain('--pairs 5 --for 30 at least');
    expect(refusalOfLength('soak', { pairs: 1, forSeconds: 1_800 }, { pairs: 1, forSeconds: 1_800 })).toBeUndefined();
  });

  test('of a real benchmark has a line of its own for each mix and size', async () => {
    const figures = await runDecide({ forSeconds: 0.05, pairs: 1, say: () => undefined }, [20, 40]);
    const run = keptRunOf({
      bench: 'decide',
      figures,
      length: { pairs: 1, forSeconds: 1 },
      probes: STEADY,
      place: PLACE,
      date: new Date(0),
    });
    const names = compare(run, undefined).map(({ name }) => name);
    expect(new Set(names).size).toBe(figures.length);
  });
});

describe('a figure is worse beyond the noise', () => {
  const before = withRatio(runOf([1_000]), { median: 0.5, min: 0.45, max: 0.55 });
  const spread = (median: number, min: number, max: number) => ({ median, min, max });

  test.each<[string, KeptFigure['ratio'], boolean]>([
    ['by more than a tenth, and no pair is as good as the worst before', spread(0.4, 0.38, 0.44), true],
    ['not by a tenth, though no pair is as good', spread(0.451, 0.44, 0.449), false],
    ['not where a pair is as good as the worst before', spread(0.4, 0.38, 0.45), false],
    ['not where it is better', spread(0.8, 0.7, 0.9), false],
  ])('%s', (_, ratio, isWorse) => {
    expect(compare(withRatio(before, ratio), before).map(change => change.isWorse)).toEqual([isWorse]);
  });

  test('the other way round where less is better', () => {
    const less = withRatio(before, before.figures[0]!.ratio, 'less');
    const isWorse = (ratio: KeptFigure['ratio']) => compare(withRatio(before, ratio, 'less'), less)[0]!.isWorse;
    expect([isWorse(spread(0.8, 0.7, 0.9)), isWorse(spread(0.4, 0.38, 0.44))]).toEqual([true, false]);
  });

  test('only against a run of the same machine', () => {
    const other = { ...before, machine: 'M4, 10 cores, 32 GiB' };
    const [first, second] = [{ ...before }, { ...before }];
    expect(runBefore(second, [first, other, second])).toBe(first);
    expect(runBefore(other, [first, other, second])).toBeUndefined();
  });
});

describe('the history', () => {
  test('has a line for each run, oldest first, and prints the last one with its change', () => {
    const first = runOf([1_000]);
    const second = { ...withRatio(first, { median: 0.4, min: 0.4, max: 0.4 }), commit: '12345678' };
    keepRun(first, folder);
    keepRun(second, folder);
    expect(keptBenches(folder)).toEqual(['ingest']);
    expect(readRuns('ingest', folder)).toEqual([first, second]);
    expect(readFileSync(join(folder, 'ingest.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(2);
    expect(historyText('ingest', folder)).toMatch(
      /12345678, 5 x 30 s.*against 1970-01-01, abcdef12\n.*ratio 0\.4; goal 0\.4; -20\.0%; WORSE/,
    );
    expect(keptTable(folder)).toContain(
      '| `ingest` | G7, plays/CPU-s | 500 | 1,000 | 0.4 | 0.4 | -20.0% | 12345678, 1970-01-01 |',
    );
    expect(shortTable(folder)).toMatch(/direct insert of their rows \| 500 \| 1,000 \| `npm run bench -- ingest` \|\n/);
  });

  test('of no run says so', () => {
    expect(historyText('decide', join(folder, 'none'))).toBe('decide: no run is kept\n');
  });

  test('is what the documents show', () => {
    for (const { path, tableOf } of PAGES) {
      const page = readFileSync(path, 'utf8');
      expect(page).toBe(withKeptTable(page, tableOf()));
    }
  });
});
