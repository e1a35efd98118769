/**
 * A unit of work: one Postgres transaction that carries the rows of a change together with its ledger postings, its
 * audit entries, its events for the outbox and its lines in the change log. Either all of it is written or none.
 *
 * Order of locks: the rows of the caller, ledger accounts (by handle), audit heads (by workspace). Workspaces that have
 * nothing to do with each other share none of them but the operator's own accounts (`funding`, `fee`).
 */
import { createHash } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import { distinct, tellChanges, type Change } from './change-log.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import { InsufficientFunds, isOverdrawn, postEntries, postingsOf } from './ledger.ts';
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
import { isRefusal } from '#domain/refusal.ts';
import { stableJson } from '#domain/signing/stable-json.ts';

export type Actor = {
  type: 'user' | 'operator' | 'system' | 'device';
  source: 'API' | 'CLI' | 'SYSTEM' | 'DEVICE';
  handle?: Handle<'user'>;
  email?: string;
  ip?: string;
  userAgent?: string;
  /** Whether it acts in the sandbox (the book of play money), whose audit its entries then belong to. */
  sandbox?: boolean;
  /** Called after a commit that wrote audit entries. */
  onAudited?: () => void;
};

/** The person of the operator who decides: the audit log of the operator's workspace has the decision, too. */
export type Decider = { workspace: Handle<'workspace'>; actor: Actor };

export const SYSTEM_ACTOR: Actor = { type: 'system', source: 'SYSTEM' };

type EntityRef = { entityType: string; entityHandle: Handle };
/**
 * `sandbox` says to which book an entry or an event belongs when the actor acts in none (the system, an operator, a
 * device). `user` is the actor's user in this workspace, where that is not the actor's `handle`: a person has a user in
 * each workspace. `actor` is the actor shown to that workspace, if it differs from the unit's actor.
 */
type AuditEntry = EntityRef & {
  workspace: Handle<'workspace'>;
  action: string;
  diff: Record<string, { from: unknown; to: unknown }>;
  sandbox?: boolean;
  user?: Handle<'user'>;
  actor?: Actor;
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
  /**
   * Posts an entry at once; one whose reference was posted before adds nothing.
   * @throws InsufficientFunds, which must not be caught inside the unit
   */
  post(entry: LedgerTransaction): Promise<'posted' | 'already_posted'>;
  /**
   * Posts several entries at once. Their accounts are locked in one order, which holds only within a call: so a unit
   * posts all its entries in one call.
   */
  postAll(entries: readonly LedgerTransaction[]): Promise<void>;
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

/** The actor and the time of a change. `once` makes the effect of a repeatable call happen once. */
export type UnitOptions = { actor: Actor; now: Date; once?: Once | undefined };

/** The workspace and the book of a caller, who sees no other records. */
export type Owner = { workspace: Handle<'workspace'>; sandbox: boolean };
/** A call that changes records of its owner. */
export type Call = UnitOptions & Owner;

/**
 * Runs `work` as one transaction. It is committed whatever `work` returns, so a refusal after the first write is thrown
 * as a Rollback; one that is returned after an audit, an event or a change is thrown here.
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
    const isTold = audits.length + events.length + changes.length > 0;
    if (isTold && isRefusal(value)) throw new Rollback(value);
    const reply = once?.replyOf(value);
    const closing = { actor, audits, events, changes, ...(once && reply && { kept: { once, reply } }) };
    if (reply !== undefined || isTold)
      await tx`select close_unit(${jsonb(tx, closingOf([closing], now))})`.catch(refuseClaimed);
    return { value, isKept: reply !== undefined, isAudited: audits.length > 0, isChanged: changes.length > 0 };
  });
  const { value, ...written } = result as Written & { value: T };
  tellOf(sql, { actor, once }, written);
  return value;
}

/** A unit whose writes are all known before it begins. Its own rows are written by a `UnitStatement`. */
export type PlannedUnit<T> = {
  actor: Actor;
  once?: Once | undefined;
  /** Ledger entries with different references. One whose reference was posted before adds nothing. */
  entries?: readonly LedgerTransaction[];
  audits?: readonly AuditEntry[];
  events?: readonly OutboxEvent[];
  changes?: readonly Change[];
  /** The result of the call; `once.replyOf` turns it into the stored reply. */
  value: T;
};

/** One statement that writes the rows of several units. */
export type UnitStatement<T> = {
  now: Date;
  /**
   * The common table expressions that write the rows of all units. The last, `written`, gives one row for each unit.
   * Where something that one of the units relies on has changed since it was read, it must give no row at all, and
   * nothing may have been written.
   */
  rows: Fragment;
  units: readonly PlannedUnit<T>[];
};

/**
 * Runs whole units as one statement, which is their transaction: claims, rows, postings, audit, events, changes and
 * replies are sent, written and committed in one round trip, and locks are held no longer than that. Either all of the
 * units are written or none. Answers whether they were written; false where `written` gave no row.
 * @throws as `inUnitOfWork` does for one unit. For several units, the error of Postgres, which any of them may have
 *   caused: after it, where `isRolledBack`, each may be written alone.
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
    if (units.length === 1) throw await faultOf(sql, { error, unit: units[0]!, now });
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

type FailedUnit = { error: unknown; unit: Pick<PlannedUnit<unknown>, 'once' | 'entries'>; now: Date };

/** The error that the caller gets when the statement of one unit has failed. */
async function faultOf(sql: Postgres, { error, unit: { once, entries = [] }, now }: FailedUnit): Promise<unknown> {
  if (isOverdrawn(error)) return new InsufficientFunds(entries);
  return once && isClaimed(error) ? claimFault(sql, once, now) : error;
}

type Written = { isKept: boolean; isAudited: boolean; isChanged: boolean };

/** After the commit: notifies the followers of changes and audits, and marks the call as answered. */
function tellOf(sql: Postgres, { actor, once }: Pick<UnitOptions, 'actor' | 'once'>, written: Written): void {
  if (written.isChanged) void tellChanges(sql);
  if (written.isAudited) actor.onAudited?.();
  if (once && written.isKept) {
    faultPoint('once.committed');
    once.progress.state = 'kept';
  }
}

/**
 * An audit entry is not given a time before that of its predecessor, unless the predecessor is ahead by more than this.
 * No transaction waits this long for a lock, so the predecessor's time came from a wrong clock.
 */
const AUDIT_AHEAD = '120 seconds';

type Closing = {
  actor: Actor;
  entries?: readonly LedgerTransaction[];
  audits?: readonly AuditEntry[];
  events?: readonly OutboxEvent[];
  changes?: readonly Change[];
  kept?: { once: Once; reply: KeptReply };
};

/** The writes of units besides their rows, in the form of the SQL function `close_unit`. Empty parts are left out. */
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

/** Prevents a second effect, should two units with the same scope have come this far. */
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

/** The audit entries by workspace, in the order in which the audits of workspaces are locked. */
function auditsByWorkspace(closings: readonly Closing[]) {
  const byWorkspace = new Map<Handle<'workspace'>, { row: UnnumberedRow; spelling: readonly string[] }[]>();
  for (const { audits = [], actor } of closings)
    for (const entry of audits) {
      const row = auditRow(entry, entry.actor ?? actor);
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
    // As jsonb will give it back: without undefined, and with dates as text.
    diff: JSON.parse(JSON.stringify(entry.diff)) as AuditRow['diff'],
    ...((entry.sandbox ?? actor.sandbox) === true && { sandbox: true as const }),
  };
}

/** The pieces of a row's stable JSON around its time and its number, which only the database knows. */
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

/** SHA-256 over the previous hash and the entry's content in stable JSON, so that it can be computed from the row. */
export function auditHash(previous: Uint8Array, row: AuditRow): Buffer {
  return createHash('sha256').update(previous).update(stableJson(row)).digest();
}
