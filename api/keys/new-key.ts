/** Creates an API key for every kind of caller: a call with a key, the acceptance of an invitation, or a sign-up. */
import { createHash, randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { displayKey, formatKey, type KeyMode } from '#domain/access/key.ts';
import type { Access, Surface } from '#domain/access/permission.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { Key } from './schema.ts';

const DAY_MS = 86_400_000;
/** Keys are valid for 90 days (docs/interface-specification.md, section 5). */
const KEY_MS = 90 * DAY_MS;
/**
 * Valid keys of a workspace: each has rate limits of its own, and every process may cache its row. Rotated keys, which
 * are valid for another day, have as much room again.
 */
export const KEYS_MAX = 100;
export const KEYS_WITH_ROTATED_MAX = 2 * KEYS_MAX;

export type KeyRow = {
  handle: Handle<'key'>;
  user_handle: Handle<'user'>;
  email: string;
  role: string;
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
  made_by_handle: Handle<'user'> | null;
};
export type KeyFields = { name: string; surface: Surface; access: Access; mode: KeyMode };
export type MadeKey = Key & { key: string };
/** `made_by_handle`: the user who makes the key for another person; absent: it is for the caller. */
export type NewKey = KeyFields & {
  user_handle: Handle<'user'>;
  made_by_handle?: Handle<'user'> | null;
  per_minute_max?: number;
  per_second_max?: number;
};

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

/** Creates a key and its audit entry. The text of the key is in this answer and nowhere else. */
export async function makeKey(unit: Unit, workspace: Handle<'workspace'>, wanted: NewKey): Promise<MadeKey> {
  const row = await insertKey(unit, workspace, wanted);
  const { name, surface, access, mode, made_by_handle: maker } = wanted;
  unit.audit({
    workspace,
    action: 'key.created',
    entityType: 'key',
    entityHandle: row.handle,
    diff: diffOfNew({
      name,
      surface,
      access,
      mode,
      display: row.display,
      ...(maker && { user: formatId('user', wanted.user_handle) }),
    }),
  });
  return { ...keyRecord(row), key: row.key };
}

async function insertKey(
  { tx, now }: Unit,
  workspace: Handle<'workspace'>,
  fields: NewKey,
): Promise<KeyRow & { key: string }> {
  const { name, surface, access, mode, user_handle, made_by_handle = null, per_minute_max, per_second_max } = fields;
  const key = formatKey(randomBytes(32), mode);
  const columns = {
    workspace_handle: workspace,
    user_handle,
    made_by_handle,
    name,
    surface,
    access,
    mode,
    hash: createHash('sha256').update(key).digest(),
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

export function keyRecord(row: KeyRow): Key {
  const endsAt = row.revoked_at && row.revoked_at < row.expires_at ? row.revoked_at : row.expires_at;
  return {
    id: formatId('key', row.handle),
    name: row.name,
    display: row.display,
    surface: row.surface,
    access: row.access,
    mode: row.mode,
    user: { id: formatId('user', row.user_handle), email: row.email, role: row.role },
    made_by_id: row.made_by_handle === null ? null : formatId('user', row.made_by_handle),
    limits: { per_minute: row.per_minute_max, per_second: row.per_second_max },
    created_at: row.created_at.toISOString(),
    expires_at: endsAt.toISOString(),
  };
}
