import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { freshPostgres } from '../support/databases.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

let database: Awaited<ReturnType<typeof freshPostgres>>;
let proxy: TcpProxy;
let sql: Postgres;

beforeAll(async () => {
  database = await freshPostgres();
  const url = new URL(database.url);
  proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  sql = openPostgres(url.href, { connectionsMax: 2, applicationName: 'marquee-test' });
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await proxy.close();
  await database.drop();
});

// The library's write to a connection that is gone came from a timer and ended the process (patches/).
test.each(['a query', 'no query'])('a connection that is lost in a transaction with %s under way rejects it, and the pool goes on', async way => {
  const lost = sql.begin(async tx => {
    await tx`select 1`;
    const asleep = way === 'a query' ? tx`select pg_sleep(60)`.catch((error: unknown) => error) : undefined;
    await wait(50); // so that the query is under way
    proxy.cut();
    await wait(50); // so that the end has been heard
    await asleep;
    return tx`select 2`;
  });
  await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/CONNECTION_(CLOSED|DESTROYED)|ECONNRESET/) as unknown });
  proxy.mend();
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
});

// A BEGIN that filled a connection's pipeline was sent without taking the connection out of the pool: others' queries ran
// inside the transaction, and it failed with UNSAFE_TRANSACTION (patches/).
test('transactions that begin while connections are full of queries have them for themselves', async () => {
  const pool = openPostgres(database.url, { connectionsMax: 2, applicationName: 'marquee-test' });
  await pool`create table if not exists taken (n int)`;
  for (let queries = 190; queries < 215; queries += 1) { // a connection takes a hundred at once
    const others = Array.from({ length: queries }, () => pool`select 1`.execute()); // sent now, before the transactions
    const transactions = Array.from({ length: 4 }, (_, n) => pool.begin(async tx => {
      const [before] = await tx<{ backend: number; xact: string }[]>`select pg_backend_pid() as backend, pg_current_xact_id()::text as xact`;
      await tx`insert into taken values (${n})`;
      const [after] = await tx<{ backend: number; xact: string }[]>`select pg_backend_pid() as backend, pg_current_xact_id()::text as xact`;
      expect(after).toEqual(before);
    }));
    await Promise.all([...others, ...transactions]);
  }
  expect(await pool`select count(*)::int as n from taken`).toEqual([{ n: 4 * 25 }]);
  await pool.end({ timeout: 1 });
});
