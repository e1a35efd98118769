/**
 * Units of calls of one moment share a statement, and no call pays for another one. No engine: statements are
 * functions.
 */
import { expect, test } from 'vitest';
import { createJoinedWrites } from '../../../api/joined/joined-writes.ts';

type Unit = { workspace: number; name: string; fate?: 'poor' | 'changed' | 'lost' };

const refused = Object.assign(new Error('an account would fall below zero'), { name: 'PostgresError' });

/** Batches whose statements are kept, with a gate in front of each. */
function batchesOf({ gate = async () => {} }: { gate?: (units: readonly Unit[]) => Promise<void> } = {}) {
  const statements: string[][] = [];
  const batches = createJoinedWrites<Unit, number>({
    keyOf: ({ workspace }) => workspace,
    unitsMax: 4,
    async write(units) {
      statements.push(units.map(({ name }) => name));
      await gate(units);
      if (units.some(({ fate }) => fate === 'lost')) throw new Error('the connection was lost');
      if (units.some(({ fate }) => fate === 'poor')) throw refused;
      return units.every(({ fate }) => fate !== 'changed');
    },
  });
  const writeAll = (units: readonly Unit[]) => Promise.allSettled(units.map(unit => batches.write(unit)));
  return { statements, batches, writeAll };
}
const unitsOf = (...names: string[]): Unit[] => names.map((name, workspace) => ({ workspace, name }));

test('units of one turn share a statement, up to a bound', async () => {
  const { statements, writeAll } = batchesOf();
  const outcomes = await writeAll(unitsOf('a', 'b', 'c', 'd', 'e'));
  expect(outcomes.map(outcome => outcome.status === 'fulfilled' && outcome.value)).toEqual(Array(5).fill(true));
  expect(statements).toEqual([['a', 'b', 'c', 'd'], ['e']]);
});

test('a unit that cannot be written fails alone, and the others are written', async () => {
  const { statements, writeAll } = batchesOf();
  const outcomes = await writeAll([
    { workspace: 1, name: 'a' },
    { workspace: 2, name: 'poor', fate: 'poor' },
    { workspace: 3, name: 'b' },
  ]);
  expect(outcomes).toMatchObject([{ value: true }, { reason: refused }, { value: true }]);
  expect(statements).toEqual([['a', 'poor', 'b'], ['a'], ['poor'], ['b']]);
});

test('only the unit whose premise has changed fails', async () => {
  const { writeAll } = batchesOf();
  const outcomes = await writeAll([
    { workspace: 1, name: 'a' },
    { workspace: 2, name: 'changed', fate: 'changed' },
  ]);
  expect(outcomes).toMatchObject([{ value: true }, { value: false }]);
});

test('after a lost connection nothing is written a second time', async () => {
  const { statements, writeAll } = batchesOf();
  const outcomes = await writeAll([
    { workspace: 1, name: 'a' },
    { workspace: 2, name: 'lost', fate: 'lost' },
  ]);
  expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected']);
  expect(statements).toEqual([['a', 'lost']]);
});

test('units of one workspace are never in two statements at once, and delay no other workspace', async () => {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  const { statements, batches } = batchesOf({
    async gate(units) {
      if (units[0]!.name !== 'held') return;
      begin();
      await opened;
    },
  });
  const held = batches.write({ workspace: 1, name: 'held' });
  await begun;
  const second = batches.write({ workspace: 1, name: 'second' });
  expect(await batches.write({ workspace: 2, name: 'other' })).toBe(true);
  expect(statements).toEqual([['held'], ['other']]);
  open();
  expect([await held, await second]).toEqual([true, true]);
  expect(statements).toEqual([['held'], ['other'], ['second']]);
});
