/** Queries and answers of people as the operator sees them, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { ROLES } from '#domain/access/permission.ts';
import { SEATS_SHOWN_MAX } from '#sql/people/operator.ts';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import { countField, idField, searchField, strict, timestampField } from '../../wire/shapes.ts';

export const PeopleQuery = strict({
  ...pageQuery(BY_CREATION),
  q: searchField('Text in the address or the name of the person, in any case.'),
  count: countField,
});

export const Person = Type.Object(
  {
    id: idField('per_...'),
    email: Type.String({ description: 'Address of the person.' }),
    name: Type.String({ description: 'Name of the person; empty if unknown.' }),
    has_password: Type.Boolean({ description: 'Whether the person signs in with a password.' }),
    has_second_factor: Type.Boolean({ description: 'Whether the password needs a second factor.' }),
    seats: Type.Array(
      Type.Object({
        workspace_id: idField('ws_...'),
        workspace_name: Type.String({ description: 'Name of the workspace.' }),
        role: Type.Enum([...ROLES], { description: 'Role of the person there.' }),
      }),
      { description: `Where the person works; at most ${SEATS_SHOWN_MAX}, the oldest first.` },
    ),
    created_at: timestampField('When the person first joined a workspace.'),
  },
  { title: 'Person', description: 'A person who works in a workspace of the installation.' },
);
export type Person = Static<typeof Person>;
