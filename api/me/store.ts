/** Who calls: the person, the workspaces, the key, and what it may do, for `GET /v1/me`. */
import { formatId, type Handle } from '#domain/id.ts';
import { may, RESOURCES, type Role } from '#domain/access/permission.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Principal } from '../authentication/principal.ts';
import { keyRecord, type KeyRow } from '../keys/new-key.ts';
import type { Me, SeatRecord, Workspace } from './schema.ts';

const SEATS_MAX = 200; // an agency finds its clients under /agency/clients

type WorkspaceRow = Omit<Workspace, 'id'> & { handle: Handle<'workspace'> };

/** Who calls: the person, where, with which role, and what follows from it. */
export async function readMe(sql: Postgres, principal: Principal): Promise<Me> {
  const { surface, role, access, sandbox, user, person, email, workspace } = principal;
  const [key] =
    principal.key === null
      ? []
      : await sql<KeyRow[]>`
    select k.*, u.email, u.role from keys k join users u on u.handle = k.user_handle where k.handle = ${principal.key}`;
  const [named] = await sql<{ name: string }[]>`select name from people where handle = ${person}`;
  return {
    person: { id: formatId('person', person), user_id: formatId('user', user), email, name: named!.name },
    workspace: await readWorkspace(sql, workspace),
    role,
    surface,
    access,
    mode: sandbox ? 'test' : 'live',
    key: key ? keyRecord(key) : null,
    permissions: RESOURCES.map(resource => ({
      resource,
      read: may(surface, role, access, resource, 'read') === undefined,
      write: may(surface, role, access, resource, 'write') === undefined,
    })),
    workspaces: await readWorkspaces(sql, person, { sandbox, ...(principal.madeBy !== null && { only: user }) }),
  };
}

type SeatFilter = { sandbox: boolean; only?: Handle<'user'> };

/** The workspaces of the person, or one of their seats. Clients of the sandbox are only listed for test keys. */
export async function readWorkspaces(
  sql: Queryable,
  person: Handle<'person'>,
  { sandbox, only }: SeatFilter,
): Promise<SeatRecord[]> {
  const rows = await sql<(WorkspaceRow & { user: Handle<'user'>; role: Role })[]>`
    select w.handle, w.name, w.kind, w.status, w.currency, u.handle as user, u.role from users u
    join workspaces w on w.handle = u.workspace_handle
    where u.person_handle = ${person} and u.removed_at is null and (${sandbox} or not w.sandbox)
      and w.status <> 'closed' ${only === undefined ? sql`` : sql`and u.handle = ${only}`}
    order by u.handle limit ${SEATS_MAX}`;
  return rows.map(({ user, role, ...row }) => ({ ...workspaceRecord(row), user_id: formatId('user', user), role }));
}

export async function readWorkspace(sql: Queryable, handle: Handle<'workspace'>): Promise<Workspace> {
  const [row] = await sql<
    WorkspaceRow[]
  >`select handle, name, kind, status, currency from workspaces where handle = ${handle}`;
  return workspaceRecord(row!);
}

function workspaceRecord({ handle, ...fields }: WorkspaceRow): Workspace {
  return { id: formatId('workspace', handle), ...fields };
}
