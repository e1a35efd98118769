/** Audit exports in Postgres: requested here, written by the workers. See docs/audit.md. */
import type { Milliseconds } from '#domain/unit.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import { exportCredentialsPurpose, type Sealer } from '#runtime/cryptography/sealed.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { AuditFilter } from '#books/audit-log.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { AuditExport } from './export-schema.ts';

/** Unfinished exports of a workspace, and of its sandbox. Each may run for minutes; nobody needs more at a time. */
const OPEN_MAX = 100;
const LINK_MS = 24 * 60 * 60 * 1_000;

export type NewExport = {
  destination: { type: string; bucket?: string; prefix?: string; region?: string; endpoint?: string };
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  from: Date;
  to: Date;
  filter: AuditFilter;
};
type ExportRow = {
  handle: Handle<'audit_export'>;
  status: AuditExport['status'];
  rows: number;
  object_name: string | null;
  error: AuditExport['error'] | null;
  finished_at: Date | null;
};

/** Requests an export from the workers. Its destination is in the audit; its credentials are not. */
export async function createExport(
  { sql, sealer }: { sql: Postgres; sealer: Sealer },
  caller: Caller,
  { fields, now }: { fields: NewExport; now: Milliseconds },
): Promise<{ job_id: string } | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    // Calls at the same moment are counted one by one.
    await tx`select 1 from workspaces where handle = ${caller.workspace} for no key update`;
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`select count(*) as count from audit_exports
        where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and finished_at is null`;
    if (count >= OPEN_MAX)
      return refuse('state_conflict', `${OPEN_MAX} exports are already unfinished. Wait until one has ended.`);
    const { destination, credentials, from, to, filter } = fields;
    const [row] = await tx<{ handle: Handle<'audit_export'> }[]>`
      insert into audit_exports (workspace_handle, sandbox, destination, from_at, to_at, filter, run_at, created_at)
      values (${caller.workspace}, ${caller.sandbox}, ${jsonb(tx, destination)}, ${from}, ${to}, ${jsonb(tx, filter)},
        ${unit.now}, ${unit.now}) returning handle`;
    const { handle } = row!;
    if (credentials)
      await tx`update audit_exports set credentials =
          ${sealer.seal(JSON.stringify(credentials), exportCredentialsPurpose(handle))} where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'audit_export.created',
      entityType: 'audit_export',
      entityHandle: handle,
      diff: diffOfNew({ destination, from, to }),
    });
    return { job_id: formatId('audit_export', handle) };
  });
}

/**
 * The state of an export.
 *
 * @param linkOf signs the path of an export's file until a moment (ms)
 */
export async function readExport(
  sql: Postgres,
  caller: Caller,
  {
    handle,
    now,
    linkOf,
  }: { handle: Handle<'audit_export'>; now: Milliseconds; linkOf: (id: string, expiresAt: Milliseconds) => string },
): Promise<AuditExport | Refusal> {
  const [row] = await sql<ExportRow[]>`
    select handle, status, rows, object_name, error, finished_at from audit_exports
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`;
  if (!row) return refuseAbsent();
  const id = formatId('audit_export', handle);
  const expiresAt = row.finished_at ? row.finished_at.getTime() + LINK_MS : 0;
  return {
    job_id: id,
    status: row.status,
    rows: row.rows,
    ...(row.object_name !== null &&
      expiresAt > now && { url: linkOf(id, expiresAt), expires_at: new Date(expiresAt).toISOString() }),
    ...(row.error && { error: row.error }),
  };
}

/** The name of a finished export's object in storage. */
export async function findExportFile(sql: Postgres, handle: Handle<'audit_export'>): Promise<string | undefined> {
  const [row] = await sql<
    { object_name: string | null }[]
  >`select object_name from audit_exports where handle = ${handle}`;
  return row?.object_name ?? undefined;
}
