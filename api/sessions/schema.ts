/** Bodies and answers of sessions, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { SIGN_UP_KINDS } from '#domain/access/workspace.ts';
import { SeatRecord } from '../me/schema.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import { emailField, idField, strict, timestampField } from '../wire/shapes.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts';

/** A new password. A password at sign-in may have any length, so that a wrong one always gets the same answer. */
export const newPasswordField = (description: string) =>
  Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX, description });

/** A code of an authenticator app, or a recovery code with its hyphens. */
export const codeField = (description: string) => Type.String({ minLength: 1, maxLength: 40, description });

export const SignInBody = strict({
  email: emailField('Address under which the person accepted an invitation.'),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, description: 'The password of the person.' }),
  code: Type.Optional(
    codeField('Of a person with a second factor: the code that their app shows, or a recovery code.'),
  ),
});
export type SignIn = Static<typeof SignInBody>;

export const SignInOptions = Type.Object(
  {
    oidc: Type.Boolean({
      description: 'Whether an OpenID provider signs people in, at `/console/oidc/start`, beside address and password.',
    }),
    reset_by_mail: Type.Boolean({
      description: 'Whether `POST /v1/password-resets` mails links to a new password; else the operator makes them.',
    }),
    sign_up: Type.Array(Type.Enum([...SIGN_UP_KINDS], { description: 'A kind of workspace.' }), {
      description: 'Kinds of workspaces that `POST /v1/sign-up` creates; empty: it is closed.',
    }),
  },
  { title: 'SignInOptions' },
);

export const UseLinkBody = strict({
  token: Type.String({ minLength: 1, maxLength: 100, description: 'Of the link, `link_...`.' }),
});
export type UseLink = Static<typeof UseLinkBody>;

export const SessionsQuery = strict(pageQuery(BY_CREATION));

export const SessionRecord = Type.Object(
  {
    id: idField('ses_...'),
    device: Type.String({ description: 'The browser, as it calls itself (`User-Agent`); may be empty.' }),
    created_at: timestampField('When the person signed in.'),
    last_used_at: timestampField('When it was used last, to the minute. It ends an hour later.'),
    ends_at: timestampField('When it ends in any case, 24 hours after it was made.'),
    is_current: Type.Boolean({ description: 'Whether this call was made with it.' }),
  },
  { title: 'Session', description: 'A browser in which the person is signed in.' },
);
export type SessionShown = Static<typeof SessionRecord>;

export const SignedIn = Type.Object(
  {
    person: Type.Object(
      {
        id: idField('per_...'),
        email: Type.String({ description: 'Address that signs the person in.' }),
        name: Type.String({ description: 'What the person is called; empty where nobody said.' }),
      },
      { description: 'Who signed in.' },
    ),
    session: SessionRecord,
    workspaces: Type.Array(SeatRecord, {
      description: 'Where the person works: the oldest first, at most 200. `X-Workspace-Id` names one of them.',
    }),
  },
  { title: 'SignedIn', description: 'Who signed in, and where they may work. The token is in the cookie.' },
);
export type SignedIn = Static<typeof SignedIn>;
