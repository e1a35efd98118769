/** Answers of `GET /v1/me`, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { ACCESSES, RESOURCES, ROLES, SURFACES } from '#domain/access/permission.ts';
import { WORKSPACE_KINDS, WORKSPACE_STATUSES } from '#domain/access/workspace.ts';
import { KeyRecord } from '../keys/schema.ts';
import { idField } from '../shapes.ts';

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

const Seat = Type.Object(
  {
    ...workspaceFields,
    user_id: idField('usr_..., of the person there.'),
    role: roleField('Role of the person there.'),
  },
  { title: 'SeatElsewhere', description: 'Another workspace of the person.' },
);

export const MeRecord = Type.Object(
  {
    person: Type.Object(
      {
        id: idField('per_..., the same in all workspaces of the person.'),
        user_id: idField('usr_..., of the person in one workspace; the actor of audit entries.'),
        email: Type.String({ description: 'Address of the person.' }),
        name: Type.String({ description: 'What the person is called; empty where nobody said.' }),
      },
      { description: 'Whom the key belongs to.' },
    ),
    workspace: WorkspaceRecord,
    role: roleField(
      'What the person may do here; an agency acts on its clients with the role that the person has at home.',
    ),
    surface: Type.Enum([...SURFACES], { description: 'What the key reaches.' }),
    access: Type.Enum([...ACCESSES], { description: '`read_only` may call only GET.' }),
    mode: Type.Enum(['live', 'test'], { description: '`test` acts on the sandbox.' }),
    key: KeyRecord,
    permissions: Type.Array(Permission, {
      description: 'What surface, access and role allow together; one entry per kind of record.',
    }),
    other_workspaces: Type.Array(Seat, {
      description:
        'Where the person has a seat, too: the newest 100. Empty for a key that somebody else made for the person.',
    }),
  },
  { title: 'Me', description: 'Who calls, and what that key may do.' },
);
export type Me = Static<typeof MeRecord>;
