/**
 * Reads that are joined into one statement: who shares it, who waits for the next, and what a fault of it fails. The
 * test answers the statements itself; no engine.
 */
import { expect, test } from 'vitest';
import { createJoinedReads } from '../../../api/joined/joined-reads.ts';

type Statement = { keys: readonly string[]; answer: (values?: Record<string, string>) => void; fail: () => void };

/** Reads whose statements are answered by the test, one by one. */
function createReads() {
  const statements: Statement[] = [];
  const comers: ((statement: Statement) => void)[] = [];
  const reads = createJoinedReads<string, string>({
    keysMax: 3,
    read: keys =>
      new Promise((resolve, reject) => {
        const statement: Statement = {
          keys,
          answer: (values = Object.fromEntries(keys.map(key => [key, key]))) =>
            resolve(new Map(Object.entries(values))),
          fail: () => reject(new Error('Postgres is away')),
        };
        statements.push(statement);
        comers.shift()?.(statement);
      }),
  });
  const nextStatement = () =>
    new Promise<Statement>(resolve => {
      comers.push(resolve);
    });
  return { reads, statements, nextStatement };
}

test('the keys of one turn share a statement, and missing rows are undefined', async () => {
  const { reads, statements, nextStatement } = createReads();
  const values = Promise.all([reads.get('a'), reads.get('b'), reads.get('a'), reads.get('c')]);
  (await nextStatement()).answer({ a: 'A', b: 'B' });
  expect(await values).toEqual(['A', 'B', 'A', undefined]);
  expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']]);
});

test('a caller is not answered by a statement that began before it asked', async () => {
  const { reads, nextStatement } = createReads();
  const before = reads.get('a');
  const first = await nextStatement();
  const after = reads.get('a');
  const second = await nextStatement();
  second.answer({ a: 'new' });
  expect(await after).toBe('new');
  first.answer({ a: 'old' });
  expect(await before).toBe('old');
});

test('keys requested while two statements run wait together for the next one', async () => {
  const { reads, statements, nextStatement } = createReads();
  const early = [reads.get('a')];
  const first = await nextStatement();
  early.push(reads.get('b'));
  const second = await nextStatement();
  const late = Promise.all([reads.get('c'), reads.get('a')]);
  const third = nextStatement();
  first.answer();
  expect((await third).keys).toEqual(['c', 'a']);
  second.answer();
  (await third).answer();
  expect(await Promise.all(early)).toEqual(['a', 'b']);
  expect(await late).toEqual(['c', 'a']);
  expect(statements).toHaveLength(3);
});

test('keys requested while a statement runs wait for its end, but only a moment if it takes long', async () => {
  const { reads, statements, nextStatement } = createReads();
  const early = reads.get('a');
  const first = await nextStatement();
  const late = [reads.get('b'), reads.get('c')];
  await new Promise(setImmediate);
  expect(statements).toHaveLength(1);
  const second = await nextStatement(); // the first one has not been answered
  expect(second.keys).toEqual(['b', 'c']);
  second.answer();
  first.answer();
  expect([await early, ...(await Promise.all(late))]).toEqual(['a', 'b', 'c']);
});

test('more keys than one statement takes are read by the next', async () => {
  const { reads, statements, nextStatement } = createReads();
  const values = Promise.all(['a', 'b', 'c', 'd'].map(key => reads.get(key)));
  (await nextStatement()).answer();
  (await nextStatement()).answer();
  expect(await values).toEqual(['a', 'b', 'c', 'd']);
  expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b', 'c'], ['d']]);
});

test('a failed statement fails its own callers, and the next one runs', async () => {
  const { reads, nextStatement } = createReads();
  const failed = reads.get('a');
  (await nextStatement()).fail();
  await expect(failed).rejects.toThrow('Postgres is away');
  const again = reads.get('a');
  (await nextStatement()).answer();
  expect(await again).toBe('a');
});
