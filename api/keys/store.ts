/** API keys in Postgres: list, creation, rotation and revocation. Only the hash of a key is stored. */
import type { Milliseconds } from '#domain/unit.ts';
import { mayMakeKey, type KeyMaker } from '#domain/access/key-reach.ts';
import { mayGiveRole, type Role } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import {
  keyRecord,
  KEYS_MAX,
  KEYS_WITH_ROTATED_MAX,
  makeKey,
  refuseKeyBeyond,
  type KeyFields,
  type KeyRow,
  type MadeKey,
} from './new-key.ts';
import type { Key } from './schema.ts';

const DAY_MS = 86_400_000;
/** A rotated key stays valid for a day (docs/interface-specification.md, section 5). */
const OVERLAP_MS = DAY_MS;

/**
 * `user`: the key's person; absent: the caller. `role`: of the caller. `madeBy`: who made the calling key for its
 * person, if another person did.
 */
export type KeyRequest = {
  fields: KeyFields;
  user: Handle<'user'> | undefined;
  role: Role;
  madeBy: Handle<'user'> | null;
};

/**
 * A test key lists the keys of the sandbox. A live key lists all of them, because nobody else can create the first test
 * key.
 */
function selectKeys(sql: Queryable, caller: Caller, now: Date) {
  return sql`
    select k.*, u.email, u.role from keys k join users u on u.handle = k.user_handle
    where k.workspace_handle = ${caller.workspace} and not k.is_revoked
      and (k.revoked_at is null or k.revoked_at > ${now}) ${caller.sandbox ? sql`and k.mode = 'test'` : sql``}`;
}

/** Keys that were not revoked, newest first; a rotated one until its overlap ends. */
export async function listKeys(
  sql: Postgres,
  caller: Caller,
  { page, now }: { page: Page; now: Milliseconds },
): Promise<List<Key>> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'k.handle' });
  const rows = await sql<KeyRow[]>`${selectKeys(sql, caller, new Date(now))} ${behind} ${order}`;
  return envelope(rows, page, { positionOf: positionIn(page, BY_CREATION), recordOf: keyRecord });
}

export async function readKey(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'key'>; now: Milliseconds },
): Promise<Key | Refusal> {
  const [row] = await sql<KeyRow[]>`${selectKeys(sql, caller, new Date(now))} and k.handle = ${handle}`;
  return row ? keyRecord(row) : refuseAbsent();
}

/**
 * Creates a key for the caller, or for a member of the workspace whose role the caller may give. The maker of another
 * person's key can act as that person here. So a key remembers its maker, and so do the keys that are made with it.
 */
export async function createKey(
  sql: Postgres,
  caller: Caller,
  { fields, user, role, madeBy, now }: KeyRequest & { now: Milliseconds },
): Promise<MadeKey | Refusal> {
  return inUnitOfWork<MadeKey | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const own = caller.actor.handle!;
    const refusal =
      (user === undefined || user === own ? undefined : await refuseHolder(unit, caller, { user, role })) ??
      (await refuseKeyBeyond(unit, caller.workspace, KEYS_MAX));
    if (refusal) return refusal;
    const isOwn = user === undefined || user === own;
    return makeKey(unit, caller.workspace, {
      ...fields,
      user_handle: user ?? own,
      made_by_handle: isOwn ? madeBy : own,
    });
  });
}

async function refuseHolder(
  { tx }: Unit,
  { workspace }: Caller,
  { user, role }: { user: Handle<'user'>; role: Role },
): Promise<Refusal | undefined> {
  const [member] = await tx<
    { role: Role }[]
  >`select role from users where handle = ${user} and workspace_handle = ${workspace} and removed_at is null for share`;
  return member
    ? mayGiveRole(role, member.role)
    : refuseField('/user_id', 'unknown_member', 'is not a member of this workspace');
}

/**
 * Creates the successor of a key, the same in everything, for 90 days from now. The old key is valid for another 24
 * hours. The caller sees the successor, so it may not reach further than the calling key and must be of the same
 * person: otherwise one could act under another's name. Keys of others are revoked and replaced by one's own.
 */
export async function rotateKey(
  sql: Postgres,
  caller: Caller,
  { handle, maker, now }: { handle: Handle<'key'>; maker: KeyMaker; now: Milliseconds },
): Promise<MadeKey | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const old = await lockKey(unit, caller, handle);
    if (!old) return refuseAbsent();
    const refusal = mayMakeKey(maker, old);
    if (refusal) return refusal;
    if (old.user_handle !== caller.actor.handle)
      return refuse(
        'role_forbidden',
        'This key belongs to another person, who can rotate it. Revoke it, or create one of your own.',
      );
    if (old.revoked_at) return refuse('state_conflict', 'This key was rotated already. Rotate its successor.');
    if (old.expires_at.getTime() <= now) return refuse('state_conflict', 'This key has expired. Create another one.');
    const beyond = await refuseKeyBeyond(unit, caller.workspace, KEYS_WITH_ROTATED_MAX);
    if (beyond) return beyond;
    const endsAt = new Date(now + OVERLAP_MS);
    // A key in its last hours still gets its full overlap.
    await unit.tx`update keys set revoked_at = ${endsAt}, expires_at = greatest(expires_at, ${endsAt})
      where handle = ${handle}`;
    const made = await makeKey(unit, caller.workspace, old);
    unit.audit({
      workspace: caller.workspace,
      action: 'key.rotated',
      entityType: 'key',
      entityHandle: handle,
      diff: { revoked_at: { from: null, to: endsAt }, successor: { from: null, to: made.id } },
    });
    return made;
  });
}

/**
 * Revokes at once. Calls `forget` with the key's hash (base64) after the commit, so that no later call of this process
 * passes.
 */
export async function revokeKey(
  sql: Postgres,
  caller: Caller,
  { handle, forget, now }: { handle: Handle<'key'>; forget: (hash: string) => void; now: Milliseconds },
): Promise<undefined | Refusal> {
  const revoked = await inUnitOfWork<Buffer | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const old = await lockKey(unit, caller, handle);
    if (!old) return refuseAbsent();
    await unit.tx`update keys set is_revoked = true, revoked_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'key.revoked',
      entityType: 'key',
      entityHandle: handle,
      diff: { revoked_at: { from: old.revoked_at, to: unit.now } },
    });
    return old.hash;
  });
  if (isRefusal(revoked)) return revoked;
  forget(revoked.toString('base64'));
  return undefined;
}

async function lockKey({ tx, now }: Unit, caller: Caller, handle: Handle<'key'>): Promise<KeyRow | undefined> {
  const [row] = await tx<KeyRow[]>`${selectKeys(tx, caller, now)} and k.handle = ${handle} for update of k`;
  return row;
}
