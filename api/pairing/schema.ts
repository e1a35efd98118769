/** Bodies and answers of pairing codes, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { PLATFORMS } from '#domain/screens/screen.ts';
import { LABEL_LENGTH_MAX } from '../screens/schema.ts';
import { idField, strict, timestampField } from '../wire/shapes.ts';

export const CODE_PATTERN = '^[0-9]{6}$';

export const MintBody = strict({
  venue_id: idField('Venue of the screen.'),
  screen_id: Type.Optional(
    idField('A screen of that venue whose device never confirmed: the code attaches a device to it.'),
  ),
});

export type MintCode = Static<typeof MintBody>;

export const ConfirmBody = strict({
  platform: Type.Enum([...PLATFORMS], { description: 'Platform of the player.' }),
  player: Type.String({ minLength: 1, maxLength: 100, description: 'Version of the player.' }),
});

export const codeParams = Type.Object({ code: Type.String({ description: 'The six digits.' }) });

export const MintedCode = Type.Object({
  code: Type.String({ description: 'Six digits, unique while they are valid.' }),
  expires_at: timestampField('End of the 60 seconds in which the code is valid.'),
  claim_url: Type.String({ description: 'Page on which a person claims the screen.' }),
});

export const PolledCode = Type.Object({
  code: Type.String({ description: 'The six digits.' }),
  expires_at: timestampField('End of the 60 seconds in which the code is valid.'),
  claim_url: Type.String({ description: 'Page on which a person claims the screen.' }),
  claimed: Type.Boolean({ description: 'Whether one of the two halves was used.' }),
  screen_id: Type.Union([Type.String(), Type.Null()], { description: 'The screen, once claimed.' }),
});

export const ConfirmedScreen = Type.Object({
  screen_id: Type.String({ description: 'The screen that the device now is.' }),
  device_token: Type.String({ description: 'Token for the `hello` of the screen protocol; shown once.' }),
  socket_url: Type.String({ description: 'Address of the screen protocol.' }),
});

export const PairScreenBody = strict({
  venue_id: idField('Venue in which the screen stands.'),
  label: Type.String({
    minLength: 1,
    maxLength: LABEL_LENGTH_MAX,
    pattern: '\\S',
    description: 'What people call the screen.',
  }),
  code: Type.String({ pattern: CODE_PATTERN, description: 'The six digits that the screen shows.' }),
});
