import { createHash, randomBytes } from 'node:crypto';
import { formatId } from '#domain/id.ts';
import { displayKey, formatKey, type KeyMode } from '#domain/key.ts';
import { topUp } from '#domain/ledger.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, type Actor } from '#sql/unit-of-work.ts';

/** What the operator may do to records, each as one unit of work with its audit entry. Handles in, ids out. */
const OPERATOR: Actor = { type: 'operator', source: 'CLI' };
/** Keys are rotated every 90 days (specification, section 5). */
const KEY_DAYS = 90;
const DAY_MS = 86_400_000;

export type Surface = 'ads_manager' | 'screen_manager' | 'agency';
export type Role = 'owner' | 'admin' | 'manager' | 'finance' | 'viewer';

/** Creates a workspace with its owner, who holds the keys that name no other user. */
export async function createWorkspace(sql: Postgres, now: Date, input: { kind: 'brand' | 'agency' | 'venue'; name: string; currency: string; plan: 'standard' | 'top' }): Promise<number> {
  return inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const [workspace] = await unit.tx<{ handle: number }[]>`
      insert into workspaces (kind, name, currency, plan, created_at) values (${input.kind}, ${input.name}, ${input.currency}, ${input.plan}, ${now}) returning handle`;
    const handle = workspace!.handle;
    await unit.tx`insert into users (workspace_handle, email, role, created_at) values (${handle}, ${`owner@${formatId('workspace', handle)}.invalid`}, 'owner', ${now})`;
    unit.audit({ workspace: handle, action: 'workspace.created', entityType: 'workspace', entityHandle: handle, diff: { name: { from: null, to: input.name } } });
    return handle;
  });
}

export async function createUser(sql: Postgres, now: Date, input: { workspace: number; email: string; role: Role }): Promise<number> {
  return inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const [user] = await unit.tx<{ handle: number }[]>`
      insert into users (workspace_handle, email, role, created_at) values (${input.workspace}, ${input.email}, ${input.role}, ${now}) returning handle`;
    const handle = user!.handle;
    unit.audit({ workspace: input.workspace, action: 'user.created', entityType: 'user', entityHandle: handle, diff: { email: { from: null, to: input.email }, role: { from: null, to: input.role } } });
    return handle;
  });
}

export type NewKey = { workspace: number; user: number; surface: Surface; access: 'read_write' | 'read_only'; mode: KeyMode; perMinuteMax?: number; perSecondMax?: number };

/** Creates a key; its text is given once and only its SHA-256 is kept. */
export async function createKey(sql: Postgres, now: Date, input: NewKey): Promise<{ handle: number; key: string }> {
  const key = formatKey(randomBytes(32), input.mode);
  const hash = createHash('sha256').update(key).digest();
  return inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const [row] = await unit.tx<{ handle: number }[]>`
      insert into keys ${unit.tx({
        workspace_handle: input.workspace,
        user_handle: input.user,
        surface: input.surface,
        access: input.access,
        mode: input.mode,
        hash,
        display: displayKey(key),
        per_minute_max: input.perMinuteMax ?? 600,
        per_second_max: input.perSecondMax ?? 200,
        created_at: now,
        expires_at: new Date(now.getTime() + KEY_DAYS * DAY_MS),
      })} returning handle`;
    const handle = row!.handle;
    unit.audit({ workspace: input.workspace, action: 'key.created', entityType: 'key', entityHandle: handle, diff: { surface: { from: null, to: input.surface }, access: { from: null, to: input.access }, mode: { from: null, to: input.mode } } });
    return { handle, key };
  });
}

/** Puts money on the live wallet of a workspace: from the funding account, in the workspace's currency. */
export async function fundWallet(sql: Postgres, now: Date, input: { workspace: number; amountMicros: number; book: 'live' | 'sandbox' }): Promise<void> {
  await inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const [workspace] = await unit.tx<{ currency: string }[]>`select currency from workspaces where handle = ${input.workspace}`;
    const reference = `top_up:${randomBytes(12).toString('hex')}`;
    await unit.post(topUp({ book: input.book, currency: workspace!.currency, workspace: input.workspace, amountMicros: input.amountMicros, reference }));
    unit.audit({ workspace: input.workspace, action: 'wallet.funded', entityType: 'workspace', entityHandle: input.workspace, diff: { amount_micros: { from: null, to: input.amountMicros } } });
  });
}

export async function ownerOf(sql: Postgres, workspace: number): Promise<number | undefined> {
  const [row] = await sql<{ handle: number }[]>`select handle from users where workspace_handle = ${workspace} and role = 'owner' order by handle limit 1`;
  return row?.handle;
}

export async function currencyOf(sql: Postgres, workspace: number): Promise<string | undefined> {
  const [row] = await sql<{ currency: string }[]>`select currency from workspaces where handle = ${workspace}`;
  return row?.currency;
}
