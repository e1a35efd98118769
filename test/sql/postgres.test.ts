/**
 * The pool of connections to Postgres: a transaction has its connection for itself, and one whose connection is lost
 * neither goes on nor commits elsewhere. A real Postgres behind a proxy that the test cuts.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres, type Postgres, type Transaction } from '#sql/postgres.ts';
import { freshPostgres } from '../support/engines/databases.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

let database: Awaited<ReturnType<typeof freshPostgres>>;
let proxy: TcpProxy;
let sql: Postgres;
let proxied: string;

beforeAll(async () => {
  database = await freshPostgres();
  const url = new URL(database.url);
  proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  proxied = url.href;
  sql = openPostgres(proxied, { connectionsMax: 2, applicationName: 'marquee-test' });
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await proxy.close();
  await database.drop();
});

// The library's write to a connection that is gone came from a timer and ended the process (patches/).
test.each(['a query', 'no query'])(
  'a connection lost in a transaction with %s pending rejects it, and the pool continues',
  async way => {
    const lost = sql.begin(async tx => {
      await tx`select 1`;
      const asleep = way === 'a query' ? tx`select pg_sleep(60)`.catch((error: unknown) => error) : undefined;
      await wait(50); // so that the query is running
      proxy.cut();
      await wait(50); // so that the end has been heard
      await asleep;
      return tx`select 2`;
    });
    await expect(lost).rejects.toMatchObject({
      code: expect.stringMatching(/CONNECTION_(CLOSED|DESTROYED)|ECONNRESET/) as unknown,
    });
    proxy.mend();
    expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
  },
);

// A BEGIN that filled a connection's pipeline was sent without taking the connection out of the pool: others' queries
// ran inside the transaction, and it failed with UNSAFE_TRANSACTION (patches/).
test('transactions that begin while connections are busy with queries get connections of their own', async () => {
  const pool = openPostgres(database.url, { connectionsMax: 2, applicationName: 'marquee-test' });
  await pool`create table if not exists taken (n int)`;
  for (let queries = 190; queries < 215; queries += 1) {
    // a connection takes a hundred at once
    const others = Array.from({ length: queries }, () => pool`select 1`.execute()); // sent now, before the transactions
    const transactions = Array.from({ length: 4 }, (_, n) =>
      pool.begin(async tx => {
        const [before] = await tx<
          { backend: number; xact: string }[]
        >`select pg_backend_pid() as backend, pg_current_xact_id()::text as xact`;
        await tx`insert into taken values (${n})`;
        const [after] = await tx<
          { backend: number; xact: string }[]
        >`select pg_backend_pid() as backend, pg_current_xact_id()::text as xact`;
        expect(after).toEqual(before);
      }),
    );
    await Promise.all([...others, ...transactions]);
  }
  expect(await pool`select count(*)::int as n from taken`).toEqual([{ n: 4 * 25 }]);
  await pool.end({ timeout: 1 });
});

// It was taken for the query before it, which failed in its place, and every answer after it went to the wrong query
// (patches/).
test('a statement that cannot be sent fails alone', async () => {
  const pool = openPostgres(database.url, { connectionsMax: 1, applicationName: 'marquee-test' });
  const [one, none, two] = await Promise.allSettled([
    pool`select 1 as n, pg_sleep(.01)`,
    pool`select ${undefined as never}::int as n`, // the type refuses it, and what is not typed may say it all the same
    pool`select 2 as n`,
  ]);
  expect([one, none, two]).toMatchObject([
    { value: [{ n: 1 }] },
    { reason: { code: 'UNDEFINED_VALUE' } },
    { value: [{ n: 2 }] },
  ]);
  await pool.end({ timeout: 1 });
});

type Reserved = Awaited<ReturnType<Postgres['reserve']>>;

function gate(): { opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

// What the library does not promise: a transaction's statements went to the next user of its connection, and those that
// waited for it never ended (patches/; its issues 1186, 1195, 1204, 1216).
describe('a connection that is lost while others wait for it', () => {
  let pool: Postgres;
  const effects = async () =>
    (await database.sql<{ step: string }[]>`select step from effects order by step`).map(row => row.step);
  const CLOSED = { code: 'CONNECTION_CLOSED' };
  const ENDED = { code: 'TRANSACTION_ENDED' };

  beforeAll(() => database.sql`create table effects (step text)`);
  beforeEach(async () => {
    await database.sql`truncate effects`;
    pool = openPostgres(proxied, { connectionsMax: 1, applicationName: 'marquee-test' });
  });
  afterEach(() => pool.end({ timeout: 1 }));

  const add = (tx: Transaction | Reserved, step: string) => tx`insert into effects values (${step})`;
  /** The connection is lost, and the pool has made it again for somebody else. */
  async function change(): Promise<void> {
    proxy.sever();
    await expect
      .poll(() => pool`select 1 as one`.catch((error: { code: string }) => error.code), { interval: 5 })
      .toEqual([{ one: 1 }]);
  }
  /** A transaction whose connection changes under it, and what became of it and of its callback. */
  async function cutTransaction(
    work: (tx: Transaction) => Promise<unknown>,
  ): Promise<{ begin: unknown; callback: unknown }> {
    let callback: Promise<unknown> = Promise.resolve('never called');
    const outcome = (promise: Promise<unknown>) =>
      promise.then(
        () => 'resolved',
        (error: unknown) => error,
      );
    const begin = outcome(pool.begin(tx => (callback = work(tx))));
    return { begin: await begin, callback: await outcome(callback) };
  }

  test('refuses the rest of its transaction', async () => {
    const { begin, callback } = await cutTransaction(async tx => {
      await add(tx, 'before');
      await change();
      await add(tx, 'after');
    });
    expect([begin, callback]).toMatchObject([CLOSED, CLOSED]);
    expect(await effects()).toEqual([]);
  });

  test('neither commits nor rolls back the transaction that now uses it', async () => {
    let other: Promise<unknown> = Promise.resolve();
    const goOn = gate();
    for (const end of ['commit', 'rollback']) {
      const { begin } = await cutTransaction(async tx => {
        await add(tx, 'before');
        await change();
        const begun = gate();
        other = pool.begin(async own => {
          await add(own, `${end} first`);
          begun.open();
          await goOn.opened;
          await add(own, `${end} second`);
          throw new Error('undone');
        });
        other.catch(() => undefined);
        await begun.opened;
        if (end === 'rollback') throw new Error('of its own');
      });
      expect(begin).toMatchObject(CLOSED);
      goOn.open();
      await expect(other).rejects.toThrow('undone');
    }
    expect(await effects()).toEqual([]);
  });

  test('refuses sent statements, waiting ones and those in a savepoint', async () => {
    const settled: Promise<unknown>[] = [];
    const { begin } = await cutTransaction(async tx => {
      await add(tx, 'before');
      await tx
        .savepoint(async point => {
          const asleep = point`select pg_sleep(1)`;
          settled.push(
            ...[asleep, add(point, 'queued 1'), add(point, 'queued 2'), tx`select 3`].map(query =>
              query.then(
                () => 'resolved',
                (error: { code: string }) => error.code,
              ),
            ),
          );
          await wait(50); // the first is running
          await change();
          await add(point, 'in the savepoint').catch(() => undefined);
          await tx.savepoint(inner => add(inner, 'in another')).catch(() => undefined);
        })
        .catch(() => undefined);
      await add(tx, 'after the savepoint');
    });
    expect(begin).toMatchObject({ code: expect.stringMatching(/CONNECTION_CLOSED|ECONNRESET/) as unknown });
    expect(await Promise.all(settled)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/CONNECTION_CLOSED|ECONNRESET/) as unknown),
    );
    expect(await effects()).toEqual([]);
  });

  test('stops a cursor: none of its messages reach the next session', async () => {
    const rows: number[] = [];
    const { callback } = await cutTransaction(async tx => {
      for await (const [row] of tx<{ n: number }[]>`select generate_series(1, 5) as n`.cursor(1)) {
        rows.push(row!.n);
        if (row!.n === 2) await change();
      }
    });
    expect(callback).toMatchObject({ code: expect.stringMatching(/CONNECTION_CLOSED|ECONNRESET/) as unknown });
    expect(rows).toEqual([1, 2]);
    expect(await pool`select 4 as four`).toEqual([{ four: 4 }]);
  });

  test('can neither be used nor released by its reservation', async () => {
    const reserved = await pool.reserve();
    await add(reserved, 'before');
    await change();
    await expect(add(reserved, 'after')).rejects.toMatchObject(CLOSED);
    const goOn = gate();
    const other = pool.begin(async own => {
      await add(own, 'first');
      reserved.release();
      await goOn.opened;
      await add(own, 'second');
      throw new Error('undone');
    });
    other.catch(() => undefined);
    const plain = pool`insert into effects values ('plain')`.execute();
    await wait(20);
    goOn.open();
    await expect(other).rejects.toThrow('undone');
    await plain;
    expect(await effects()).toEqual(['before', 'plain']);
  });

  test('goes to the reservation that waited for it', async () => {
    await pool`select 1`; // it is there
    const busy = pool`select pg_sleep(1)`.catch((error: { code: string }) => error.code);
    await wait(20);
    const waiting = pool.reserve();
    proxy.sever();
    expect(await busy).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    const reserved = await waiting;
    expect(await reserved`select 1 as one`).toEqual([{ one: 1 }]);
    reserved.release();
    expect(await pool`select 2 as two`).toEqual([{ two: 2 }]);
  });

  test('refuses queries after the callback or the reservation has ended', async () => {
    let left: Transaction | undefined;
    await pool.begin(async tx => {
      left = tx;
      await add(tx, 'inside');
    });
    await expect(add(left!, 'late')).rejects.toMatchObject(ENDED);
    await expect(left!.savepoint(point => add(point, 'late'))).rejects.toMatchObject(ENDED);
    let late: Promise<unknown> | undefined;
    await pool.begin(async tx => {
      await add(tx, 'inside');
      setImmediate(() => {
        late = add(tx, 'while it commits').catch((error: unknown) => error);
      });
    });
    expect(await late).toMatchObject(ENDED);
    const reserved = await pool.reserve();
    reserved.release();
    reserved.release();
    await expect(add(reserved, 'late')).rejects.toMatchObject({ code: 'RESERVATION_ENDED' });
    await wait(20);
    expect(await effects()).toEqual(['inside', 'inside']);
  });

  test('a transaction that the server rolled back fails', async () => {
    const failed = pool.begin(async tx => {
      await add(tx, 'inside');
      add(tx, 'x'.repeat(10)).catch(() => undefined);
      tx`select 1 / 0`.catch(() => undefined); // nobody awaits it
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(await effects()).toEqual([]);
  });
});
