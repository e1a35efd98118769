/** Links that sign a browser in to the demo with one click, as the owner of a workspace. Only their hash is stored. */
import { hash, randomBytes } from 'node:crypto';
import { formatSignInLink } from '#domain/access/key.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';

/** A person may open a link in several browsers, or again after they have signed out. */
const USES_MAX = 100;
const GOOD_MS = 86_400_000;

/** Creates a link for the owner of a workspace, who gets this name. Returns its token. */
export async function createSignInLink(sql: Postgres, now: Date, workspace: Handle<'workspace'>): Promise<string> {
  const token = formatSignInLink(randomBytes(32));
  const [owner] = await sql<{ person: Handle<'person'> }[]>`
    update people p set name = 'Owner of ' || w.name from users u join workspaces w on w.handle = u.workspace_handle
    where u.workspace_handle = ${workspace} and u.role = 'owner' and p.handle = u.person_handle
    returning p.handle as person`;
  const link = {
    hash: hash('sha256', token, 'buffer'),
    person_handle: owner!.person,
    uses_left: USES_MAX,
    ends_at: new Date(now.getTime() + GOOD_MS),
  };
  await sql`insert into sign_in_links ${sql(link)}`;
  return token;
}

type Shown = { person: Handle<'person'>; email: string };

/** Uses a link once. Refuses one that was used too often, or that is older than a day. */
export async function takeSignInLink(sql: Postgres, now: Date, token: string): Promise<Shown | Refusal> {
  const [row] = await sql<Shown[]>`
    update sign_in_links l set uses_left = uses_left - 1 from people p
    where l.hash = ${hash('sha256', token, 'buffer')} and l.uses_left > 0 and l.ends_at > ${now}
      and p.handle = l.person_handle
    returning p.handle as person, p.email`;
  return row ?? refuse('link_expired', 'This link was used too often or is too old. Start the demo again for another.');
}
