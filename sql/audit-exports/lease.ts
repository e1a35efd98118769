/**
 * Which worker processes which export. A lease is prolonged while its holder lives; a worker that was paused for longer
 * finds it lost at its next write, and stops.
 */
import { randomUUID } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { assignments, type Postgres } from '#sql/postgres.ts';
import type { AuditFilter } from '#books/audit-log.ts';
import type { BucketDestination } from './exports.ts';

const LEASE_MS = 20_000;
const RENEW_MS = 5_000;

/** The parts of an export in a bucket; `rows` are those in its parts. */
type Upload = { id: string; key: string; parts: string[]; rows: number };
export type ClaimedExport = {
  handle: Handle<'audit_export'>;
  workspace_handle: Handle<'workspace'>;
  sandbox: boolean;
  destination: BucketDestination | { type: 'signed_url' };
  credentials: Buffer | null;
  from_at: Date;
  to_at: Date;
  filter: AuditFilter;
  rows: number;
  upload: Upload | null;
  position_at: Date | null;
  position_handle: Handle<'audit'> | null;
  attempts: number;
  lease: string;
};

/**
 * The next unclaimed export, those of workspaces with the fewest running ones first; undefined if there is none.
 */
export async function claimExport(sql: Postgres, now: Date): Promise<ClaimedExport | undefined> {
  const [row] = await sql<ClaimedExport[]>`
    update audit_exports set status = 'running', lease = ${randomUUID()},
      lease_until = ${new Date(now.getTime() + LEASE_MS)}
    where handle = (
      select e.handle from audit_exports e where e.finished_at is null and e.run_at <= ${now}
        and (e.lease_until is null or e.lease_until < ${now})
      order by (select count(*) from audit_exports r
        where r.workspace_handle = e.workspace_handle and r.finished_at is null and r.lease_until >= ${now}), e.run_at,
        e.handle
      limit 1 for update of e skip locked)
    returning *`;
  return row;
}

export class LeaseLost extends Error {
  constructor() {
    super('another worker is at this export');
    this.name = 'LeaseLost';
  }
}

/** Writes columns of an export under its lease. @throws LeaseLost if another worker holds it. */
export async function writeExport(
  sql: Postgres,
  { handle, lease }: ClaimedExport,
  columns: Record<string, unknown>,
): Promise<void> {
  const written = await sql`update audit_exports set ${assignments(sql, columns)}
      where handle = ${handle} and lease = ${lease} and finished_at is null`;
  if (written.count === 0) throw new LeaseLost();
}

/**
 * Prolongs the lease and writes the progress until the returned function is called. `onLost` is called if another
 * worker took the lease.
 */
export function keepLease(
  sql: Postgres,
  job: ClaimedExport,
  { now, rows, onLost }: { now: () => Date; rows: () => number; onLost: () => void },
): () => void {
  const timer = setInterval(() => {
    const columns = { lease_until: new Date(now().getTime() + LEASE_MS), rows: rows() };
    writeExport(sql, job, columns).catch(error => {
      if (error instanceof LeaseLost) onLost();
    }); // Postgres is down: the next round retries
  }, RENEW_MS);
  return () => clearInterval(timer);
}
