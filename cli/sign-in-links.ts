/**
 * Links that sign a browser in to the demo with one click, as the owner of a workspace. The API accepts them only if it
 * and its address are local to this machine.
 */
import { createHash, randomBytes } from 'node:crypto';
import { formatSignInLink } from '#domain/access/key.ts';
import type { Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';

/** A person may open a link in several browsers, or again after they have signed out. */
const USES_MAX = 100;
const GOOD_MS = 86_400_000;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

/** Whether only this machine reaches the API: otherwise it refuses to start with such links. */
export function isOnLoopback({ HOST = '127.0.0.1', PUBLIC_URL = 'http://127.0.0.1' }: NodeJS.ProcessEnv): boolean {
  return [HOST, new URL(PUBLIC_URL).hostname].every(host => LOOPBACK.has(host));
}

/** Creates a link for the owner of a workspace, who gets this name. Returns the path after the console's address. */
export async function makeSignInLink(sql: Postgres, now: Date, workspace: Handle<'workspace'>): Promise<string> {
  const token = formatSignInLink(randomBytes(32));
  const [owner] = await sql<{ person: Handle<'person'> }[]>`
    update people p set name = 'Owner of ' || w.name from users u join workspaces w on w.handle = u.workspace_handle
    where u.workspace_handle = ${workspace} and u.role = 'owner' and p.handle = u.person_handle
    returning p.handle as person`;
  const link = {
    hash: createHash('sha256').update(token).digest(),
    person_handle: owner!.person,
    uses_left: USES_MAX,
    ends_at: new Date(now.getTime() + GOOD_MS),
  };
  await sql`insert into sign_in_links ${sql(link)}`;
  return `/console/sign-in#${token}`;
}
