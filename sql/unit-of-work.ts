import { createHash } from 'node:crypto';
import { faultPoint } from '#runtime/fault.ts';
import { claimOnce, keepReply, OnceRefused, type Once } from './once.ts';
import { recordChanges, type Change, type Postgres, type Transaction } from './postgres.ts';
import { stableJson } from './stable-json.ts';

/**
 * A unit of work: one Postgres transaction that carries the rows of a change together with its ledger postings, its audit
 * entries, its events for the outbox and its lines in the change log. Either all of it is there or none.
 *
 * Order of locks: the rows of the caller, ledger accounts (by handle), audit heads (by workspace), and the change
 * counter last, which keeps it shortest.
 */
export type Actor = {
  type: 'user' | 'operator' | 'system' | 'device';
  source: 'API' | 'CLI' | 'SYSTEM' | 'DEVICE';
  handle?: number;
  email?: string;
  ip?: string;
  userAgent?: string;
  /** Whether it acts in the book of play money, so that its entries stand in the audit of the sandbox. */
  sandbox?: boolean;
};

export const SYSTEM_ACTOR: Actor = { type: 'system', source: 'SYSTEM' };

type EntityRef = { entityType: string; entityHandle: number };
/** `sandbox` says in which book the entry stands when the actor acts in none (the system, an operator, a device). */
type AuditEntry = EntityRef & { workspace: number; action: string; diff: Record<string, { from: unknown; to: unknown }>; sandbox?: boolean };
type OutboxEvent = EntityRef & { workspace: number; type: string; payload: Record<string, unknown> };
type AccountRef = { kind: 'funding' | 'wallet' | 'reservation' | 'revenue'; book: 'live' | 'sandbox'; currency: string; workspace?: number; campaign?: number };
type LedgerEntry = { kind: 'top_up' | 'reserve' | 'refund' | 'charge'; reference: string; postings: readonly { account: AccountRef; amountMicros: number }[] };

export type Unit = {
  tx: Transaction;
  now: Date;
  audit(entry: AuditEntry): void;
  emit(event: OutboxEvent): void;
  changed(entity: Change['entity'], handle: number): void;
  /** Posts at once; a reference that was posted before adds nothing. @throws InsufficientFunds, which must leave the unit. */
  post(entry: LedgerEntry): Promise<'posted' | 'already_posted'>;
};

/** Thrown out of a unit of work by `post` when a wallet or a reservation does not hold enough. */
export class InsufficientFunds extends Error {
  constructor() {
    super('the account does not hold enough');
    this.name = 'InsufficientFunds';
  }
}

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
export async function inUnitOfWork<T>(sql: Postgres, { actor, now, once }: UnitOptions, work: (unit: Unit) => Promise<T>): Promise<T> {
  const result = await sql.begin(async tx => {
    if (once) await claimOnce(tx, once, now);
    const audits: AuditEntry[] = [];
    const events: OutboxEvent[] = [];
    const changes: Omit<Change, 'revision'>[] = [];
    const value = await work({
      tx,
      now,
      audit: entry => { audits.push(entry); },
      emit: event => { events.push(event); },
      changed: (entity, handle) => { changes.push({ entity, handle }); },
      post: entry => postLedger(tx, entry, now),
    });
    if (audits.length > 0) await writeAudit(tx, audits, actor, now);
    if (events.length > 0) await writeOutbox(tx, events, now);
    const reply = once?.replyOf(value);
    if (once && reply && !await keepReply(tx, once, { reply, now })) throw new OnceRefused('in_flight'); // no second effect, whatever let two come this far
    if (changes.length > 0) await recordChanges(tx, changes, now);
    return { value, isKept: reply !== undefined };
  });
  const { value, isKept } = result as { value: T; isKept: boolean };
  if (once && isKept) {
    faultPoint('once.committed');
    once.progress.state = 'kept';
  }
  return value;
}

async function writeOutbox(tx: Transaction, events: readonly OutboxEvent[], now: Date): Promise<void> {
  const rows = events.map(event => ({
    workspace_handle: event.workspace,
    type: event.type,
    entity_type: event.entityType,
    entity_handle: event.entityHandle,
    payload: tx.json(event.payload as never),
    created_at: now,
  }));
  await tx`insert into outbox ${tx(rows)}`;
}

const NO_HASH = Buffer.alloc(32);

async function writeAudit(tx: Transaction, entries: readonly AuditEntry[], actor: Actor, now: Date): Promise<void> {
  const workspaces = [...new Set(entries.map(entry => entry.workspace))].sort((a, b) => a - b);
  for (const workspace of workspaces) {
    await tx`insert into audit_heads (workspace_handle, number, hash) values (${workspace}, 0, ${NO_HASH}) on conflict do nothing`;
    const [head] = await tx<{ number: number; hash: Buffer }[]>`select number, hash from audit_heads where workspace_handle = ${workspace} for update`;
    let { number, hash } = head!;
    for (const entry of entries.filter(candidate => candidate.workspace === workspace)) {
      number += 1;
      const row = auditRow(entry, { actor, number, now });
      hash = auditHash(hash, row);
      await tx`insert into audit_entries ${tx({ ...row, diff: tx.json(row.diff as never), hash })}`;
    }
    await tx`update audit_heads set number = ${number}, hash = ${hash} where workspace_handle = ${workspace}`;
  }
}

export type AuditRow = {
  workspace_handle: number; number: number; at: Date; actor_type: string; actor_handle: number | null; actor_email: string | null; source: string;
  action: string; entity_type: string; entity_handle: number; ip: string | null; user_agent: string | null; diff: Record<string, { from: unknown; to: unknown }>;
  sandbox?: true; // absent from the hash of a live entry
};

function auditRow(entry: AuditEntry, { actor, number, now }: { actor: Actor; number: number; now: Date }): AuditRow {
  return {
    workspace_handle: entry.workspace,
    number,
    at: now,
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

/** SHA-256 over the hash before and the entry's content, keys sorted, so that it can be computed again from the row. */
export function auditHash(previous: Uint8Array, row: AuditRow): Buffer {
  return createHash('sha256').update(previous).update(stableJson(row)).digest();
}

const CHECK_VIOLATION = '23514';

async function postLedger(tx: Transaction, entry: LedgerEntry, now: Date): Promise<'posted' | 'already_posted'> {
  const [transaction] = await tx<{ handle: number }[]>`
    insert into ledger_transactions (kind, reference, posted_at) values (${entry.kind}, ${entry.reference}, ${now})
    on conflict (reference) do nothing returning handle`;
  if (!transaction) return 'already_posted';
  const postings: { account_handle: number; amount_micros: number }[] = [];
  for (const { account, amountMicros } of entry.postings) {
    if (amountMicros !== 0) postings.push({ account_handle: await accountHandle(tx, account), amount_micros: amountMicros });
  }
  // Always in the order of the accounts, so that two transactions never wait for each other.
  const rows = postings.sort((a, b) => a.account_handle - b.account_handle).map(posting => ({ transaction_handle: transaction.handle, ...posting }));
  try {
    await tx`insert into ledger_postings ${tx(rows)}`;
  } catch (error) {
    if ((error as { code?: string }).code === CHECK_VIOLATION) throw new InsufficientFunds();
    throw error;
  }
  return 'posted';
}

async function accountHandle(tx: Transaction, account: AccountRef): Promise<number> {
  const workspace = account.workspace ?? null;
  const campaign = account.campaign ?? null;
  const find = () => tx<{ handle: number }[]>`
    select handle from ledger_accounts where kind = ${account.kind} and book = ${account.book} and currency = ${account.currency}
    and workspace_handle is not distinct from ${workspace} and campaign_handle is not distinct from ${campaign}`;
  const [found] = await find();
  if (found) return found.handle;
  const [made] = await tx<{ handle: number }[]>`
    insert into ledger_accounts (kind, book, currency, workspace_handle, campaign_handle)
    values (${account.kind}, ${account.book}, ${account.currency}, ${workspace}, ${campaign}) on conflict do nothing returning handle`;
  return made?.handle ?? (await find())[0]!.handle;
}
