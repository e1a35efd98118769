/** Bodies and answers of invitations, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { ROLES } from '#domain/access/permission.ts';
import { CreatedKey } from '../keys/schema.ts';
import { MemberRecord } from '../members/schema.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import { emailField, idField, NAME_LENGTH_MAX, strict, timestampField } from '../wire/shapes.ts';
import { MAIL_LANGUAGES } from '#domain/mail-language.ts';
import { MAIL_PROBLEMS } from '#runtime/mail/mailer.ts';
import { MAIL_STATES } from '../mail/outcome.ts';
import { WorkspaceRecord } from '../me/schema.ts';
import { INVITATION_STATUSES } from '#sql/members/invitations.ts';
import { newPasswordField } from '../sessions/schema.ts';

const roleField = (description: string) => Type.Enum([...ROLES], { description });

export const InvitationsQuery = strict({
  ...pageQuery(BY_CREATION),
  status: Type.Optional(Type.Enum([...INVITATION_STATUSES], { description: 'Only those in this state.' })),
});

export const InviteBody = strict({
  email: emailField(
    'Address of the person. Without a mail server of the operator no mail is sent: hand the link or the token over yourself.',
  ),
  role: roleField('Role of the person in this workspace; none that reaches further than that of the caller.'),
  language: Type.Optional(
    Type.Enum([...MAIL_LANGUAGES], { description: 'In which language the person is written to; English by default.' }),
  ),
});
export type Invite = Static<typeof InviteBody>;

const fields = {
  id: idField('ivt_...'),
  email: Type.String({ description: 'Address of the person who is invited.' }),
  role: roleField('Role that the person will have.'),
  status: Type.Enum([...INVITATION_STATUSES], { description: '`open` until it is accepted, revoked or has expired.' }),
  invited_by: Type.Object(
    { id: idField('usr_...'), email: Type.String({ description: 'Address of the person.' }) },
    { description: 'Who invited.' },
  ),
  created_at: timestampField('When it was made.'),
  expires_at: timestampField('When it ends unless it is accepted, 7 days after it was made.'),
};
export const InvitationRecord = Type.Object(fields, { title: 'Invitation' });
export type Invitation = Static<typeof InvitationRecord>;
export const MadeInvitation = Type.Object(
  {
    ...fields,
    url: Type.String({
      description: 'Link to the page of the console that accepts it, to be handed over in place of the token.',
    }),
    token: Type.String({
      description: 'What the person accepts with, `invite_...`. It is shown here only, and not kept.',
    }),
    mail: Type.Object(
      {
        state: Type.Enum([...MAIL_STATES], {
          description:
            '`sent`: the mail server took it. `failed`: it did not go. `unknown`: it may have gone. `off`: no mail is sent here, or not by a workspace that is in review. But for `sent`, hand the link over yourself.',
        }),
        problem: Type.Union([Type.Enum([...MAIL_PROBLEMS]), Type.Null()], {
          description:
            '`refused`: the mail server does not take the address or the mail. `unreachable`: it is not reached, or lets this installation not in. `late`: it took too long. `busy`: too many mails are under way, or were sent within an hour by this workspace or to this address.',
        }),
      },
      { description: 'What came of the mail with the link.' },
    ),
  },
  { title: 'MadeInvitation' },
);

const tokenField = () =>
  Type.String({ minLength: 1, maxLength: 100, description: 'Token of the invitation, `invite_...`.' });

export const PreviewBody = strict({ token: tokenField() });
export type Preview = Static<typeof PreviewBody>;

export const PreviewedInvitation = Type.Object(
  {
    email: fields.email,
    role: fields.role,
    expires_at: fields.expires_at,
    workspace: WorkspaceRecord,
    signs_in: Type.Boolean({
      description: 'Whether the address has a password already, which is then the one to accept with.',
    }),
  },
  { title: 'PreviewedInvitation' },
);
export type PreviewedInvitation = Static<typeof PreviewedInvitation>;

export const AcceptBody = strict({
  token: tokenField(),
  name: Type.Optional(
    Type.String({
      maxLength: NAME_LENGTH_MAX,
      description: 'What the person is called; what is known already by default.',
    }),
  ),
  password: Type.Optional(
    newPasswordField(
      'For people who sign in to the console: the password that will sign in this address, or the one that does already, which shows that both are one person. No key is made then.',
    ),
  ),
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'A live key that may write, which the person has in another workspace under the same address. It shows that both are one person, whose workspaces `GET /v1/me` then lists together.',
    }),
  ),
});

export type Accept = Static<typeof AcceptBody>;

export const AcceptedInvitation = Type.Object(
  {
    workspace: WorkspaceRecord,
    member: MemberRecord,
    key: Type.Union([CreatedKey, Type.Null()], {
      description: 'A key of the member; null where a password was given.',
    }),
  },
  { title: 'AcceptedInvitation' },
);
export type AcceptedInvitation = Static<typeof AcceptedInvitation>;
