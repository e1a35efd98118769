/** The body of a sign-up, as a TypeBox schema. */
import { Type } from 'typebox';
import { SIGN_UP_KINDS } from '#domain/access/workspace.ts';
import { currencyField, emailField, NAME_LENGTH_MAX, nameField, strict } from '../wire/shapes.ts';

export const SignUpBody = strict({
  kind: Type.Enum([...SIGN_UP_KINDS], { description: '`brand` to buy plays, `venue` to show them.' }),
  workspace_name: nameField("Name of the brand or the venue's company."),
  currency: currencyField('Currency of its wallet or earnings, ISO 4217. It never changes.'),
  email: emailField('Address of the person who signs up, who becomes the owner.'),
  name: Type.Optional(Type.String({ maxLength: NAME_LENGTH_MAX, description: 'What that person is called.' })),
});
