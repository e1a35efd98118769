/**
 * Claims on uploads: one process at a time puts a file into the storage. A claim runs out by itself, so a process that
 * ends leaves none behind.
 */
import { randomUUID } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { MediaKind } from './media-life.ts';

/** One part of one file, which is put into the storage by one process at a time. */
export type ClaimedPart = { kind: MediaKind; handle: Handle<MediaKind>; part: 'file' | 'audio' };
export type UploadClaim = ClaimedPart & { token: string };

/** Long enough to stage 200 MiB in any storage; after a crash the file is taken in this much later. */
const CLAIM_MS = 5 * 60 * 1_000;

/** Claims a part, or undefined where another process has it. */
export async function claimUpload(
  sql: Queryable,
  { kind, handle, part }: ClaimedPart,
  now: Date,
): Promise<UploadClaim | undefined> {
  const claim = { kind, handle, part, token: randomUUID() };
  const [row] = await sql`
    insert into upload_claims ${sql({ ...claim, claimed_at: now })} on conflict (kind, handle, part)
    do update set token = excluded.token, claimed_at = excluded.claimed_at
    where upload_claims.claimed_at <= ${overBefore(now)} returning 1`;
  return row && claim;
}

/** Whether the claim is still its holder's. */
export async function holdsClaim(sql: Queryable, { kind, handle, part, token }: UploadClaim): Promise<boolean> {
  const rows = await sql`select 1 from upload_claims where kind = ${kind} and handle = ${handle} and part = ${part}
        and token = ${token}`;
  return rows.length > 0;
}

export async function endClaim(sql: Queryable, { kind, handle, part, token }: UploadClaim): Promise<void> {
  await sql`delete from upload_claims where kind = ${kind} and handle = ${handle} and part = ${part}
      and token = ${token}`;
}

/**
 * Runs `work` while no other process puts a file into the storage for this row or takes one in from there. It gets the
 * parts that it has claimed: the others are being uploaded right now.
 */
export async function withClaims<T>(
  sql: Postgres,
  { kind, handle, now }: { kind: MediaKind; handle: Handle<MediaKind>; now: Date },
  work: (parts: readonly ClaimedPart['part'][]) => Promise<T>,
): Promise<T> {
  const claims: UploadClaim[] = [];
  try {
    for (const part of ['file', 'audio'] as const) {
      const claim = await claimUpload(sql, { kind, handle, part }, now);
      if (claim) claims.push(claim);
    }
    return await work(claims.map(claim => claim.part));
  } finally {
    for (const claim of claims) await endClaim(sql, claim);
  }
}

/** Whether a process is putting the part into the storage now. */
export async function isClaimed(sql: Queryable, { kind, handle, part }: ClaimedPart, now: Date): Promise<boolean> {
  const rows = await sql`select 1 from upload_claims where kind = ${kind} and handle = ${handle} and part = ${part}
        and claimed_at > ${overBefore(now)}`;
  return rows.length > 0;
}

const overBefore = (now: Date): Date => new Date(now.getTime() - CLAIM_MS);
