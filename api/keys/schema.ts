/** Bodies and answers of API keys, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { ACCESSES, SURFACES } from '#domain/access/permission.ts';
import { idField, NAME_LENGTH_MAX, strict, timestampField } from '../wire/shapes.ts';

const MODES = ['live', 'test'] as const;

export const CreateKeyBody = strict({
  name: Type.Optional(Type.String({ maxLength: NAME_LENGTH_MAX, description: 'What people call the key.' })),
  surface: Type.Optional(
    Type.Enum([...SURFACES], { description: 'What the key reaches; by default what the calling key reaches.' }),
  ),
  access: Type.Optional(
    Type.Enum([...ACCESSES], { description: '`read_only` may call only GET; `read_write` by default.' }),
  ),
  user_id: Type.Optional(
    idField(
      'Member for whom the key is made, usr_...: one whose role the caller may give. By default the person of the calling key.',
    ),
  ),
  mode: Type.Optional(
    Type.Enum([...MODES], { description: '`test` routes to the sandbox; by default the mode of the calling key.' }),
  ),
});

const fields = {
  id: Type.String({ description: 'key_...' }),
  name: Type.String({ description: 'What people call the key; may be empty.' }),
  display: Type.String({ description: 'The first characters of the key and its last four.' }),
  surface: Type.String({
    description: 'What the key reaches: `ads_manager`, `screen_manager`, `agency` or `operator`.',
  }),
  access: Type.String({ description: '`read_write` or `read_only`.' }),
  mode: Type.String({ description: '`live` or `test`.' }),
  user: Type.Object(
    {
      id: Type.String({ description: 'usr_...' }),
      email: Type.String({ description: 'Address of the person.' }),
      role: Type.String({ description: 'Role that the person has now; the key acts with it.' }),
    },
    { description: 'Whose permissions the key acts with.' },
  ),
  made_by_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Who made it for that person, usr_...; null where the person did, or the operator.',
  }),
  limits: Type.Object(
    {
      per_minute: Type.Integer({ description: 'Calls per minute.' }),
      per_second: Type.Integer({ description: 'Calls per second.' }),
    },
    { description: 'How often the key may call.' },
  ),
  created_at: timestampField('When it was made.'),
  expires_at: timestampField('When it expires, 90 days after it was made; sooner for a key that was rotated.'),
  last_used_at: Type.Union([timestampField('When it was used last, to the minute.'), Type.Null()], {
    description: 'When it was used last, to the minute; null before its first call.',
  }),
};

export const KeyRecord = Type.Object(fields, { title: 'Key' });
export const CreatedKey = Type.Object(
  { ...fields, key: Type.String({ description: 'The key itself. It is shown here only, and not kept.' }) },
  { title: 'CreatedKey' },
);

export type CreatedKey = Static<typeof CreatedKey>;
export type CreateKey = Static<typeof CreateKeyBody>;
export type Key = Static<typeof KeyRecord>;
