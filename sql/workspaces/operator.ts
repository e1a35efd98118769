/** The workspaces of the installation, as the operator creates, lists and changes them. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { SURFACE_OF_KIND, type WorkspaceKind, type WorkspaceStatus } from '#domain/access/workspace.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, Rollback, type Decider, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { addInvitation, type MadeInvitation } from '#sql/members/invitations.ts';
import { likeText, readListed, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import { auditMember, insertSeat, placeholderAddress } from '#sql/members/seats.ts';
import { jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';
import { insertWorkspace } from './workspaces.ts';

/** `owner`: the address of the owner; absent: a placeholder. */
type NewParty = { kind: WorkspaceKind; name: string; currency: string; plan: 'standard' | 'top'; owner?: string };

/** Creates a workspace with its owner, who holds the keys that name no other user. */
export async function createWorkspace(
  sql: Postgres,
  options: UnitOptions,
  party: NewParty,
): Promise<Handle<'workspace'>> {
  return inUnitOfWork(sql, options, async unit => (await addWorkspace(unit, party)).workspace);
}

async function addWorkspace(unit: Unit, { owner, kind, name, currency, plan }: NewParty, by?: Decider) {
  const workspace = await insertWorkspace(unit, { kind, name, currency, plan });
  const entry = {
    action: 'workspace.created',
    entityType: 'workspace',
    entityHandle: workspace,
    diff: diffOfNew({ name }),
  };
  unit.audit({ ...entry, workspace });
  if (by) unit.audit({ ...entry, ...by });
  const seat = { workspace, email: owner ?? placeholderAddress('owner', workspace), role: 'owner' } as const;
  const user = await insertSeat(unit, seat);
  auditMember(unit, user, seat);
  return { workspace, user };
}

export type OpenedWorkspace = { account: AccountRow; invitation: MadeInvitation };
type Opening = { party: NewParty; email: string; publicUrl: string; by: Decider };

/**
 * Creates a workspace and invites its owner, in the name of a placeholder that holds the seat. The audit log of the
 * person's own workspace has the creation too.
 */
export async function openWorkspace(
  sql: Postgres,
  options: UnitOptions,
  { party, email, publicUrl, by }: Opening,
): Promise<OpenedWorkspace> {
  return inUnitOfWork(sql, options, async unit => {
    const { workspace, user } = await addWorkspace(unit, party, by);
    const invitation = await addInvitation(unit, {
      email,
      role: 'owner',
      surface: SURFACE_OF_KIND[party.kind],
      by: { workspace, user, role: 'owner' },
      publicUrl,
    });
    if (isRefusal(invitation)) throw new Rollback(invitation); // the workspace is written already
    const [account] = await unit.tx<AccountRow[]>`${selectAccounts(unit.tx)} where w.handle = ${workspace}`;
    return { account: account!, invitation };
  });
}

export type AccountRow = {
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

function selectAccounts(sql: Queryable) {
  return sql`
    select w.handle, w.parent_handle, w.kind, w.name, w.currency, w.status, w.created_at,
      (select email from users where workspace_handle = w.handle and role = 'owner' and removed_at is null
        order by handle limit 1) as owner,
      (select ip from audit_entries where workspace_handle = w.handle and number = 1
        and action = 'workspace.signed_up') as signed_up_from
    from workspaces w`;
}

/** The oldest workspaces, with those of sandboxes. */
export async function listOldest(
  sql: Postgres,
  status: WorkspaceStatus | undefined,
  count: number,
): Promise<AccountRow[]> {
  return sql<AccountRow[]>`${selectAccounts(sql)} ${status === undefined ? sql`` : sql`where w.status = ${status}`}
    order by w.handle limit ${count}`;
}

/** A page of the workspaces without those of sandboxes. */
export async function listWorkspaces(
  sql: Postgres,
  { page, filter }: { page: PageOrder; filter: WorkspaceFilter },
): Promise<Counted<AccountRow>> {
  const { statuses, kinds, name, isCounted } = filter;
  const wanted = sql<AccountRow[]>`${selectAccounts(sql)} where not w.sandbox
      ${statuses === undefined ? sql`` : sql`and w.status = any(${[...statuses]}::text[])`}
      ${kinds === undefined ? sql`` : sql`and w.kind = any(${[...kinds]}::text[])`}
      ${name === undefined ? sql`` : sql`and w.name ilike ${likeText(name)}`}`;
  return readListed(sql, page, { sorts: BY_CREATION, handle: 'w.handle', wanted, isCounted });
}

/** `by`: the person who decides, whose workspace has the decision in its audit log, too; absent: the tool. */
type Move = { workspace: Handle<'workspace'>; by?: Decider };

/** Activates a workspace that is in review or was closed. */
export function approveWorkspace(sql: Postgres, options: UnitOptions, moved: Move): Promise<WorkspaceStatus | Refusal> {
  return move(sql, options, { ...moved, to: 'active', action: 'workspace.approved' });
}

/**
 * Closes a workspace: its keys are refused from now on. Its campaigns, screens and clients must end first, because no
 * person could stop them afterwards.
 */
export function closeWorkspace(sql: Postgres, options: UnitOptions, moved: Move): Promise<WorkspaceStatus | Refusal> {
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
): Promise<WorkspaceStatus | Refusal> {
  return inUnitOfWork<WorkspaceStatus | Refusal>(sql, options, async unit => {
    const [row] = await unit.tx<{ status: WorkspaceStatus }[]>`
      select status from workspaces where handle = ${workspace} for update`;
    if (!row) return refuseAbsent();
    if (row.status === to)
      return refuse('state_conflict', `The workspace ${formatId('workspace', workspace)} is ${to} already.`);
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
    return to;
  });
}

/** What the operator sets for a workspace. Null: as its agency, or the installation, has it. */
type Settings = {
  approval: 'none' | 'agency' | null;
  earnings_hold_days: number | null;
  billing_details: Record<string, unknown> | null;
};
/** How the audit log writes a setting that is null. */
const UNSET = { approval: 'inherit', earnings_hold_days: 'default', billing_details: null } as const;

/** Changes a setting of a workspace, unless it has that value. Returns the value before. */
export async function changeSetting<Name extends keyof Settings>(
  sql: Postgres,
  options: UnitOptions,
  { workspace, name, value }: { workspace: Handle<'workspace'>; name: Name; value: Settings[Name] },
): Promise<Settings[Name] | Refusal> {
  return inUnitOfWork<Settings[Name] | Refusal>(sql, options, async unit => {
    const { tx } = unit;
    const [row] = await tx<Settings[]>`
      select approval, earnings_hold_days, billing_details from workspaces where handle = ${workspace}
      for no key update`;
    if (!row) return refuseAbsent();
    const before = row[name];
    if (before === value) return before;
    const { approval, earnings_hold_days: days, billing_details: details }: Settings = { ...row, [name]: value };
    await tx`
      update workspaces set approval = ${approval}, earnings_hold_days = ${days},
        billing_details = ${details && jsonb(tx, details)} where handle = ${workspace}`;
    unit.audit({
      workspace,
      action: 'workspace.updated',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: { [name]: { from: before ?? UNSET[name], to: value ?? UNSET[name] } },
    });
    return before;
  });
}
