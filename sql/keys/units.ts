/** API keys as a workspace sees and changes them: list, creation, rotation, revocation, and limits by the operator. */
import { mayMakeKey, type KeyMaker } from '#domain/access/key-reach.ts';
import { mayGiveRole, type Role } from '#domain/access/permission.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Call, type Owner, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import {
  insertKey,
  KEYS_MAX,
  makeKey,
  refuseKeyBeyond,
  selectKeys,
  type KeyFields,
  type KeyRow,
  type MadeKey,
  type NewKey,
} from './keys.ts';

/** A rotated key stays valid for a day (docs/interface-specification.md, section 5). */
const OVERLAP_MS = 86_400_000;

/**
 * A test key sees the keys of the sandbox. A live key sees all of them, because nobody else can create the first test
 * key.
 */
function selectOwn(sql: Queryable, { workspace, sandbox }: Owner, now: Date) {
  return sql`${selectKeys(sql)} where k.workspace_handle = ${workspace} and not k.is_revoked
      and (k.revoked_at is null or k.revoked_at > ${now}) ${sandbox ? sql`and k.mode = 'test'` : sql``}`;
}

/** A page of the keys that were not revoked; a rotated one until its overlap ends. */
export async function listKeys(
  sql: Postgres,
  owner: Owner,
  { page, now }: { page: PageOrder; now: Date },
): Promise<KeyRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'k.handle' });
  return sql<KeyRow[]>`${selectOwn(sql, owner, now)} ${behind} ${order}`;
}

/** One of those keys. */
export async function findKey(
  sql: Postgres,
  owner: Owner,
  { handle, now }: { handle: Handle<'key'>; now: Date },
): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`${selectOwn(sql, owner, now)} and k.handle = ${handle}`;
  return row;
}

/**
 * `user`: the key's person; absent: the caller. `role`: of the caller. `madeBy`: who made the calling key for its
 * person, if another person did.
 */
type KeyRequest = { fields: KeyFields; user: Handle<'user'> | undefined; role: Role; madeBy: Handle<'user'> | null };

/**
 * Creates a key for the caller, or for a member of the workspace whose role the caller may give. The maker of another
 * person's key can act as that person here. So a key remembers its maker, and so do the keys that are made with it.
 */
export async function createKey(
  sql: Postgres,
  call: Call,
  { fields, user, role, madeBy }: KeyRequest,
): Promise<MadeKey | Refusal> {
  return inUnitOfWork<MadeKey | Refusal>(sql, call, async unit => {
    const own = call.actor.handle!;
    const holder = user ?? own;
    const refusal =
      (holder === own ? undefined : await refuseHolder(unit, call, { user: holder, role })) ??
      (await refuseKeyBeyond(unit, call.workspace, KEYS_MAX));
    if (refusal) return refusal;
    return makeKey(unit, call.workspace, {
      ...fields,
      user_handle: holder,
      made_by_handle: holder === own ? madeBy : own,
    });
  });
}

async function refuseHolder(
  { tx }: Unit,
  { workspace }: Owner,
  { user, role }: { user: Handle<'user'>; role: Role },
): Promise<Refusal | undefined> {
  const [member] = await tx<{ role: Role }[]>`
    select role from users where handle = ${user} and workspace_handle = ${workspace} and removed_at is null for share`;
  return member
    ? mayGiveRole(role, member.role)
    : refuseField('/user_id', 'unknown_member', 'is not a member of this workspace');
}

/**
 * Creates the successor of a key, the same in everything, for 90 days from now. The old key is valid for another 24
 * hours. The caller sees the successor, so it may not reach further than the calling key and must be of the same
 * person: otherwise one could act under another's name. Keys of others are revoked and replaced by one's own. If
 * another person made the calling key, that person sees the successor, too.
 */
export async function rotateKey(
  sql: Postgres,
  call: Call,
  { handle, maker, madeBy }: { handle: Handle<'key'>; maker: KeyMaker; madeBy: Handle<'user'> | null },
): Promise<MadeKey | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const { now } = unit;
    const old = await lockKey(unit, call, handle);
    if (!old) return refuseAbsent();
    const refusal = mayMakeKey(maker, old);
    if (refusal) return refusal;
    if (old.user_handle !== call.actor.handle)
      return refuse(
        'role_forbidden',
        'This key belongs to another person, who can rotate it. Revoke it, or create one of your own.',
      );
    if (old.revoked_at) return refuse('state_conflict', 'This key was rotated already. Rotate its successor.');
    if (old.expires_at <= now) return refuse('state_conflict', 'This key has expired. Create another one.');
    const beyond = await refuseKeyBeyond(unit, call.workspace, 2 * KEYS_MAX);
    if (beyond) return beyond;
    const endsAt = new Date(now.getTime() + OVERLAP_MS);
    // A key in its last hours still gets its full overlap.
    await unit.tx`update keys set revoked_at = ${endsAt}, expires_at = greatest(expires_at, ${endsAt})
      where handle = ${handle}`;
    const made = await makeKey(unit, call.workspace, { ...old, made_by_handle: old.made_by_handle ?? madeBy });
    const diff = {
      revoked_at: { from: null, to: endsAt },
      successor: { from: null, to: formatId('key', made.handle) },
    };
    unit.audit({ workspace: call.workspace, action: 'key.rotated', entityType: 'key', entityHandle: handle, diff });
    return made;
  });
}

/** Revokes a key at once, and returns its hash. */
export async function revokeKey(sql: Postgres, call: Call, handle: Handle<'key'>): Promise<Buffer | Refusal> {
  return inUnitOfWork<Buffer | Refusal>(sql, call, async unit => {
    const old = await lockKey(unit, call, handle);
    if (!old) return refuseAbsent();
    await unit.tx`update keys set is_revoked = true, revoked_at = ${unit.now} where handle = ${handle}`;
    const diff = { revoked_at: { from: old.revoked_at, to: unit.now } };
    unit.audit({ workspace: call.workspace, action: 'key.revoked', entityType: 'key', entityHandle: handle, diff });
    return old.hash;
  });
}

async function lockKey({ tx, now }: Unit, owner: Owner, handle: Handle<'key'>): Promise<KeyRow | undefined> {
  const [row] = await tx<KeyRow[]>`${selectOwn(tx, owner, now)} and k.handle = ${handle} for update of k`;
  return row;
}

/** Creates a key for a member, as the operator does: without a bound on the number of keys. */
export async function issueKey(
  sql: Postgres,
  options: UnitOptions,
  { workspace, ...wanted }: NewKey & { workspace: Handle<'workspace'> },
): Promise<MadeKey> {
  return inUnitOfWork(sql, options, async unit => {
    const made = await insertKey(unit, workspace, wanted);
    const { surface, access, mode } = wanted;
    const diff = diffOfNew({ surface, access, mode });
    unit.audit({ workspace, action: 'key.created', entityType: 'key', entityHandle: made.handle, diff });
    return made;
  });
}

type KeyLimits = Pick<KeyRow, 'per_minute_max' | 'per_second_max'>;

/** Changes how often a key may call. Returns the limits after it; undefined if there is no such key. */
export async function changeKeyLimits(
  sql: Postgres,
  options: UnitOptions,
  { key, ...limits }: Partial<KeyLimits> & { key: Handle<'key'> },
): Promise<KeyLimits | undefined> {
  return inUnitOfWork(sql, options, async unit => {
    const [row] = await unit.tx<(KeyLimits & { workspace: Handle<'workspace'> })[]>`
      select workspace_handle as workspace, per_minute_max, per_second_max from keys where handle = ${key} for update`;
    if (!row) return undefined;
    const { workspace, ...before } = row;
    const after = { ...before, ...limits };
    await unit.tx`update keys set ${unit.tx(after)} where handle = ${key}`;
    const diff = {
      per_minute: { from: before.per_minute_max, to: after.per_minute_max },
      per_second: { from: before.per_second_max, to: after.per_second_max },
    };
    unit.audit({ workspace, action: 'key.updated', entityType: 'key', entityHandle: key, diff });
    return after;
  });
}
