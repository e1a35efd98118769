/** Who calls: the person, the workspaces, the key, and what it may do, for `GET /v1/me`. */
import { formatId } from '#domain/id.ts';
import { may, RESOURCES } from '#domain/access/permission.ts';
import { readKey } from '#sql/keys/keys.ts';
import { readName } from '#sql/people/people.ts';
import { listSeats, type SeatRow, type WorkspaceRow } from '#sql/people/seats.ts';
import { readWorkspace } from '#sql/workspaces/workspaces.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Principal } from '../authentication/principal.ts';
import { keyRecord } from '../keys/record.ts';
import type { Me, SeatRecord, Workspace } from './schema.ts';

/** Who calls: the person, where, with which role, and what follows from it. */
export async function readMe(sql: Postgres, principal: Principal): Promise<Me> {
  const { surface, role, access, sandbox, session, user, person, email, workspace } = principal;
  // A session reaches clients of the sandbox through their agency, as no seat of its own.
  const seats = await listSeats(sql, person, {
    sandbox: sandbox && session === null,
    ...(principal.madeBy !== null && { only: user }),
  });
  return {
    person: {
      id: formatId('person', person),
      user_id: formatId('user', user),
      email,
      name: await readName(sql, person),
    },
    workspace: workspaceRecord(await readWorkspace(sql, workspace)),
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

export function workspaceRecord({ handle, ...fields }: WorkspaceRow): Workspace {
  return { id: formatId('workspace', handle), ...fields };
}
