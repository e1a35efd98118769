/** Who calls: the person, the workspaces, the key, and what it may do, for `GET /v1/me`. */
import { formatId, type Handle } from '#domain/id.ts';
import { may, RESOURCES } from '#domain/access/permission.ts';
import { readKey } from '#sql/keys/keys.ts';
import { listSeats, type SeatRow } from '#sql/people/seats.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Principal } from '../authentication/principal.ts';
import { keyRecord } from '../keys/record.ts';
import type { Me, SeatRecord, Workspace } from './schema.ts';

type WorkspaceRow = Omit<Workspace, 'id'> & { handle: Handle<'workspace'> };

/** Who calls: the person, where, with which role, and what follows from it. */
export async function readMe(sql: Postgres, principal: Principal): Promise<Me> {
  const { surface, role, access, sandbox, user, person, email, workspace } = principal;
  const seats = await listSeats(sql, person, { sandbox, ...(principal.madeBy !== null && { only: user }) });
  const [named] = await sql<{ name: string }[]>`select name from people where handle = ${person}`;
  return {
    person: { id: formatId('person', person), user_id: formatId('user', user), email, name: named!.name },
    workspace: await readWorkspace(sql, workspace),
    role,
    surface,
    access,
    mode: sandbox ? 'test' : 'live',
    key: principal.key === null ? null : keyRecord(await readKey(sql, principal.key)),
    permissions: RESOURCES.map(resource => ({
      resource,
      read: may(surface, role, access, resource, 'read') === undefined,
      write: may(surface, role, access, resource, 'write') === undefined,
    })),
    workspaces: seats.map(seatRecord),
  };
}

export function seatRecord({ user, role, ...row }: SeatRow): SeatRecord {
  return { ...workspaceRecord(row), user_id: formatId('user', user), role };
}

export async function readWorkspace(sql: Queryable, handle: Handle<'workspace'>): Promise<Workspace> {
  const [row] = await sql<
    WorkspaceRow[]
  >`select handle, name, kind, status, currency from workspaces where handle = ${handle}`;
  return workspaceRecord(row!);
}

export function workspaceRecord({ handle, ...fields }: WorkspaceRow): Workspace {
  return { id: formatId('workspace', handle), ...fields };
}
