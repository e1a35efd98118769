/**
 * Addresses that were stored before each had a folded form. Real Postgres, with the schema of before and then the
 * migrations since.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { migratePostgres, migrationsOf } from '#sql/migrate.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';

const BEFORE = 9; // the first migration that knows folded addresses
let server: Postgres;
let sql: Postgres;
let url: string;

beforeEach(async () => {
  const name = `test_addresses_${randomBytes(6).toString('hex')}`;
  server = openPostgres(inject('databaseUrl'), { connectionsMax: 1, applicationName: 'marquee-test' });
  await server`create database ${server(name)}`;
  url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
  sql = openPostgres(url, { connectionsMax: 1, applicationName: 'marquee-test' });
  await sql`create table migrations (number integer primary key, name text not null,
    applied_at timestamptz not null default now())`;
  for (const { number, name: file, text } of migrationsOf(join(import.meta.dirname, '../../sql/migrations/postgres')))
    if (number < BEFORE) {
      await sql.unsafe(text);
      await sql`insert into migrations (number, name) values (${number}, ${file})`;
    }
  await sql`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Test', 'EUR', now())`;
});
afterEach(async () => {
  const name = new URL(url).pathname.slice(1);
  await sql.end({ timeout: 5 });
  await server`drop database ${server(name)}`;
  await server.end({ timeout: 5 });
});

const addUser = (email: string, removedAt: Date | null = null) => sql`
  insert into users (workspace_handle, email, role, created_at, removed_at) values (1, ${email}, 'owner', now(), ${removedAt})`;
const addSignIn = (email: string) => sql`
  with person as (insert into people (email, created_at) values (${email}, now()) returning handle)
  insert into sign_ins (person_handle, email, password_hash, created_at, changed_at)
  select handle, ${email}, '', now(), now() from person`;

test('are folded, whatever their letters', async () => {
  for (const email of ['Anna@Example.com', 'ZOE\u0308@b\u00fccher.example', '\u0130nes@example.com']) {
    await addUser(email);
    await addSignIn(email);
  }
  await sql`insert into invitations (workspace_handle, email, role, surface, token_hash, invited_by_handle, created_at,
    expires_at) values (1, 'Zo\u00eb@XN--bcher-kva.example', 'viewer', 'ads_manager', sha256(''), 1, now(), now())`;
  await migratePostgres(url);
  const folded = ['anna@example.com', 'zo\u00eb@xn--bcher-kva.example', 'i\u0307nes@example.com'];
  const rows = { users: 'handle', sign_ins: 'person_handle' };
  for (const [table, order] of Object.entries(rows))
    expect(await sql`select email_folded from ${sql(table)} order by ${sql(order)}`).toEqual(
      folded.map(address => ({ email_folded: address })),
    );
  expect(await sql`select email_folded from invitations`).toEqual([{ email_folded: folded[1] }]);
});

test('that would merge two members or two sign-ins are refused by name, and nothing is changed', async () => {
  await addUser('zo\u00eb@example.com');
  await addUser('zoe\u0308@example.com');
  await addSignIn('a@b\u00fccher.example');
  await addSignIn('a@xn--bcher-kva.example');
  const refused = migratePostgres(url);
  await expect(refused).rejects.toMatchObject({ code: 'addresses_collide', retryable: false });
  await expect(refused).rejects.toThrow(/zo\u00eb@example\.com.*zoe\u0308@example\.com.*a@b\u00fccher\.example/);
  const [{ names } = { names: 0 }] = await sql<
    { names: number }[]
  >`select count(*)::integer as names from pg_indexes where indexname = 'sign_ins_by_email'`;
  expect(names).toBe(1);
  await sql`delete from sign_ins where email = 'a@xn--bcher-kva.example'`;
  await sql`update users set removed_at = now() where email = 'zoe\u0308@example.com'`;
  expect(await migratePostgres(url)).toContain('0010_one_address_each.sql');
});

test('are folded for a process of the previous version, which writes none, if that is unambiguous', async () => {
  await migratePostgres(url);
  await addUser('Anna@Example.com');
  expect(await sql`select email_folded from users`).toEqual([{ email_folded: 'anna@example.com' }]);
  await expect(addUser('zo\u00eb@example.com')).rejects.toThrow('folds it');
});
