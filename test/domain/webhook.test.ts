/**
 * When a webhook is tried again, when an endpoint is given up, and which events there are. Pure rules, by examples.
 */
import * as fc from 'fast-check';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ATTEMPT_OFFSETS_MS,
  attemptsAtOnce,
  AUDIBLE,
  CLIENT_ERRORS_MAX,
  countClientErrors,
  EVENT_TYPES,
  isSuccess,
  mayHear,
  nextAttemptAt,
  thinData,
} from '../../domain/webhook.ts';

const FIRST = Date.UTC(2026, 0, 1);

describe('attempts', () => {
  test('are made 30 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h and 24 h after the first one, and not again', () => {
    const times = [FIRST];
    for (let at: number | undefined = FIRST; at !== undefined;) {
      at = nextAttemptAt({ attempts: times.length, first: FIRST, last: at });
      if (at !== undefined) times.push(at);
    }
    expect(times.map(at => (at - FIRST) / 1_000)).toEqual([0, 30, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]);
  });

  test('delayed by a stop never follow each other at once, and never come early', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: ATTEMPT_OFFSETS_MS.length - 1 }),
        fc.integer({ min: 0, max: 1e9 }),
        (attempts, lateMs) => {
          const last = FIRST + lateMs;
          const next = nextAttemptAt({ attempts, first: FIRST, last })!;
          expect(next).toBeGreaterThanOrEqual(FIRST + ATTEMPT_OFFSETS_MS[attempts]!);
          expect(next).toBeGreaterThanOrEqual(last + 15_000);
        },
      ),
    );
  });
});

describe('answers of 4xx in a row', () => {
  test.each<[string, Parameters<typeof countClientErrors>[1], number]>([
    ['400', { status: 400 }, 6],
    ['404', { status: 404 }, 6],
    ['499', { status: 499 }, 6],
    ['200 resets', { status: 200 }, 0],
    ['299 resets', { status: 299 }, 0],
    ['301 is neither', { status: 301 }, 5],
    ['500 is neither', { status: 500 }, 5],
    ['a timeout is neither', { error: 'timeout' }, 5],
  ])('%s', (_name, outcome, count) => {
    expect(countClientErrors(5, outcome)).toBe(count);
    expect(isSuccess(outcome)).toBe(count === 0);
  });

  test('can never exceed 24 with concurrent attempts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: CLIENT_ERRORS_MAX }),
        fc.integer({ min: 1, max: 64 }),
        (before, concurrency) => {
          let count = before;
          for (let underWay = attemptsAtOnce(concurrency, count); underWay > 0; underWay -= 1)
            count = countClientErrors(count, { status: 410 });
          expect(count).toBeLessThanOrEqual(CLIENT_ERRORS_MAX);
        },
      ),
    );
    expect(attemptsAtOnce(8, CLIENT_ERRORS_MAX)).toBe(0);
  });
});

describe('the table of events', () => {
  test('holds the types of the interface, each once', () => {
    const specification = readFileSync(resolve(import.meta.dirname, '../../docs/interface-specification.md'), 'utf8');
    const section = specification.slice(specification.indexOf('## 6. Events'), specification.indexOf('## 7. Errors'));
    const named = [...section.matchAll(/^\| \w+ \| (.+) \|$/gm)].flatMap(([, types]) =>
      types!.split(', ').map(type => type.split(' ')[0]!),
    );
    expect([...EVENT_TYPES].sort()).toEqual(named.filter(type => type.includes('.')).sort());
    expect(EVENT_TYPES.length).toBeGreaterThanOrEqual(20);
  });

  test('knows every type that the code emits', () => {
    const root = resolve(import.meta.dirname, '../..');
    const sources = (folder: string): string[] =>
      readdirSync(join(root, folder)).flatMap(name => {
        const path = `${folder}/${name}`;
        return statSync(join(root, path)).isDirectory()
          ? sources(path)
          : path.endsWith('.ts')
            ? [readFileSync(join(root, path), 'utf8')]
            : [];
      });
    const emitted = ['api', 'ingest', 'workers', 'cli', 'sql', 'delivery']
      .flatMap(folder => sources(folder))
      .flatMap(text => [...text.matchAll(/emit\(\{[^}]*?type: '([^']+)'/g)].map(match => match[1]!));
    expect(emitted.length).toBeGreaterThanOrEqual(4);
    expect(emitted.filter(type => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
  });

  test('lets a key subscribe to events that it may read', () => {
    expect(mayHear('ads_manager', 'campaign.created')).toBe(true);
    expect(mayHear('ads_manager', 'screen.online')).toBe(false);
    expect(mayHear('screen_manager', 'scan.recorded')).toBe(false);
    expect(mayHear('screen_manager', 'payout.paid')).toBe(true);
    expect(mayHear('operator', 'audit.entry.created')).toBe(false);
    expect(AUDIBLE.filter(pair => pair.type === 'audit.entry.created')).toHaveLength(3);
  });
});

test("data that are too large are reduced to the record's id", () => {
  expect(thinData({ object: { id: 'cmp_1', name: 'x'.repeat(30_000) }, previous: {} })).toEqual({
    object: { id: 'cmp_1' },
    truncated: true,
  });
  expect(thinData({})).toEqual({ object: {}, truncated: true });
});
