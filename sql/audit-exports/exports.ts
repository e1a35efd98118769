/** Audit exports, as they are requested and read; `lease.ts` is for the workers that write them. See docs/audit.md. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { exportCredentialsPurpose, type Sealer } from '#runtime/cryptography/sealed.ts';
import type { AuditFilter } from '#books/audit-log.ts';
import { inUnitOfWork, type Call, type Owner } from '#books/unit-of-work.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';

/** Unfinished exports of a workspace, and of its sandbox. Each may run for minutes; nobody needs more at a time. */
const OPEN_MAX = 100;

export type BucketDestination = {
  type: 's3' | 'gcs';
  bucket: string;
  prefix?: string;
  region?: string;
  endpoint?: string;
};
export type NewExport = {
  destination: { type: string; bucket?: string; prefix?: string; region?: string; endpoint?: string };
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  from: Date;
  to: Date;
  filter: AuditFilter;
};
export type ExportRow = {
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  rows: number;
  object_name: string | null;
  error: { code: string; detail: string } | null;
  finished_at: Date | null;
};

/** Requests an export from the workers. Its destination is in the audit; its credentials are not. */
export async function createExport(
  { sql, sealer }: { sql: Postgres; sealer: Sealer },
  call: Call,
  { destination, credentials, from, to, filter }: NewExport,
): Promise<{ job_id: string } | Refusal> {
  const { workspace, sandbox } = call;
  return inUnitOfWork(sql, call, async unit => {
    const { tx } = unit;
    // Calls at the same moment are counted one by one.
    await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`select count(*) as count from audit_exports
        where workspace_handle = ${workspace} and sandbox = ${sandbox} and finished_at is null`;
    if (count >= OPEN_MAX)
      return refuse('state_conflict', `${OPEN_MAX} exports are already unfinished. Wait until one has ended.`);
    const [row] = await tx<{ handle: Handle<'audit_export'> }[]>`
      insert into audit_exports (workspace_handle, sandbox, destination, from_at, to_at, filter, run_at, created_at)
      values (${workspace}, ${sandbox}, ${jsonb(tx, destination)}, ${from}, ${to}, ${jsonb(tx, filter)},
        ${unit.now}, ${unit.now}) returning handle`;
    const { handle } = row!;
    if (credentials)
      await tx`update audit_exports set credentials =
          ${sealer.seal(JSON.stringify(credentials), exportCredentialsPurpose(handle))} where handle = ${handle}`;
    const diff = diffOfNew({ destination, from, to });
    unit.audit({ workspace, action: 'audit_export.created', entityType: 'audit_export', entityHandle: handle, diff });
    return { job_id: formatId('audit_export', handle) };
  });
}

/** The state of an export of the owner; undefined if there is none. */
export async function findExport(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  handle: Handle<'audit_export'>,
): Promise<ExportRow | undefined> {
  const [row] = await sql<ExportRow[]>`
    select status, rows, object_name, error, finished_at from audit_exports
    where handle = ${handle} and workspace_handle = ${workspace} and sandbox = ${sandbox}`;
  return row;
}

/** The name of a finished export's object in storage. */
export async function findExportFile(sql: Postgres, handle: Handle<'audit_export'>): Promise<string | undefined> {
  const [row] = await sql<{ object_name: string | null }[]>`
    select object_name from audit_exports where handle = ${handle}`;
  return row?.object_name ?? undefined;
}
