/** Bodies, queries and answers of members, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { ROLES } from '#domain/access/permission.ts';
import { MEMBER_SORTS } from '#sql/members/members.ts';
import { pageQuery } from '../lists/paging.ts';
import { idField, strict, timestampField } from '../wire/shapes.ts';

export const MembersQuery = strict(pageQuery(MEMBER_SORTS));

export const MemberRecord = Type.Object(
  {
    id: idField('usr_..., of this person in this workspace.'),
    email: Type.String({ description: 'Address under which the person was named or invited.' }),
    name: Type.String({ description: 'What the person is called; empty where nobody said.' }),
    role: Type.Enum([...ROLES], { description: 'What the person may do in this workspace.' }),
    joined_at: timestampField('When the person first became a member.'),
  },
  { title: 'Member', description: 'A person of a workspace.' },
);
export type Member = Static<typeof MemberRecord>;

export const ChangeMemberBody = strict({
  role: Type.Enum([...ROLES], {
    description:
      'The new role, which all keys of the person act with from now on. None that reaches further than the role of the caller.',
  }),
});
