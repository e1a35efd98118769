import { createHash, randomBytes } from 'node:crypto';
import { formatId } from '#domain/id.ts';
import { mayMakeKey, type KeyMaker } from '#domain/key-reach.ts';
import { displayKey, formatKey, type KeyMode } from '#domain/key.ts';
import type { Access, Surface } from '#domain/permission.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#sql/unit-of-work.ts';
import type { Caller } from '../authentication.ts';
import { diffOfNew } from '../diff.ts';
import { refuseAbsent } from '../error-reply.ts';
import { envelope, handleBefore, type List, type Page } from '../paging.ts';
import type { Key } from './schema.ts';

const DAY_MS = 86_400_000;
/** Keys are rotated every 90 days, and the old one stays valid for a day (specification, section 5). */
const KEY_MS = 90 * DAY_MS;
const OVERLAP_MS = DAY_MS;
/** Live keys of a workspace: each has limits of its own, and a row that every process may keep. Rotated ones, which live for a day more, have as much room again. */
const KEYS_MAX = 100;
const KEYS_WITH_ROTATED_MAX = 2 * KEYS_MAX;

type KeyRow = {
  handle: number; user_handle: number; email: string; role: string; name: string; hash: Buffer; display: string; surface: Surface; access: Access; mode: KeyMode;
  per_minute_max: number; per_second_max: number; created_at: Date; expires_at: Date; revoked_at: Date | null;
};
export type KeyFields = { name: string; surface: Surface; access: Access; mode: KeyMode };
export type MadeKey = Key & { key: string };

/** A test key sees the keys of the sandbox; a live key sees all, because nobody else makes the first test key. */
function selectKeys(sql: Queryable, caller: Caller, now: Date) {
  return sql`
    select k.*, u.email, u.role from keys k join users u on u.handle = k.user_handle
    where k.workspace_handle = ${caller.workspace} and not k.is_revoked and (k.revoked_at is null or k.revoked_at > ${now}) ${caller.sandbox ? sql`and k.mode = 'test'` : sql``}`;
}

/** Keys that were not revoked, newest first; a rotated one until its overlap ends. */
export async function listKeys(sql: Postgres, caller: Caller, { page, now }: { page: Page; now: number }): Promise<List<Key>> {
  const rows = await sql<KeyRow[]>`${selectKeys(sql, caller, new Date(now))} and k.handle < ${handleBefore(page)} order by k.handle desc limit ${page.limit + 1}`;
  return envelope(rows, page, { positionOf: row => String(row.handle), recordOf: keyRecord });
}

/** Makes a key of the caller's user. Its text is in the answer and nowhere else. */
export async function createKey(sql: Postgres, caller: Caller, { fields, now }: { fields: KeyFields; now: number }): Promise<MadeKey | Refusal> {
  return inUnitOfWork<MadeKey | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const refusal = await refuseKeyBeyond(unit, caller, KEYS_MAX);
    if (refusal) return refusal;
    const made = await insertKey(unit, caller, { ...fields, user_handle: caller.actor.handle!, per_minute_max: undefined, per_second_max: undefined });
    const { name, surface, access, mode } = fields;
    unit.audit({ workspace: caller.workspace, action: 'key.created', entityType: 'key', entityHandle: made.handle, diff: diffOfNew({ name, surface, access, mode, display: made.row.display }) });
    return { ...keyRecord(made.row), key: made.key };
  });
}

/**
 * Makes the successor of a key: the same in everything, for 90 days from now. The old one is valid for 24 hours more.
 * The successor is shown to whoever asks, so it reaches no further than the asking key and is of the same person: else
 * one could act under another's name. Keys of others are revoked, and replaced by one's own.
 */
export async function rotateKey(sql: Postgres, caller: Caller, { handle, maker, now }: { handle: number; maker: KeyMaker; now: number }): Promise<MadeKey | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const old = await lockKey(unit, caller, handle);
    if (!old) return refuseAbsent();
    const refusal = mayMakeKey(maker, old);
    if (refusal) return refusal;
    if (old.user_handle !== caller.actor.handle) return refuse('role_forbidden', 'This key belongs to another person, who can rotate it. Revoke it, or create one of your own.');
    if (old.revoked_at) return refuse('state_conflict', 'This key was rotated already. Rotate its successor.');
    if (old.expires_at.getTime() <= now) return refuse('state_conflict', 'This key has expired. Create another one.');
    const beyond = await refuseKeyBeyond(unit, caller, KEYS_WITH_ROTATED_MAX);
    if (beyond) return beyond;
    const endsAt = new Date(now + OVERLAP_MS);
    // A key in its last hours still gets its full overlap.
    await unit.tx`update keys set revoked_at = ${endsAt}, expires_at = greatest(expires_at, ${endsAt}) where handle = ${handle}`;
    const made = await insertKey(unit, caller, old);
    const entity = { workspace: caller.workspace, entityType: 'key' };
    unit.audit({ ...entity, action: 'key.rotated', entityHandle: handle, diff: { revoked_at: { from: null, to: endsAt }, successor: { from: null, to: formatId('key', made.handle) } } });
    unit.audit({ ...entity, action: 'key.created', entityHandle: made.handle, diff: diffOfNew({ name: old.name, surface: old.surface, access: old.access, mode: old.mode, display: made.row.display }) });
    return { ...keyRecord(made.row), key: made.key };
  });
}

/** Revokes at once. `forget` is told the key's hash (base64) after the commit, so that no later call of this process passes. */
export async function revokeKey(sql: Postgres, caller: Caller, { handle, forget, now }: { handle: number; forget: (hash: string) => void; now: number }): Promise<undefined | Refusal> {
  const revoked = await inUnitOfWork<Buffer | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const old = await lockKey(unit, caller, handle);
    if (!old) return refuseAbsent();
    await unit.tx`update keys set is_revoked = true, revoked_at = ${unit.now} where handle = ${handle}`;
    unit.audit({ workspace: caller.workspace, action: 'key.revoked', entityType: 'key', entityHandle: handle, diff: { revoked_at: { from: old.revoked_at, to: unit.now } } });
    return old.hash;
  });
  if (isRefusal(revoked)) return revoked;
  forget(revoked.toString('base64'));
  return undefined;
}

/** Of both modes, whoever made them. The workspace's row is locked, so that two at the same moment follow one another. */
async function refuseKeyBeyond({ tx, now }: Unit, { workspace }: Caller, keysMax: number): Promise<Refusal | undefined> {
  await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
  const [row] = await tx<{ keys: number }[]>`
    select count(*)::integer as keys from keys where workspace_handle = ${workspace} and not is_revoked and (revoked_at is null or revoked_at > ${now}) and expires_at > ${now}`;
  return row!.keys < keysMax ? undefined : refuse('too_many_keys', `This workspace has ${row!.keys} keys. Revoke those that nobody uses.`);
}

async function lockKey({ tx, now }: Unit, caller: Caller, handle: number): Promise<KeyRow | undefined> {
  const [row] = await tx<KeyRow[]>`${selectKeys(tx, caller, now)} and k.handle = ${handle} for update of k`;
  return row;
}

type NewKey = KeyFields & { user_handle: number; per_minute_max: number | undefined; per_second_max: number | undefined };

async function insertKey({ tx, now }: Unit, caller: Caller, fields: NewKey): Promise<{ handle: number; key: string; row: KeyRow }> {
  const { name, surface, access, mode, user_handle, per_minute_max, per_second_max } = fields;
  const key = formatKey(randomBytes(32), mode);
  const columns = {
    workspace_handle: caller.workspace, user_handle, name, surface, access, mode, hash: createHash('sha256').update(key).digest(), display: displayKey(key),
    created_at: now, expires_at: new Date(now.getTime() + KEY_MS), ...(per_minute_max !== undefined && { per_minute_max }), ...(per_second_max !== undefined && { per_second_max }),
  };
  const [row] = await tx<KeyRow[]>`
    with made as (insert into keys ${tx(columns)} returning *) select made.*, u.email, u.role from made join users u on u.handle = made.user_handle`;
  return { handle: row!.handle, key, row: row! };
}

function keyRecord(row: KeyRow): Key {
  const endsAt = row.revoked_at && row.revoked_at < row.expires_at ? row.revoked_at : row.expires_at;
  return {
    id: formatId('key', row.handle),
    name: row.name,
    display: row.display,
    surface: row.surface,
    access: row.access,
    mode: row.mode,
    user: { id: formatId('user', row.user_handle), email: row.email, role: row.role },
    limits: { per_minute: row.per_minute_max, per_second: row.per_second_max },
    created_at: row.created_at.toISOString(),
    expires_at: endsAt.toISOString(),
  };
}
