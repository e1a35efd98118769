/** Answers of `GET /v1/me`, as TypeBox schemas, and the workspaces of a person. */
import { Type, type Static } from 'typebox';
import { ACCESSES, RESOURCES, ROLES, SURFACES } from '#domain/access/permission.ts';
import { WORKSPACE_KINDS, WORKSPACE_STATUSES } from '#domain/access/workspace.ts';
import { KeyRecord } from '../keys/schema.ts';
import { idField } from '../wire/shapes.ts';

const roleField = (description: string) => Type.Enum([...ROLES], { description });

const workspaceFields = {
  id: idField('ws_...'),
  name: Type.String({ description: 'Name of the workspace.' }),
  kind: Type.Enum([...WORKSPACE_KINDS], { description: 'Whose it is.' }),
  status: Type.Enum([...WORKSPACE_STATUSES], {
    description:
      '`in_review` until the operator has approved a workspace that somebody signed up for; then `active`. No key of a `closed` one is good.',
  }),
  currency: Type.String({ description: 'Currency of its wallet, ISO 4217.' }),
};
export const WorkspaceRecord = Type.Object(workspaceFields, {
  title: 'Workspace',
  description: 'A workspace: its records, its money and its people.',
});
export type Workspace = Static<typeof WorkspaceRecord>;

const Permission = Type.Object(
  {
    resource: Type.Enum([...RESOURCES], { description: 'What the calls are about.' }),
    read: Type.Boolean({ description: 'Whether this key may read it.' }),
    write: Type.Boolean({ description: 'Whether this key may change it.' }),
  },
  { title: 'Permission', description: 'What this key may do with one kind of record.' },
);

export const SeatRecord = Type.Object(
  {
    ...workspaceFields,
    user_id: idField('usr_..., of the person there.'),
    role: roleField('Role of the person there.'),
  },
  { title: 'OwnWorkspace', description: 'A workspace of the person.' },
);
export type SeatRecord = Static<typeof SeatRecord>;

export const MeRecord = Type.Object(
  {
    person: Type.Object(
      {
        id: idField('per_..., the same in all workspaces of the person.'),
        user_id: idField('usr_..., of the person in one workspace; the actor of audit entries.'),
        email: Type.String({ description: 'Address of the person.' }),
        name: Type.String({ description: 'What the person is called; empty where nobody said.' }),
      },
      { description: 'Whom the key belongs to, or who is signed in.' },
    ),
    workspace: WorkspaceRecord,
    role: roleField(
      'What the person may do here; an agency acts on its clients with the role that the person has at home.',
    ),
    surface: Type.Enum([...SURFACES], { description: 'What the key or the session reaches.' }),
    access: Type.Enum([...ACCESSES], { description: '`read_only` may call only GET.' }),
    mode: Type.Enum(['live', 'test'], {
      description: '`test` acts on the sandbox: a test key, or a session with `X-Mode: test`.',
    }),
    key: Type.Union([KeyRecord, Type.Null()], { description: 'The key that calls; null for a session.' }),
    permissions: Type.Array(Permission, {
      description: 'What surface, access and role allow together; one entry per kind of record.',
    }),
    workspaces: Type.Array(SeatRecord, {
      description:
        'Where the person has a seat: the oldest first, at most 200. Only the one of the key, where somebody else made it for the person.',
    }),
  },
  { title: 'Me', description: 'Who calls, and what that key or session may do.' },
);
export type Me = Static<typeof MeRecord>;
