/** The seats of a person: the workspaces where they are a member. */
import type { Role, Surface } from '#domain/access/permission.ts';
import { SURFACE_OF_KIND, type WorkspaceKind, type WorkspaceStatus } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';

/** Seats of one person that a session reaches or a page shows; clients are reached through the agency as well. */
const SEATS_MAX = 200;

/** A seat of the person as a session acts on it. */
export type SessionSeat = {
  home: Handle<'workspace'>;
  workspace: Handle<'workspace'>;
  currency: string;
  user: Handle<'user'>;
  email: string;
  role: Role;
  surface: Surface;
  status: WorkspaceStatus;
  isArchived: boolean;
  auditYears: number;
};
type SessionSeatRow = Omit<SessionSeat, 'home' | 'surface' | 'isArchived' | 'auditYears'> & {
  kind: WorkspaceKind;
  is_archived: boolean;
  audit_years: number;
};

/** The workspaces where the person has a seat, the oldest seat first, without those that the operator has closed. */
export async function readSeats(sql: Queryable, person: Handle<'person'>): Promise<SessionSeat[]> {
  const rows = await sql<SessionSeatRow[]>`
    select w.handle as workspace, w.kind, w.currency, w.status, w.archived_at is not null as is_archived,
      audit_years_of(w.handle) as audit_years,
      u.handle as user, u.email, u.role
    from users u join workspaces w on w.handle = u.workspace_handle
    where u.person_handle = ${person} and u.removed_at is null and w.status <> 'closed' and not w.sandbox
    order by u.handle limit ${SEATS_MAX}`;
  return rows.map(({ kind, is_archived: isArchived, audit_years: auditYears, ...same }) => ({
    ...same,
    home: same.workspace,
    surface: SURFACE_OF_KIND[kind],
    isArchived,
    auditYears,
  }));
}

/** A workspace as its members see it. */
export type WorkspaceRow = {
  handle: Handle<'workspace'>;
  name: string;
  kind: WorkspaceKind;
  status: WorkspaceStatus;
  currency: string;
};
/** A seat as the person sees it. */
export type SeatRow = WorkspaceRow & { user: Handle<'user'>; role: Role };

/** The workspaces of the person, or one of their seats. Clients of the sandbox are only listed for test keys. */
export async function listSeats(
  sql: Queryable,
  person: Handle<'person'>,
  { sandbox, only }: { sandbox: boolean; only?: Handle<'user'> },
): Promise<SeatRow[]> {
  return sql<SeatRow[]>`
    select w.handle, w.name, w.kind, w.status, w.currency, u.handle as user, u.role from users u
    join workspaces w on w.handle = u.workspace_handle
    where u.person_handle = ${person} and u.removed_at is null and (${sandbox} or not w.sandbox)
      and w.status <> 'closed' ${only === undefined ? sql`` : sql`and u.handle = ${only}`}
    order by u.handle limit ${SEATS_MAX}`;
}
