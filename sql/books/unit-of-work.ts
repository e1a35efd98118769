/**
 * A unit of work: one Postgres transaction that carries the rows of a change together with its ledger postings, its audit
 * entries, its events for the outbox and its lines in the change log. Either all of it is there or none.
 *
 * Order of locks: the rows of the caller, ledger accounts (by handle), audit heads (by workspace). Workspaces that have
 * nothing to do with each other share none of them but the operator's own accounts (`funding`, `fee`).
 */
import { createHash } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import { distinct, tellChanges, type Change } from './change-log.ts';
import { InsufficientFunds, isOverdrawn, postEntries, postingsOf, type LedgerEntry } from './ledger.ts';
import {
  beginClaim,
  claimFault,
  claimOnce,
  isClaimed,
  keptAfter,
  OnceRefused,
  reopen,
  replyRow,
  type KeptReply,
  type Once,
} from './once.ts';
import { isRolledBack, jsonb, type Fragment, type Postgres, type Transaction } from '#sql/postgres.ts';
import { stableJson } from './stable-json.ts';

export type Actor = {
  type: 'user' | 'operator' | 'system' | 'device';
  source: 'API' | 'CLI' | 'SYSTEM' | 'DEVICE';
  handle?: Handle<'user'>;
  email?: string;
  ip?: string;
  userAgent?: string;
  /** Whether it acts in the book of play money, so that its entries stand in the audit of the sandbox. */
  sandbox?: boolean;
  /** Told after a commit that wrote audit entries. */
  onAudited?: () => void;
};

export const SYSTEM_ACTOR: Actor = { type: 'system', source: 'SYSTEM' };

type EntityRef = { entityType: string; entityHandle: Handle };
/**
 * `sandbox` says in which book an entry or an event stands when the actor acts in none (the system, an operator, a device).
 * `user` is the actor's user in this workspace, where it is not the one that acts: a person has one in each.
 */
type AuditEntry = EntityRef & {
  workspace: Handle<'workspace'>;
  action: string;
  diff: Record<string, { from: unknown; to: unknown }>;
  sandbox?: boolean;
  user?: Handle<'user'>;
};
type OutboxEvent = EntityRef & {
  workspace: Handle<'workspace'>;
  type: string;
  payload: Record<string, unknown>;
  sandbox?: boolean;
};

export type Unit = {
  tx: Transaction;
  now: Date;
  audit(entry: AuditEntry): void;
  emit(event: OutboxEvent): void;
  changed<K extends Change['entity']>(entity: K, handle: Handle<NoInfer<K>>): void;
  /** Posts at once; a reference that was posted before adds nothing. @throws InsufficientFunds, which must leave the unit. */
  post(entry: LedgerEntry): Promise<'posted' | 'already_posted'>;
  /** Posts many at once. The locks of accounts are taken in one order over all of them, so a unit posts all it has in one call. */
  postAll(entries: readonly LedgerEntry[]): Promise<void>;
};

/** Thrown by a caller to leave the unit with a value and without an effect. */
export class Rollback<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super('rolled back on purpose');
    this.name = 'Rollback';
    this.value = value;
  }
}

/** Who changes something, when, and for a call that may be repeated: what makes its effect happen once. */
export type UnitOptions = { actor: Actor; now: Date; once?: Once | undefined };

/**
 * Runs `work` as one transaction.
 * @throws InsufficientFunds when a posting takes an account below zero; nothing was written then.
 * @throws RepliedBefore or OnceRefused where `once` was claimed before; nothing was done then.
 */
export async function inUnitOfWork<T>(
  sql: Postgres,
  { actor, now, once }: UnitOptions,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  const result = await sql.begin(async tx => {
    if (once) await claimOnce(tx, once, now);
    const audits: AuditEntry[] = [];
    const events: OutboxEvent[] = [];
    const changes: Change[] = [];
    const value = await work({
      tx,
      now,
      audit: entry => {
        audits.push(entry);
      },
      emit: event => {
        events.push(event);
      },
      changed: (entity, handle) => {
        changes.push({ entity, handle });
      },
      post: async entry => ((await postEntries(tx, [entry], now)).size === 1 ? 'posted' : 'already_posted'),
      postAll: async entries => {
        await postEntries(tx, entries, now);
      },
    });
    const reply = once?.replyOf(value);
    const closing = { actor, audits, events, changes, ...(once && reply && { kept: { once, reply } }) };
    if (reply !== undefined || audits.length + events.length + changes.length > 0)
      await tx`select close_unit(${jsonb(tx, closingOf([closing], now))})`.catch(refuseClaimed);
    return { value, isKept: reply !== undefined, isAudited: audits.length > 0, isChanged: changes.length > 0 };
  });
  const { value, ...written } = result as Written & { value: T };
  tellOf(sql, { actor, once }, written);
  return value;
}

/** A unit whose own rows a statement writes, and which knows all that it writes before it begins. */
export type PlannedUnit<T> = {
  actor: Actor;
  once?: Once | undefined;
  /** With different references. One that was posted before adds nothing. */
  entries?: readonly LedgerEntry[];
  audits?: readonly AuditEntry[];
  events?: readonly OutboxEvent[];
  changes?: readonly Change[];
  /** What the call is answered. */
  value: T;
};

/** What a statement writes, and when. */
export type UnitStatement<T> = {
  now: Date;
  /**
   * The common table expressions that write the rows of all units. The last, `written`, gives one row for each unit, or none
   * at all where something that one of them relies on has changed since it was read: then nothing may have been written.
   */
  rows: Fragment;
  units: readonly PlannedUnit<T>[];
};

/**
 * Runs whole units as one statement, which is their transaction: claims, rows, postings, audit, events, changes and replies
 * are sent, written and committed in one turn, and locks are held for no other. All of the units are written or none.
 * Answers whether they were written; false where `written` gave no row.
 * @throws as `inUnitOfWork` does for one unit; what Postgres says for several, of which any may be the cause, and each may be
 *   written alone after it (`isRolledBack`)
 */
export async function writeUnits<T>(sql: Postgres, { now, rows, units }: UnitStatement<T>): Promise<boolean> {
  const closings = units.map(({ once, value, ...unit }) => {
    const reply = once?.replyOf(value);
    if (once) beginClaim(once);
    return { ...unit, ...(once && reply && { kept: { once, reply } }) };
  });
  const written = await sql`
    with ${rows} select close_unit(${jsonb(sql, closingOf(closings, now))})
    from (select count(*) as units from written) done where units = ${units.length}`.catch(async (error: unknown) => {
    if (units.length === 1) throw await faultOf(sql, { error, once: units[0]!.once, now });
    if (isRolledBack(error)) for (const { once } of units) reopen(once);
    throw error;
  });
  if (written.length === 0) {
    for (const { once } of units) reopen(once);
    return false;
  }
  for (const { actor, kept, audits = [], changes = [] } of closings)
    tellOf(
      sql,
      { actor, once: kept?.once },
      { isKept: kept !== undefined, isAudited: audits.length > 0, isChanged: changes.length > 0 },
    );
  return true;
}

type FailedUnit = { error: unknown; once: Once | undefined; now: Date };

/** Why the statement of one unit failed, as its caller is told. */
async function faultOf(sql: Postgres, { error, once, now }: FailedUnit): Promise<unknown> {
  if (isOverdrawn(error)) return new InsufficientFunds();
  return once && isClaimed(error) ? claimFault(sql, once, now) : error;
}

type Written = { isKept: boolean; isAudited: boolean; isChanged: boolean };

/** Tells what follows changes, after the commit. */
function tellOf(sql: Postgres, { actor, once }: Pick<UnitOptions, 'actor' | 'once'>, written: Written): void {
  if (written.isChanged) void tellChanges(sql);
  if (written.isAudited) actor.onAudited?.();
  if (once && written.isKept) {
    faultPoint('once.committed');
    once.progress.state = 'kept';
  }
}

/** Longer than any transaction waits for a lock: an entry whose predecessor is further ahead stands after a wrong clock. */
const AUDIT_AHEAD = '120 seconds';

type Closing = {
  actor: Actor;
  entries?: readonly LedgerEntry[];
  audits?: readonly AuditEntry[];
  events?: readonly OutboxEvent[];
  changes?: readonly Change[];
  kept?: { once: Once; reply: KeptReply };
};

/** What units write beside their rows, as the function `close_unit` takes it. What there is none of is left out. */
function closingOf(closings: readonly Closing[], now: Date): Record<string, unknown> {
  const replies = closings.flatMap(({ kept }) => (kept ? [replyRow(kept.once, kept.reply)] : []));
  const entries = closings.flatMap(closing => closing.entries ?? []);
  const events = closings.flatMap(closing => closing.events?.map(event => outboxRow(event, closing.actor)) ?? []);
  const changes = closings.flatMap(closing => closing.changes ?? []);
  const audits = auditsByWorkspace(closings);
  return {
    at: now,
    ...(replies.length > 0 && { replies, kept_after: keptAfter(now) }),
    ...(entries.length > 0 && postingsOf(entries)),
    ...(audits.length > 0 && { audits, audit_ahead_max: AUDIT_AHEAD }),
    ...(events.length > 0 && { events }),
    ...(changes.length > 0 && { changes: distinct(changes) }),
  };
}

/** No second effect, whatever let two come this far. */
function refuseClaimed(error: unknown): never {
  throw isClaimed(error) ? new OnceRefused('in_flight') : error;
}

function outboxRow({ workspace, type, entityType, entityHandle, payload, sandbox }: OutboxEvent, actor: Actor) {
  return {
    workspace,
    sandbox: (sandbox ?? actor.sandbox) === true,
    type,
    entity_type: entityType,
    entity_handle: entityHandle,
    payload,
  };
}

/** In the order of the workspaces, whose audits are locked in it. */
function auditsByWorkspace(closings: readonly Closing[]) {
  const byWorkspace = new Map<Handle<'workspace'>, { row: UnnumberedRow; spelling: readonly string[] }[]>();
  for (const { audits = [], actor } of closings)
    for (const entry of audits) {
      const row = auditRow(entry, actor);
      const entries = byWorkspace.get(entry.workspace);
      if (entries) entries.push({ row, spelling: spellAround(row) });
      else byWorkspace.set(entry.workspace, [{ row, spelling: spellAround(row) }]);
    }
  return [...byWorkspace].sort(([a], [b]) => a - b).map(([workspace, entries]) => ({ workspace, entries }));
}

export type AuditRow = {
  workspace_handle: Handle<'workspace'>;
  number: number;
  at: Date;
  actor_type: string;
  actor_handle: Handle<'user'> | null;
  actor_email: string | null;
  source: string;
  action: string;
  entity_type: string;
  entity_handle: Handle;
  ip: string | null;
  user_agent: string | null;
  diff: Record<string, { from: unknown; to: unknown }>;
  sandbox?: true; // absent from the hash of a live entry
};

type UnnumberedRow = Omit<AuditRow, 'at' | 'number'>;

function auditRow(entry: AuditEntry, actor: Actor): UnnumberedRow {
  return {
    workspace_handle: entry.workspace,
    actor_type: actor.type,
    actor_handle: entry.user ?? actor.handle ?? null,
    actor_email: actor.email ?? null,
    source: actor.source,
    action: entry.action,
    entity_type: entry.entityType,
    entity_handle: entry.entityHandle,
    ip: actor.ip ?? null,
    user_agent: actor.userAgent ?? null,
    diff: JSON.parse(JSON.stringify(entry.diff)) as AuditRow['diff'], // what jsonb will give back: no undefined, dates as text
    ...((entry.sandbox ?? actor.sandbox) === true && { sandbox: true as const }),
  };
}

/** The pieces of a row's stable JSON around its time and its number, which the database gives it. */
function spellAround(row: UnnumberedRow): [beforeAt: string, beforeNumber: string, rest: string] {
  const spell = (isWithin: (key: string) => boolean) =>
    Object.entries(row)
      .filter(([key]) => isWithin(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${JSON.stringify(key)}:${stableJson(value)},`)
      .join('');
  const [first, middle, last] = [
    spell(key => key < 'at'),
    spell(key => key > 'at' && key < 'number'),
    spell(key => key > 'number'),
  ];
  return [`{${first}"at":"`, `",${middle}"number":`, `,${last.slice(0, -1)}}`];
}

/** SHA-256 over the hash before and the entry's content, keys sorted, so that it can be computed again from the row. */
export function auditHash(previous: Uint8Array, row: AuditRow): Buffer {
  return createHash('sha256').update(previous).update(stableJson(row)).digest();
}
