/**
 * `admin people erase`: nothing of a person who has left is found in Postgres, but in the audit log. On a real engine,
 * with people who were invited, signed in and removed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePerson } from '../../../cli/admin/accounts/people.ts';
import { removeUser } from '../../../cli/operator.ts';
import type { Handle } from '../../../domain/id.ts';
import { createKey, createWorkspace, startApi, type TestApi, type TestWorkspace } from '../support/app-under-test.ts';

const CONSOLE = { 'x-requested-with': 'marquee-console' };
const PASSWORD = 'correct horse battery';
const EMAIL = 'Leaving.Person@example.com';
let api: TestApi;
let brand: TestWorkspace;
let owner: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api);
  owner = await createKey(api, brand);
});
afterAll(() => api.close());

const signIn = () => api.call('POST', '/v1/sessions', { body: { email: EMAIL, password: PASSWORD }, headers: CONSOLE });
const erase = (email = EMAIL) => erasePerson(api.sql, new Date(), email);

/** Invites, accepts and names a person; answers the id of the seat. */
async function join(): Promise<string> {
  const invited = await api.call('POST', '/v1/invitations', { key: owner, body: { email: EMAIL, role: 'viewer' } });
  const token = invited.body['token'] as string;
  await api.call('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD, name: 'Leaving Person' } });
  expect((await signIn()).status).toBe(201);
  const [seat] = await api.sql<{ handle: number }[]>`select handle from users where email = ${EMAIL}`;
  return `usr_${seat!.handle}`;
}

/** A choice of alerts with a fact, a report and a mail, all of which name the person. */
async function chooseAlerts(): Promise<void> {
  const text = 'To leaving.person@example.com';
  const [choice] = await api.sql<{ handle: number }[]>`
    insert into alert_choices (person_handle, workspace_handle, surface, settings, created_at, changed_at)
    select person_handle, workspace_handle, 'ads_manager', ${api.sql.json({ text })}, now(), now()
    from users where email = ${EMAIL} returning handle`;
  const { handle } = choice!;
  await api.sql`
    insert into alert_facts (choice_handle, kind, key, detail, found_at, due_at)
    values (${handle}, 'wallet_low', 'w', ${api.sql.json({ text })}, now(), now())`;
  await api.sql`
    insert into weekly_reports (choice_handle, week, name, csv, created_at)
    values (${handle}, '2026-03-02', 'week.csv', ${text}, now())`;
  await api.sql`
    insert into mails (choice_handle, subject, text, next_at, created_at)
    values (${handle}, 'Wallet', ${text}, now(), now())`;
}
const OF_ALERTS = ['alert_choices', 'alert_facts', 'mails', 'weekly_reports'];

/** Tables of Postgres in whose rows the address or the name is found, in any letter case. */
async function tablesWithPerson(): Promise<string[]> {
  const tables = await api.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await api.sql<{ found: boolean }[]>`
      select exists (select from ${api.sql(name)} as r where r::text ilike '%leaving_person%') as found`;
    if (row!.found) found.push(name);
  }
  return found;
}

describe('a person', () => {
  test('with a seat is not erased, and the answer names the seat', async () => {
    await join();
    await expect(erase()).rejects.toThrow(
      /^Leaving\.Person@example\.com is still a member of ws_\w+: admin user remove usr_\w+$/,
    );
    expect((await signIn()).status).toBe(201);
  });

  test('who has left is erased by any variant of the address, and can no longer sign in', async () => {
    const [seat] = await api.sql<{ handle: Handle<'user'> }[]>`select handle from users where email = ${EMAIL}`;
    await chooseAlerts();
    await removeUser(api.sql, new Date(), seat!.handle);
    expect(await tablesWithPerson()).toEqual(
      expect.arrayContaining([...OF_ALERTS, 'invitations', 'people', 'sign_ins', 'users']),
    );
    expect(await erase('leaving.person@EXAMPLE.com')).toEqual({ seats: 1, erased: true });
    expect((await signIn()).status).toBe(401);
    // The audit log is a chain of hashes, and its retention deletes it.
    expect((await tablesWithPerson()).filter(name => !name.startsWith('audit'))).toEqual([]);
  });

  test('who is unknown is named in the refusal', async () => {
    await expect(erase()).rejects.toThrow(`Nobody has the address ${EMAIL}`);
  });

  test('who returns starts with a new account', async () => {
    const id = await join();
    expect(id).toMatch(/^usr_/);
  });
});
