/**
 * The change log in a real Postgres: every follower gets each line once, in whatever order transactions commit, and no
 * writer waits for another.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Change,
  changesSince,
  currentPosition,
  forgetChanges,
  hasChanged,
  listenForChanges,
  type Position,
} from '#books/change-log.ts';
import { openPostgres, type Postgres, type Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { freshPostgres } from '../../support/engines/databases.ts';
import { handle } from '../../support/handle.ts';

const NOW = new Date('2026-03-01T10:00:00Z');

let sql: Postgres;
let url: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ sql, url, drop } = await freshPostgres());
});
afterAll(() => drop());

const addLines = (tx: Transaction, handles: readonly number[], at = NOW) =>
  tx`insert into change_log ${tx(handles.map(handle => ({ entity: 'campaign', handle, at })))}`;
const handlesOf = (changes: readonly Change[]): number[] => changes.map(({ handle }) => handle);

/** A transaction of its own that writes one line, and is ended from outside. */
type Writer = { handle: number; end(how: 'commit' | 'rollback'): Promise<void> };

async function openWriter(pool: Postgres, handle: number): Promise<Writer> {
  let end: (how: 'commit' | 'rollback') => void = () => undefined;
  const ended = new Promise<'commit' | 'rollback'>(resolve => {
    end = resolve;
  });
  let done: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    done = pool
      .begin(async (tx: Transaction) => {
        await addLines(tx, [handle]);
        resolve();
        if ((await ended) === 'rollback') throw new Error('rolled back on purpose');
      })
      .catch((error: Error) => (error.message === 'rolled back on purpose' ? undefined : reject(error)));
  });
  return {
    handle,
    async end(how) {
      end(how);
      await done;
    },
  };
}

describe('the change log', () => {
  test('gives each line once to every follower, in any order of begins, commits, rollbacks and reads', async () => {
    const pool = openPostgres(url, { connectionsMax: 6, applicationName: 'marquee-test' });
    let next = 1;
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('begin' as const) }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constantFrom('commit' as const, 'rollback' as const), at: fc.nat(4) }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), at: fc.nat(1) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), at: fc.nat(1) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async steps => {
        const followers = await Promise.all(
          [0, 1].map(async () => ({
            position: await currentPosition(sql),
            seen: [] as number[],
            missedBefore: new Set<number>(),
          })),
        );
        const open: Writer[] = [];
        const committed: number[] = [];
        const read = async (follower: { position: Position; seen: number[] }) => {
          const before = follower.position;
          const { changes, position } = await changesSince(sql, before);
          expect(await sql`select ${hasChanged(sql, before)} as changed`).toEqual([{ changed: changes.length > 0 }]);
          follower.position = position;
          follower.seen.push(...handlesOf(changes));
        };
        for (const one of steps) {
          if (one.kind === 'begin' && open.length < 5) open.push(await openWriter(pool, next++));
          else if (one.kind === 'read') await read(followers[one.at]!);
          else if (one.kind === 'restart') {
            // A process that starts sees what is committed, and follows from there.
            followers[one.at] = { position: await currentPosition(sql), seen: [], missedBefore: new Set(committed) };
          } else if (one.kind !== 'begin' && open.length > 0) {
            const [writer] = open.splice(one.at % open.length, 1);
            await writer!.end(one.kind);
            if (one.kind === 'commit') committed.push(writer!.handle);
          }
        }
        for (const writer of open) {
          await writer.end('commit');
          committed.push(writer.handle);
        }
        for (const follower of followers) {
          await read(follower);
          expect(follower.seen.toSorted((a, b) => a - b)).toEqual(
            committed.filter(handle => !follower.missedBefore.has(handle)).toSorted((a, b) => a - b),
          );
        }
      }),
      { numRuns: 60, seed: 20_261_122 },
    );
    await pool.end();
  });

  test('a writer does not wait for one whose transaction is open', async () => {
    const position = await currentPosition(sql);
    const slow = await openWriter(sql, 900_001);
    await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: NOW }, async unit =>
      unit.changed('campaign', handle('campaign', 900_002)),
    );
    const first = await changesSince(sql, position);
    expect(handlesOf(first.changes)).toEqual([900_002]);
    await slow.end('commit');
    expect(handlesOf((await changesSince(sql, first.position)).changes)).toEqual([900_001]);
  });

  test('a backend killed before its commit leaves no line, and concurrent lines are read', async () => {
    const position = await currentPosition(sql);
    const pool = openPostgres(url, { connectionsMax: 1, applicationName: 'marquee-killed' });
    const dying = pool.begin(async tx => {
      await addLines(tx, [910_001]);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marquee-killed'`;
      await tx`select 1`;
    });
    await expect(dying).rejects.toThrow(/terminat|CONNECTION/);
    await sql.begin(tx => addLines(tx, [910_002]));
    expect(handlesOf((await changesSince(sql, position)).changes)).toEqual([910_002]);
    await pool.end({ timeout: 1 });
  });

  test('followers are woken after the commit, and notices of commits at the same time are few', async () => {
    let heard = 0;
    let wake: () => void = () => undefined;
    const stop = await listenForChanges(sql, () => {
      heard += 1;
      wake();
    });
    await expect.poll(() => heard).toBe(1); // that it listens
    const position = await currentPosition(sql);
    const all = Array.from({ length: 40 }, (_, at) => handle('campaign', 920_000 + at));
    let follower = position;
    const seen: number[] = [];
    await Promise.all(
      all.map(handle =>
        inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: NOW }, async unit => unit.changed('campaign', handle)),
      ),
    );
    while (seen.length < all.length) {
      const woken = new Promise<void>(resolve => {
        wake = resolve;
      });
      const found = await changesSince(sql, follower);
      follower = found.position;
      seen.push(...handlesOf(found.changes));
      if (seen.length < all.length)
        await Promise.race([
          woken,
          sleep(5_000).then(() => {
            throw new Error('nobody told');
          }),
        ]);
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(all);
    expect(heard).toBeLessThan(all.length);
    await stop();
  });

  test('a position of a history that has ended is refused', async () => {
    const position = await currentPosition(sql);
    await expect(changesSince(sql, { ...position, timeline: '000000FF' })).rejects.toMatchObject({
      code: 'other_history',
    });
    expect(await sql`select ${hasChanged(sql, { ...position, timeline: '000000FF' })} as changed`).toEqual([
      { changed: true },
    ]);
  });

  test('a line with a future id, as after a restore, is not read yet', async () => {
    const position = await currentPosition(sql);
    await sql`insert into change_log (transaction_id, entity, handle, at) values ('9000000000000', 'campaign', 930001, ${NOW})`;
    expect((await changesSince(sql, position)).changes).toEqual([]);
    await sql`delete from change_log where handle = 930001`;
  });

  test('lines are deleted a day after they were written', async () => {
    await sql`delete from change_log`;
    await sql.begin(tx => addLines(tx, [1, 2], new Date(NOW.getTime() - 25 * 3_600_000)));
    await sql.begin(tx => addLines(tx, [3], new Date(NOW.getTime() - 23 * 3_600_000)));
    expect(await forgetChanges(sql, { now: NOW, count: 1 })).toBe(1);
    expect(await forgetChanges(sql, { now: NOW, count: 100 })).toBe(1);
    expect(await sql`select handle from change_log`).toEqual([{ handle: 3 }]);
  });
});
