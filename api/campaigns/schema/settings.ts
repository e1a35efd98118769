/** The optional settings of a campaign as TypeBox schemas: of a new one, of a change, and as they are shown. */
import { Type } from 'typebox';
import type { SettingsJson } from '#domain/campaigns/changes/settings.ts';
import {
  CONTROLLER_LENGTH_MAX,
  FUNDING_ORIGINS,
  FUNDING_SOURCES,
  PAYER_LENGTH_MAX,
  PROCESS_LENGTH_MAX,
  SPONSOR_ADDRESS_LENGTH_MAX,
  SPONSOR_EMAIL_LENGTH_MAX,
  SPONSOR_NAME_LENGTH_MAX,
} from '#domain/campaigns/political.ts';
import { frequencyField, orNull, strict } from '../../wire/shapes.ts';

const PoliticalBody = strict(
  {
    sponsor: strict(
      {
        name: Type.String({
          minLength: 1,
          maxLength: SPONSOR_NAME_LENGTH_MAX,
          description: 'The name that screens show.',
        }),
        address: Type.Optional(
          Type.String({ minLength: 1, maxLength: SPONSOR_ADDRESS_LENGTH_MAX, description: 'Postal address.' }),
        ),
        email: Type.Optional(
          Type.String({ minLength: 3, maxLength: SPONSOR_EMAIL_LENGTH_MAX, description: 'Mail address.' }),
        ),
      },
      { description: 'The sponsor, with an address, an email or both.' },
    ),
    process: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: PROCESS_LENGTH_MAX,
        description: 'The election, referendum or legislative process that the ads are linked to.',
      }),
    ),
    process_url: Type.Optional(
      Type.String({ maxLength: 2_048, description: 'Official information on how to take part in the vote; https.' }),
    ),
    controlled_by: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CONTROLLER_LENGTH_MAX,
        description: 'The entity that ultimately controls the sponsor; screens show it behind the name.',
      }),
    ),
    payer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: PAYER_LENGTH_MAX,
        description: 'Who pays, if it is not the sponsor: name and contact.',
      }),
    ),
    funding_source: Type.Optional(
      Type.Enum([...FUNDING_SOURCES], { description: 'Whether the money is public or private.' }),
    ),
    funding_origin: Type.Optional(
      Type.Enum([...FUNDING_ORIGINS], { description: 'Whether the money comes from inside or outside the EU.' }),
    ),
  },
  {
    title: 'Political',
    description: 'Makes the ads political: screens label them, and a public notice names the sponsor.',
  },
);

const brandLift = Type.Boolean({ description: 'Whether brand lift is measured.' });

export const newSettings = {
  landing_url: Type.Optional(Type.String({ maxLength: 2_048, description: 'Where a scan leads; https.' })),
  brand_lift: Type.Optional(brandLift),
  frequency: Type.Optional(frequencyField({ description: 'Cap per screen.' })),
  political: Type.Optional(PoliticalBody),
} satisfies Record<keyof SettingsJson, unknown>;

export const changedSettings = {
  landing_url: Type.Optional(
    Type.Union([Type.String({ maxLength: 2_048 }), Type.Null()], {
      description: 'Where a scan leads; https. Null: nowhere.',
    }),
  ),
  brand_lift: Type.Optional(brandLift),
  frequency: Type.Optional(Type.Union([frequencyField(), Type.Null()], { description: 'Cap per screen. Null: none.' })),
  political: Type.Optional(
    Type.Union([PoliticalBody, Type.Null()], {
      description:
        'The sponsor of political ads. Once the campaign has been live, it can be corrected and not removed.',
    }),
  ),
} satisfies Record<keyof SettingsJson, unknown>;

export const shownSettings = {
  landing_url: Type.Union([Type.String(), Type.Null()], { description: 'Where a scan leads.' }),
  brand_lift: brandLift,
  frequency: Type.Union(
    [Type.Object({ max_per_hour: Type.Integer({ description: 'Plays per hour.' }) }), Type.Null()],
    { description: 'Cap per screen.' },
  ),
  political: orNull(PoliticalBody, 'The sponsor of political ads; null: they are not political.'),
} satisfies Record<keyof SettingsJson, unknown>;
