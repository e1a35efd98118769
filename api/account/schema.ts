/** Bodies and answers of the own account, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { MAIL_LANGUAGES } from '#domain/mail-language.ts';
import { emailField, idField, NAME_LENGTH_MAX, strict, timestampField } from '../wire/shapes.ts';
import { PASSWORD_LENGTH_MAX } from '../sessions/password.ts';
import { codeField, newPasswordField } from '../sessions/schema.ts';

const currentPassword = () =>
  Type.String({
    minLength: 1,
    maxLength: PASSWORD_LENGTH_MAX,
    description: 'The password of the person as it is now.',
  });

const identity = Type.Union(
  [
    Type.Object({
      issuer: Type.String({ description: 'The provider.' }),
      email: Type.String({ description: 'The address of the account as it was linked; may be empty.' }),
      linked_at: timestampField('When it was linked.'),
    }),
    Type.Null(),
  ],
  { description: 'The account of an OpenID provider that signs the person in; null: none does.' },
);

export const AccountRecord = Type.Object(
  {
    id: idField('per_..., the same in all workspaces of the person.'),
    email: Type.String({ description: 'Address that signs the person in.' }),
    name: Type.String({ description: 'What the person is called; empty where nobody said.' }),
    has_password: Type.Boolean({ description: 'Whether the address signs in with a password.' }),
    identity,
    second_factor: Type.Union(
      [
        Type.Object(
          {
            since: timestampField('Since when sign-ins ask for a code.'),
            recovery_codes_left: Type.Integer({ description: 'Number of recovery codes that were not used yet.' }),
          },
          { title: 'SecondFactor' },
        ),
        Type.Null(),
      ],
      { description: 'What sign-ins ask for beside the password; null: nothing.' },
    ),
  },
  { title: 'Account', description: 'The person who is signed in.' },
);
export type Account = Static<typeof AccountRecord>;

export const ChangeAccountBody = strict({
  name: Type.String({ maxLength: NAME_LENGTH_MAX, description: 'What the person is called.' }),
});

export const ChangePasswordBody = strict({
  current_password: currentPassword(),
  password: newPasswordField('The new password.'),
});
export type ChangePassword = Static<typeof ChangePasswordBody>;

export const RequestResetBody = strict({
  email: emailField('Address with which the person signs in.'),
  language: Type.Optional(Type.Enum([...MAIL_LANGUAGES], { description: 'Language of the mail; English by default.' })),
});

export const UseResetBody = strict({
  token: Type.String({ minLength: 1, maxLength: 100, description: 'Of the link, `reset_...`.' }),
  password: newPasswordField('The new password.'),
});
export type UseReset = Static<typeof UseResetBody>;

export const ResetLinkRecord = Type.Object(
  {
    url: Type.String({ description: 'Address of the page that sets the new password. It is shown here only.' }),
    expires_at: timestampField('Until when it works, once.'),
  },
  { title: 'ResetLink', description: 'A link by which a person sets a new password.' },
);

export const BeginSecondFactorBody = strict({ current_password: currentPassword() });
export const BegunSecondFactor = Type.Object(
  {
    secret: Type.String({ description: 'For an authenticator app, in base32. It is shown here only.' }),
    url: Type.String({ description: 'The same as an `otpauth://` address, for a picture that the app reads.' }),
  },
  { title: 'BegunSecondFactor' },
);

export const CodeBody = strict({ code: codeField('A code of the app, or a recovery code.') });
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String({ description: 'One code.' }), {
      description: 'Each signs in once in place of a code of the app. They are shown here only.',
    }),
  },
  { title: 'RecoveryCodes' },
);

export const BegunLink = Type.Object(
  { url: Type.String({ description: 'Where the browser goes: to the provider, which leads it back.' }) },
  { title: 'BegunLink' },
);
