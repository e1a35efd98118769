/**
 * Idempotency: the effect of a call happens once, however often the call is repeated. A unit of work first claims the
 * scope with an advisory lock, without waiting for it, and writes the reply in its own transaction. So a reply is
 * stored exactly when its effect is. A refusal has no effect and is not stored, so that the same call may succeed
 * later.
 */
import type { Queryable, Transaction } from '#sql/postgres.ts';

const REPLY_KEPT_MS = 24 * 60 * 60 * 1_000;

export type KeptReply = { status: number; body: Buffer };

export type Once = {
  /** 32 bytes that identify the call: caller, operation and key. */
  readonly scope: Buffer;
  /** 32 bytes over the call's content: the same scope with another one is refused. */
  readonly fingerprint: Buffer;
  /** The reply to a unit's value, or undefined for a reply that is not stored. */
  readonly replyOf: (value: unknown) => KeptReply | undefined;
  /** `claimed` by a unit of work; `kept` once its reply is committed. */
  readonly progress: { state: 'open' | 'claimed' | 'kept' };
};

/** Thrown out of a unit of work when the effect happened before: nothing was done, and this is the stored reply. */
export class RepliedBefore extends Error {
  readonly reply: KeptReply;
  constructor(reply: KeptReply) {
    super('the call was answered before');
    this.name = 'RepliedBefore';
    this.reply = reply;
  }
}

/**
 * Thrown out of a unit of work that cannot claim its scope: another unit holds it now, or it was used with other
 * content.
 */
export class OnceRefused extends Error {
  readonly reason: 'in_flight' | 'reused';
  constructor(reason: 'in_flight' | 'reused') {
    super(reason === 'in_flight' ? 'the same call is in flight' : 'the scope was used with another content');
    this.name = 'OnceRefused';
    this.reason = reason;
  }
}

export type KeptRow = KeptReply & { fingerprint: Buffer };

/** The replies that were stored for these scopes in the last 24 hours, by scope. */
export async function findReplies(
  sql: Queryable,
  scopes: readonly Buffer[],
  now: Date,
): Promise<ReadonlyMap<Buffer, KeptRow>> {
  const names = scopes.map(scope => scope.toString('hex'));
  const rows = await sql<(KeptRow & { at: number })[]>`
    select at::int, status, body, fingerprint from unnest(${names}::text[]) with ordinality as asked (name, at)
    join idempotent_replies on scope = decode(name, 'hex')
    where created_at > ${keptAfter(now)}`;
  return new Map(rows.map(({ at, ...row }) => [scopes[at - 1]!, row]));
}

/** The stored reply of a repeated call. @throws OnceRefused when it was stored for other content */
export function matchingReply({ status, body, fingerprint: kept }: KeptRow, fingerprint: Buffer): KeptReply {
  if (!kept.equals(fingerprint)) throw new OnceRefused('reused');
  return { status, body };
}

/**
 * Claims the scope for this transaction.
 * @throws OnceRefused when another transaction holds it; RepliedBefore when its reply is stored already
 */
export async function claimOnce(tx: Transaction, once: Once, now: Date): Promise<void> {
  beginClaim(once);
  const [claim] = await tx<
    { is_locked: boolean; reply_status: number | null; reply_body: Buffer; reply_fingerprint: Buffer }[]
  >`
    select * from claim_once(${once.scope}, ${lockOf(once.scope)}::bigint, ${keptAfter(now)})`;
  const { is_locked: isLocked, reply_status: status, reply_body: body, reply_fingerprint: fingerprint } = claim!;
  if (status !== null) throw new RepliedBefore(matchingReply({ status, body, fingerprint }, once.fingerprint));
  if (!isLocked) throw new OnceRefused('in_flight');
}

/** Marks the call as claimed by a unit of this process. @throws when another unit of the same call has claimed it */
export function beginClaim({ progress }: Once): void {
  if (progress.state !== 'open') throw new Error('a call with an idempotency key has one unit of work');
  progress.state = 'claimed';
}

/** The key of the advisory lock: 64 of the 256 bits, which two scopes share with a chance of one in 10^19. */
function lockOf(scope: Buffer): string {
  return scope.readBigInt64BE(0).toString();
}

/** Replies that were written at this time or earlier have expired. */
export function keptAfter(now: Date): Date {
  return new Date(now.getTime() - REPLY_KEPT_MS);
}

/** After a unit that claimed the scope and was rolled back: another unit of the same call may claim it. */
export function reopen(once: Once | undefined): void {
  if (once) once.progress.state = 'open';
}

/** A reply as the SQL function `keep_replies` takes it, which claims its scope. Bytes are in base64. */
export function replyRow({ scope, fingerprint }: Once, { status, body }: KeptReply) {
  return {
    scope: scope.toString('base64'),
    lock: lockOf(scope),
    fingerprint: fingerprint.toString('base64'),
    status,
    body: body.toString('base64'),
  };
}

/** Whether a statement failed because another unit has claimed the same call, or its reply is stored already. */
export function isClaimed(error: unknown): boolean {
  return (error as { code?: string }).code === 'MQ003';
}

/** Why a call could not be claimed: its reply is stored already, or another call with its scope is running. */
export async function claimFault(sql: Queryable, once: Once, now: Date): Promise<RepliedBefore | OnceRefused> {
  const row = (await findReplies(sql, [once.scope], now)).get(once.scope);
  if (row === undefined) return new OnceRefused('in_flight');
  return row.fingerprint.equals(once.fingerprint) ? new RepliedBefore(row) : new OnceRefused('reused');
}

/** Deletes up to `count` replies that are older than a day. Answers how many. */
export async function forgetReplies(sql: Queryable, { now, count }: { now: Date; count: number }): Promise<number> {
  const rows = await sql`
    delete from idempotent_replies where scope in (
      select scope from idempotent_replies where created_at <= ${keptAfter(now)} order by created_at limit ${count}
      for update skip locked)
    returning 1`;
  return rows.length;
}
