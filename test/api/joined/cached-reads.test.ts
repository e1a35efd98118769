/**
 * Keys that are read at the same time share one query, and a value is used again for a short while. No engine is
 * needed: the test answers each query itself and moves the clock.
 */
import { expect, test } from 'vitest';
import { createCachedReads } from '../../../api/joined/cached-reads.ts';

type Query = { keys: readonly string[]; answer: () => void; fail: (error: Error) => void };

/** Reads whose queries are answered by the test, one by one; a value tells at what time its query was begun. */
function createReads() {
  const clock = { ms: 10_000 };
  const queries: Query[] = [];
  const comers: ((query: Query) => void)[] = [];
  const reads = createCachedReads<string>({
    keepMs: 1_000,
    staleMs: 2_000,
    now: () => clock.ms,
    read: keys =>
      new Promise((resolve, reject) => {
        const at = clock.ms;
        const query = { keys, answer: () => resolve(new Map(keys.map(key => [key, `${key}@${at}`]))), fail: reject };
        queries.push(query);
        comers.shift()?.(query);
      }),
  });
  const nextQuery = () =>
    new Promise<Query>(resolve => {
      comers.push(resolve);
    });
  return { clock, queries, reads, nextQuery };
}

test('keys requested together share a query, and callers of one key share its answer', async () => {
  const { reads, queries, nextQuery } = createReads();
  const asked = Promise.all([reads.get('a'), reads.get('b'), reads.get('a')]);
  (await nextQuery()).answer();
  expect(await asked).toEqual(['a@10000', 'b@10000', 'a@10000']);
  expect(queries.map(query => query.keys)).toEqual([['a', 'b']]);
});

test('keys requested while two queries run wait together for the next query', async () => {
  const { reads, queries, nextQuery } = createReads();
  const early = reads.get('a');
  const first = await nextQuery();
  const other = reads.get('b');
  const second = await nextQuery();
  const late = Promise.all([reads.get('c'), reads.get('d')]);
  const third = nextQuery();
  first.answer();
  expect(await early).toBe('a@10000');
  expect((await third).keys).toEqual(['c', 'd']);
  second.answer();
  (await third).answer();
  expect(await Promise.all([other, late])).toEqual(['b@10000', ['c@10000', 'd@10000']]);
  expect(queries).toHaveLength(3);
});

test('a value is fresh for a second, served once more while it is refreshed, and waited for after two seconds', async () => {
  const { clock, reads, queries, nextQuery } = createReads();
  const first = reads.get('a');
  (await nextQuery()).answer();
  await first;
  clock.ms = 10_999;
  expect(await reads.get('a')).toBe('a@10000');
  expect(queries).toHaveLength(1);
  clock.ms = 11_000;
  expect(await reads.get('a')).toBe('a@10000');
  const refresh = await nextQuery();
  clock.ms = 12_000;
  const waited = reads.get('a');
  refresh.answer();
  expect(await waited).toBe('a@11000');
});

test('a key that is refreshed while another query runs waits for the query of the next second', async () => {
  const { clock, reads, nextQuery } = createReads();
  const first = Promise.all([reads.get('a'), reads.get('b')]);
  (await nextQuery()).answer();
  await first;
  clock.ms = 11_000;
  await reads.get('a');
  const second = await nextQuery();
  const startedAt = performance.now();
  await reads.get('b');
  const third = nextQuery();
  second.answer();
  expect((await third).keys).toEqual(['b']);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
});

test('a clock that is set back makes no value fresh again', async () => {
  const { clock, reads, nextQuery } = createReads();
  const first = reads.get('a');
  (await nextQuery()).answer();
  await first;
  clock.ms = 0;
  const again = reads.get('a');
  (await nextQuery()).answer();
  expect(await again).toBe('a@0');
});

test('a failed query fails its own callers, not those served an older value; the next caller retries', async () => {
  const { clock, reads, nextQuery } = createReads();
  const failed = reads.get('a').then(
    () => 'answered',
    (error: Error) => error.message,
  );
  (await nextQuery()).fail(new Error('away'));
  expect(await failed).toBe('away');
  const again = reads.get('a');
  (await nextQuery()).answer();
  expect(await again).toBe('a@10000');
  clock.ms = 11_500;
  expect(await reads.get('a')).toBe('a@10000');
  (await nextQuery()).fail(new Error('away'));
  expect(await reads.get('a')).toBe('a@10000');
});

test('a key requested in the last half minute is refreshed with every query once it is a second old', async () => {
  const { clock, reads, nextQuery } = createReads();
  const first = reads.get('a');
  (await nextQuery()).answer();
  await first;
  clock.ms = 10_500;
  const early = reads.get('b');
  const young = await nextQuery();
  expect(young.keys).toEqual(['b']);
  young.answer();
  await early;
  clock.ms = 13_000;
  const late = reads.get('c');
  const refresh = await nextQuery();
  expect(refresh.keys).toEqual(['c', 'a', 'b']);
  refresh.answer();
  await late;
  expect(await reads.get('a')).toBe('a@13000');
  clock.ms = 43_000;
  void reads.get('d');
  const forgetting = await nextQuery();
  expect(forgetting.keys).toEqual(['d']);
  forgetting.answer();
});

test('the later of two queries of one key sets its value', async () => {
  const { clock, reads, nextQuery } = createReads();
  const first = reads.get('a');
  (await nextQuery()).answer();
  await first;
  clock.ms = 11_000;
  const other = reads.get('b');
  const slow = await nextQuery();
  clock.ms = 12_000;
  const again = reads.get('a');
  const quick = await nextQuery();
  expect([slow.keys, quick.keys]).toEqual([['b', 'a'], ['a']]);
  quick.answer();
  expect(await again).toBe('a@12000');
  slow.answer();
  await other;
  expect(await reads.get('a')).toBe('a@12000');
});
