/**
 * Folds the addresses that were stored before each had a folded spelling (migrations 0009 and 0010). Postgres cannot do
 * that itself: it has the letters of its locale. Two people are never joined: where two members of a workspace, or two
 * sign-ins, have spellings of one address, the migration is refused and names them.
 */
import { foldAddress } from '#domain/access/mail-address.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Queryable } from '../postgres.ts';

const TABLES = ['users', 'sign_ins', 'invitations'] as const;
/** Pairs that the refusal names; the operator meets the others on the next try. */
const NAMED_MAX = 20;

type Pair = { what: string; one: string; other: string };

/**
 * Addresses beyond ASCII, which are few.
 * @throws Fault `addresses_collide`, not retryable
 */
export async function foldStoredAddresses(sql: Queryable): Promise<void> {
  for (const table of TABLES) {
    const rows = await sql<{ email: string }[]>`select distinct email from ${sql(table)} where email_folded is null`;
    const emails = rows.map(row => row.email);
    await sql`
      update ${sql(table)} t set email_folded = f.folded
      from unnest(${emails}::text[], ${emails.map(foldAddress)}::text[]) as f (email, folded)
      where t.email = f.email and t.email_folded is null`;
  }
  const pairs = [...(await membersOfOneAddress(sql)), ...(await signInsOfOneAddress(sql))];
  if (pairs.length === 0) return;
  throw new Fault(
    'addresses_collide',
    `these would have one address from this version on: ${pairs.map(spell).join('; ')}. With the version before, let one of each pair go (\`admin user remove USER\`, \`admin user remove-sign-in --email ADDRESS\`), and migrate again. Nothing was changed.`,
    { retryable: false },
  );
}

async function membersOfOneAddress(sql: Queryable): Promise<Pair[]> {
  const rows = await sql<
    { workspace: Handle<'workspace'>; one: Handle<'user'>; email: string; other: Handle<'user'>; second: string }[]
  >`select a.workspace_handle as workspace, a.handle as one, a.email, b.handle as other, b.email as second
    from users a join users b on b.workspace_handle = a.workspace_handle and b.email_folded = a.email_folded
    where a.handle < b.handle and a.removed_at is null and b.removed_at is null order by a.handle limit ${NAMED_MAX}`;
  return rows.map(row => ({
    what: `members of ${formatId('workspace', row.workspace)}`,
    one: `${formatId('user', row.one)} (${row.email})`,
    other: `${formatId('user', row.other)} (${row.second})`,
  }));
}

async function signInsOfOneAddress(sql: Queryable): Promise<Pair[]> {
  const rows = await sql<{ one: string; other: string }[]>`
    select a.email as one, b.email as other from sign_ins a join sign_ins b on b.email_folded = a.email_folded
    where a.person_handle < b.person_handle order by a.person_handle limit ${NAMED_MAX}`;
  return rows.map(row => ({ what: 'sign-ins', ...row }));
}

const spell = ({ what, one, other }: Pair): string => `${what} ${one} and ${other}`;
