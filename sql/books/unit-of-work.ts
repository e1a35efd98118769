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
import { InsufficientFunds, isOverdrawn, postEntries, postingOf, type LedgerEntry } from './ledger.ts';
import { beginClaim, claimFault, claimOnce, isClaimed, keepingOf, OnceRefused, reopen, type Once } from './once.ts';
import { jsonb, type Fragment, type Postgres, type Queryable, type Transaction } from '#sql/postgres.ts';
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
/** `sandbox` says in which book an entry or an event stands when the actor acts in none (the system, an operator, a device). */
type AuditEntry = EntityRef & {
  workspace: Handle<'workspace'>;
  action: string;
  diff: Record<string, { from: unknown; to: unknown }>;
  sandbox?: boolean;
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
    const closing = closingOf(tx, { audits, events, changes }, { actor, now });
    if (once && reply) await tx`select ${keepingOf(tx, once, { reply, now })}, ${closing}`.catch(refuseClaimed);
    else if (audits.length + events.length + changes.length > 0) await tx`select ${closing}`;
    return { value, isKept: reply !== undefined, isAudited: audits.length > 0, isChanged: changes.length > 0 };
  });
  const { value, ...written } = result as Written & { value: T };
  tellOf(sql, { actor, once }, written);
  return value;
}

/** A unit whose own rows one statement writes, and which knows all that it writes before it begins. */
export type UnitStatement<T> = {
  /**
   * The common table expressions that write the unit's rows. The last, `written`, gives one row, or none where something
   * that the unit relies on has changed since it was read: then nothing may have been written.
   */
  rows: Fragment;
  /** With different references. One that was posted before adds nothing. */
  entries?: readonly LedgerEntry[];
  audits?: readonly AuditEntry[];
  events?: readonly OutboxEvent[];
  changes?: readonly Change[];
  /** What the call is answered. */
  value: T;
};

/**
 * Runs a whole unit as one statement, which is its transaction: claim, rows, postings, audit, events, changes and reply are
 * sent, written and committed in one turn, and locks are held for no other. Answers whether it was written; false where
 * `written` gave no row.
 * @throws as `inUnitOfWork` does
 */
export async function writeUnit<T>(
  sql: Postgres,
  { actor, now, once }: UnitOptions,
  { rows, entries = [], audits = [], events = [], changes = [], value }: UnitStatement<T>,
): Promise<boolean> {
  const reply = once?.replyOf(value);
  if (once) beginClaim(once);
  const written = await sql`
    with ${rows}
    select ${once && reply ? keepingOf(sql, once, { reply, now }) : sql`null`}, ${entries.length > 0 ? postingOf(sql, entries, now) : sql`null`},
      ${closingOf(sql, { audits, events, changes }, { actor, now })}
    from written`.catch(async (error: unknown) => {
    if (isOverdrawn(error)) throw new InsufficientFunds();
    throw once && isClaimed(error) ? await claimFault(sql, once, now) : error;
  });
  if (written.length === 0) {
    reopen(once);
    return false;
  }
  tellOf(
    sql,
    { actor, once },
    { isKept: reply !== undefined, isAudited: audits.length > 0, isChanged: changes.length > 0 },
  );
  return true;
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

type Closing = { audits: readonly AuditEntry[]; events: readonly OutboxEvent[]; changes: readonly Change[] };

/** The call that writes audit, events and changes, for a statement. */
function closingOf(
  sql: Queryable,
  { audits, events, changes }: Closing,
  { actor, now }: Pick<UnitOptions, 'actor' | 'now'>,
) {
  const orNull = (rows: readonly unknown[]) => (rows.length === 0 ? null : jsonb(sql, rows));
  return sql`close_unit(${now}, ${AUDIT_AHEAD}, ${orNull(auditsByWorkspace(audits, actor))}::jsonb, ${orNull(
    events.map(event => outboxRow(event, actor)),
  )}::jsonb, ${orNull(distinct(changes))}::jsonb)`;
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
function auditsByWorkspace(entries: readonly AuditEntry[], actor: Actor) {
  const workspaces = [...new Set(entries.map(entry => entry.workspace))].sort((a, b) => a - b);
  return workspaces.map(workspace => ({
    workspace,
    entries: entries
      .filter(entry => entry.workspace === workspace)
      .map(entry => auditRow(entry, actor))
      .map(row => ({ row, spelling: spellAround(row) })),
  }));
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
    actor_handle: actor.handle ?? null,
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
