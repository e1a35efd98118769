/** The workspaces of the installation in Postgres, and which of them may act. */
import { inUnitOfWork, type Unit, type UnitOptions, type Decider } from '#books/unit-of-work.ts';
import type { WorkspaceKind, WorkspaceStatus } from '#domain/access/workspace.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { likeText, positionIn, sliceOf, totalOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../../lists/paging.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import type { MovedWorkspace, WorkspaceAccount } from './schema.ts';

type AccountRow = {
  handle: Handle<'workspace'>;
  parent_handle: Handle<'workspace'> | null;
  kind: WorkspaceKind;
  name: string;
  currency: string;
  status: WorkspaceStatus;
  owner: string | null;
  signed_up_from: string | null;
  created_at: Date;
};
export type WorkspaceFilter = {
  statuses?: readonly string[];
  kinds?: readonly string[];
  name?: string;
  isCounted: boolean;
};

export async function listWorkspaces(
  sql: Postgres,
  { page, filter }: { page: Page; filter: WorkspaceFilter },
): Promise<List<WorkspaceAccount>> {
  const { statuses, kinds, name, isCounted } = filter;
  const wanted = sql`
    select w.handle, w.parent_handle, w.kind, w.name, w.currency, w.status, w.created_at,
      (select email from users where workspace_handle = w.handle and role = 'owner' and removed_at is null
        order by handle limit 1) as owner,
      (select ip from audit_entries where workspace_handle = w.handle and number = 1
        and action = 'workspace.signed_up') as signed_up_from
    from workspaces w where not w.sandbox
      ${statuses === undefined ? sql`` : sql`and w.status = any(${[...statuses]}::text[])`}
      ${kinds === undefined ? sql`` : sql`and w.kind = any(${[...kinds]}::text[])`}
      ${name === undefined ? sql`` : sql`and w.name ilike ${likeText(name)}`}`;
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'w.handle' });
  const [rows, total] = await Promise.all([
    sql<AccountRow[]>`${wanted} ${behind} ${order}`,
    totalOf(sql, isCounted, wanted),
  ]);
  return { ...envelope(rows, page, { positionOf: positionIn(page, BY_CREATION), recordOf: accountOf }), ...total };
}

function accountOf({ handle, parent_handle: parent, created_at: createdAt, ...row }: AccountRow): WorkspaceAccount {
  return {
    id: formatId('workspace', handle),
    ...row,
    agency_id: parent === null ? null : formatId('workspace', parent),
    created_at: createdAt.toISOString(),
  };
}

type Move = { workspace: Handle<'workspace'>; by?: Decider };

/** Activates a workspace that is in review or was closed. */
export function approveWorkspace(sql: Postgres, options: UnitOptions, moved: Move): Promise<MovedWorkspace | Refusal> {
  return move(sql, options, { ...moved, to: 'active', action: 'workspace.approved' });
}

/**
 * Closes a workspace: its keys are refused from now on. Its campaigns, screens and clients must end first, because no
 * person could stop them afterwards.
 */
export function closeWorkspace(sql: Postgres, options: UnitOptions, moved: Move): Promise<MovedWorkspace | Refusal> {
  return move(sql, options, { ...moved, to: 'closed', action: 'workspace.closed', check: refuseLive });
}

async function refuseLive({ tx }: Unit, workspace: Handle<'workspace'>): Promise<Refusal | undefined> {
  const [live] = await tx<{ campaigns: number; screens: number; clients: number }[]>`
    select (select count(*)::integer from campaigns
      where workspace_handle = ${workspace} and status in ('pending_review', 'live', 'paused')
      and deleted_at is null) as campaigns,
      (select count(*)::integer from screens
      where workspace_handle = ${workspace} and unpaired_at is null) as screens,
      (select count(*)::integer from workspaces
      where parent_handle = ${workspace} and status <> 'closed') as clients`;
  const { campaigns, screens, clients } = live!;
  return campaigns + screens + clients === 0
    ? undefined
    : refuse(
        'state_conflict',
        `It has ${campaigns} campaigns that have not ended, ${screens} paired screens and ${clients} clients. End those first.`,
      );
}

type Step = Move & {
  to: WorkspaceStatus;
  action: string;
  check?: (unit: Unit, workspace: Handle<'workspace'>) => Promise<Refusal | undefined>;
};

async function move(
  sql: Postgres,
  options: UnitOptions,
  { workspace, by, to, action, check }: Step,
): Promise<MovedWorkspace | Refusal> {
  const id = formatId('workspace', workspace);
  return inUnitOfWork<MovedWorkspace | Refusal>(sql, options, async unit => {
    const [row] = await unit.tx<
      { status: WorkspaceStatus }[]
    >`select status from workspaces where handle = ${workspace} for update`;
    if (!row) return refuseAbsent();
    if (row.status === to) return refuse('state_conflict', `The workspace ${id} is ${to} already.`);
    const refusal = await check?.(unit, workspace);
    if (refusal) return refusal;
    await unit.tx`update workspaces set status = ${to} where handle = ${workspace}`;
    const entry = {
      action,
      entityType: 'workspace',
      entityHandle: workspace,
      diff: { status: { from: row.status, to } },
    } as const;
    unit.audit({ ...entry, workspace });
    if (by) unit.audit({ ...entry, ...by });
    return { id, status: to };
  });
}
