/** Workspaces: the one insertion of a row, and what many read of one. */
import type { WorkspaceKind, WorkspaceStatus } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import type { BillingModel } from '#domain/money/invoice.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { WorkspaceRow } from '#sql/people/seats.ts';
import type { Postgres } from '#sql/postgres.ts';

/** `status`: active by default. The other fields are for clients of an agency. */
type NewWorkspace = {
  kind: WorkspaceKind;
  name: string;
  currency: string;
  plan?: 'standard' | 'top';
  status?: WorkspaceStatus;
  parent_handle?: Handle<'workspace'>;
  sandbox?: boolean;
  billing_model?: BillingModel;
};

export async function insertWorkspace({ tx, now }: Unit, columns: NewWorkspace): Promise<Handle<'workspace'>> {
  const [made] = await tx<{ handle: Handle<'workspace'> }[]>`
    insert into workspaces ${tx({ ...columns, created_at: now })} returning handle`;
  return made!.handle;
}

export async function readWorkspace(sql: Postgres, handle: Handle<'workspace'>): Promise<WorkspaceRow> {
  const [row] = await sql<WorkspaceRow[]>`
    select handle, name, kind, status, currency from workspaces where handle = ${handle}`;
  return row!;
}

export type ActedWorkspace = {
  workspace: Handle<'workspace'>;
  currency: string;
  auditYears: number;
  isArchived: boolean;
};

/** The client of an agency, or the agency itself, for a call that acts on it. */
export async function findActed(
  sql: Postgres,
  { agency, client, sandbox }: { agency: number; client: number; sandbox: boolean },
): Promise<ActedWorkspace | undefined> {
  const [row] = await sql<ActedWorkspace[]>`
    select handle as workspace, currency, audit_years_of(handle) as "auditYears",
      archived_at is not null as "isArchived" from workspaces
    where handle = ${client} and (parent_handle = ${agency} or handle = ${agency}) and (${sandbox} or not sandbox)
      and status <> 'closed'`;
  return row;
}

/** The currency of a workspace; undefined if there is no such workspace. */
export async function currencyOf(sql: Postgres, workspace: Handle<'workspace'>): Promise<string | undefined> {
  const [row] = await sql<{ currency: string }[]>`select currency from workspaces where handle = ${workspace}`;
  return row?.currency;
}
