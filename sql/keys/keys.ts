/** API keys: rows, and the writes that other units of work use. Only the hash of a key is stored. */
import { hash, randomBytes } from 'node:crypto';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { displayKey, formatKey, type KeyMode } from '#domain/access/key.ts';
import type { Access, Role, Surface } from '#domain/access/permission.ts';
import type { WorkspaceStatus } from '#domain/access/workspace.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

const DAY_MS = 86_400_000;
/** Keys are valid for 90 days (docs/interface-specification.md, section 5). */
const KEY_MS = 90 * DAY_MS;
/** The last use of a key is written at most this often. */
const USE_MS = 60_000;
/**
 * Valid keys of a workspace: each has rate limits of its own, and every process may cache its row. Rotated keys, which
 * are valid for another day, have as much room again.
 */
export const KEYS_MAX = 100;

export type KeyRow = {
  handle: Handle<'key'>;
  user_handle: Handle<'user'>;
  email: string;
  role: Role;
  name: string;
  hash: Buffer;
  display: string;
  surface: Surface;
  access: Access;
  mode: KeyMode;
  per_minute_max: number;
  per_second_max: number;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
  made_by_handle: Handle<'user'> | null;
};
export type KeyFields = Pick<KeyRow, 'name' | 'surface' | 'access' | 'mode'>;
/** A new key with its text, which nobody can read again. */
export type MadeKey = KeyRow & { key: string };
/** `made_by_handle`: the user who makes the key for another person; absent: it is for the caller. */
export type NewKey = Omit<KeyFields, 'name'> &
  Pick<KeyRow, 'user_handle'> &
  Partial<Pick<KeyRow, 'name' | 'made_by_handle' | 'per_minute_max' | 'per_second_max'>>;

/** The keys of workspaces. Callers add a condition. */
export function selectKeys(sql: Queryable) {
  return sql`select k.*, u.email, u.role from keys k join users u on u.handle = k.user_handle`;
}

export async function readKey(sql: Queryable, handle: Handle<'key'>): Promise<KeyRow> {
  const [row] = await sql<KeyRow[]>`${selectKeys(sql)} where k.handle = ${handle}`;
  return row!;
}

/**
 * Refuses a key beyond the bound, over both modes. The workspace's row is locked, so that concurrent calls are counted
 * one by one.
 */
export async function refuseKeyBeyond(
  { tx, now }: Unit,
  workspace: Handle<'workspace'>,
  keysMax: number,
): Promise<Refusal | undefined> {
  await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
  const [row] = await tx<{ keys: number }[]>`
    select count(*)::integer as keys from keys
    where workspace_handle = ${workspace} and not is_revoked and (revoked_at is null or revoked_at > ${now})
      and expires_at > ${now}`;
  return row!.keys < keysMax
    ? undefined
    : refuse('too_many_keys', `This workspace has ${row!.keys} keys. Revoke those that nobody uses.`);
}

/** Creates a key and its audit entry. */
export async function makeKey(
  unit: Unit,
  workspace: Handle<'workspace'>,
  wanted: NewKey & { name: string },
): Promise<MadeKey> {
  const made = await insertKey(unit, workspace, wanted);
  const { name, surface, access, mode, made_by_handle: maker } = wanted;
  const diff = diffOfNew({
    name,
    surface,
    access,
    mode,
    display: made.display,
    ...(maker && { user: formatId('user', wanted.user_handle) }),
  });
  unit.audit({ workspace, action: 'key.created', entityType: 'key', entityHandle: made.handle, diff });
  return made;
}

/** Creates a key that is valid for 90 days. */
export async function insertKey(
  { tx, now }: Unit,
  workspace: Handle<'workspace'>,
  { user_handle, name = '', surface, access, mode, made_by_handle = null, per_minute_max, per_second_max }: NewKey,
): Promise<MadeKey> {
  const key = formatKey(randomBytes(32), mode);
  const columns = {
    workspace_handle: workspace,
    user_handle,
    made_by_handle,
    name,
    surface,
    access,
    mode,
    hash: hash('sha256', key, 'buffer'),
    display: displayKey(key),
    created_at: now,
    expires_at: new Date(now.getTime() + KEY_MS),
    ...(per_minute_max !== undefined && { per_minute_max }),
    ...(per_second_max !== undefined && { per_second_max }),
  };
  const [row] = await tx<KeyRow[]>`
    with made as (insert into keys ${tx(columns)} returning *) select made.*, u.email, u.role from made
    join users u on u.handle = made.user_handle`;
  return { ...row!, key };
}

/** Revokes all keys of a seat, when its person leaves or returns: nobody gets former keys back. */
export async function endKeys({ tx, now }: Unit, ...users: readonly Handle<'user'>[]): Promise<void> {
  await tx`update keys set is_revoked = true, revoked_at = ${now}
    where user_handle = any(${users}::bigint[]) and not is_revoked`;
}

/** Refuses a key that was revoked, or whose person has left, since it was checked. */
export async function refuseEndedKey({ tx, now }: Unit, key: Handle<'key'>): Promise<Refusal | undefined> {
  const rows = await tx`
    select 1 from keys k join users u on u.handle = k.user_handle where k.handle = ${key} and not k.is_revoked
      and (k.revoked_at is null or k.revoked_at > ${now}) and u.removed_at is null for share`;
  return rows.length > 0 ? undefined : refuseField('/key', 'revoked_key', 'is not a good key');
}

/** A key with its person and workspace, as calls act on it. */
type CallingKey = {
  key: Handle<'key'>;
  home: Handle<'workspace'>;
  currency: string;
  user: Handle<'user'>;
  person: Handle<'person'>;
  email: string;
  role: Role;
  surface: Surface;
  access: Access;
  mode: KeyMode;
  per_minute_max: number;
  per_second_max: number;
  expires_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
  is_revoked: boolean;
  has_left: boolean;
  made_by: Handle<'user'> | null;
  status: WorkspaceStatus;
  is_archived: boolean;
  audit_years: number;
};

/** Finds a key by the SHA-256 of its text. */
export async function findCallingKey(sql: Postgres, hash: Buffer): Promise<CallingKey | undefined> {
  const [row] = await sql<CallingKey[]>`
    select k.handle as key, k.workspace_handle as home, w.currency, u.handle as user, u.person_handle as person,
      u.email, u.role, k.surface, k.access, k.mode,
      k.per_minute_max, k.per_second_max, k.expires_at, k.revoked_at, k.last_used_at, k.is_revoked,
        u.removed_at is not null as has_left, k.made_by_handle as made_by, w.status,
        w.archived_at is not null as is_archived, audit_years_of(w.handle) as audit_years
    from keys k join workspaces w on w.handle = k.workspace_handle join users u on u.handle = k.user_handle
    where k.hash = ${hash}`;
  return row;
}

/** Notes that a call is made with a key, to the minute. */
export async function noteKeyUse(
  sql: Postgres,
  { key, last_used_at: last }: Pick<CallingKey, 'key' | 'last_used_at'>,
  at: Date,
): Promise<void> {
  if (last !== null && at.getTime() - last.getTime() < USE_MS) return;
  await sql`update keys set last_used_at = ${at}
    where handle = ${key} and (last_used_at is null or last_used_at < ${at})`;
}
