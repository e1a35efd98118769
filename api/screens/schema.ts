/** Bodies, queries and answers of screens, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import {
  countField,
  idField,
  idsField,
  oneOrMore,
  orNull,
  orientationField,
  searchField,
  strict,
  timestampField,
} from '../wire/shapes.ts';
import { SCREEN_SORTS } from '#sql/screens/rows.ts';
import { listOf, pageQuery } from '../lists/paging.ts';
import { SCREEN_COMMANDS } from '#domain/screens/command.ts';
import { PLATFORMS, SCREEN_STATUSES } from '#domain/screens/screen.ts';
import { SCREENSHOT_FAULTS } from '#domain/screens/screenshot.ts';
import { CHALLENGE_PATTERN, SIGNATURE_PATTERN } from '#domain/screens/sensor.ts';

export const LABEL_LENGTH_MAX = 200;

const fields = {
  label: Type.String({ maxLength: LABEL_LENGTH_MAX, description: 'What people call the screen.' }),
  venue_id: idField('Venue in which the screen stands.'),
  ad_ratio: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the running time that may be ads, 0 to 1.' }),
  orientation: orientationField('How the display stands.'),
  sensor_paired: Type.Boolean({
    description:
      'false takes the sensing module from the screen; true is taken where one is paired, and in the sandbox.',
  }),
  blocked_categories: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 100,
    description: "Categories never shown on this screen, besides the venue's.",
  }),
  playlist_id: Type.Union([idField('pls_..., a playlist of this workspace.'), Type.Null()], {
    description: 'Playlist of the screen; null: the default of its venue.',
  }),
};

const degrees = (description: string) =>
  Type.Optional(Type.String({ pattern: '^-?[0-9]{1,3}(\\.[0-9]{1,15})?$', description }));
export const ListScreensQuery = strict({
  ...pageQuery(SCREEN_SORTS),
  venue: idsField('Only screens of this venue.'),
  venue_id: idsField('The same as `venue`.'),
  status: oneOrMore(SCREEN_STATUSES, 'Only screens of this status.'),
  platform: oneOrMore(PLATFORMS, 'Only screens of this platform.'),
  q: searchField('Only screens with this text in their label, or in the name or city of their venue, in any case.'),
  count: countField,
  lat: degrees('Latitude of the middle of an area, in degrees; with `lng` and `radius_km`.'),
  lng: degrees('Longitude of the middle of an area, in degrees.'),
  radius_km: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,5}(\\.[0-9]{1,6})?$', description: 'Radius of the area in kilometres.' }),
  ),
});

export const ChangeScreenBody = strict(
  {
    label: Type.Optional(fields.label),
    venue_id: Type.Optional(fields.venue_id),
    ad_ratio: Type.Optional(fields.ad_ratio),
    playlist_id: Type.Optional(fields.playlist_id),
    orientation: Type.Optional(fields.orientation),
    sensor_paired: Type.Optional(fields.sensor_paired),
    blocked_categories: Type.Optional(fields.blocked_categories),
  },
  { minProperties: 1 },
);

const sensor = {
  serial: Type.String({ pattern: '^[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$', description: 'What is printed on the module.' }),
  challenge: Type.String({
    pattern: CHALLENGE_PATTERN,
    description: 'The challenge that the module signed, 32 bytes in base64url.',
  }),
  signature: Type.String({
    pattern: SIGNATURE_PATTERN,
    description: "The module's Ed25519 signature over the `text` of the challenge, 64 bytes in base64url.",
  }),
};
export const ChallengeSensorBody = strict({ serial: sensor.serial });
export const PairSensorBody = strict(sensor);

export const SensorChallengeRecord = Type.Object(
  {
    challenge: Type.String({ description: 'To be sent back with the signature; good for one pairing.' }),
    text: Type.String({ description: 'What the module signs.' }),
    expires_at: timestampField('Until when it is good.'),
  },
  { title: 'SensorChallenge' },
);

export const ScreenRecord = Type.Object(
  {
    id: Type.String({ description: 'scr_...' }),
    venue_id: Type.String({ description: 'ven_...' }),
    venue_name: Type.String({ description: 'Name of the venue.' }),
    venue_type: Type.String({ description: 'OpenOOH type of the venue.' }),
    city: Type.String({ description: 'City of the venue.' }),
    label: Type.String({ description: 'What people call the screen.' }),
    platform: Type.Union([Type.String(), Type.Null()], {
      description: 'Platform of the player; null until the device has confirmed.',
    }),
    status: Type.Enum([...SCREEN_STATUSES], {
      description: '`online`: seen in the last 60 s; `paired_idle`: the device has not confirmed yet.',
    }),
    last_seen_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When the screen was last connected. ISO 8601, UTC.',
    }),
    commands: Type.Array(Type.Enum([...SCREEN_COMMANDS]), {
      description: 'What its player can do on request: `POST /screens/{id}/identify`, `reload` or `screenshot`.',
    }),
    sensor_paired: Type.Boolean({ description: 'Whether a sensing module is paired.' }),
    sensor: Type.Union(
      [
        Type.Object({
          serial: Type.String({ description: 'What is printed on the module.' }),
          paired_at: timestampField('When it was paired.'),
          attested_at: Type.Union([Type.String(), Type.Null()], {
            description:
              'Slot of the newest settled play whose audience a module attested; the `sensing` commission lasts for seven days from it. ISO 8601, UTC.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'The sensing module that is paired; null: none, or one that is only declared, in the sandbox.' },
    ),
    ad_ratio: Type.Number({ description: 'Share of the running time that may be ads, 0 to 1.' }),
    playlist_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Playlist of the screen; null: the venue default.',
    }),
    orientation: Type.String({ description: 'How the display stands.' }),
    opening_hours: Type.Unknown({ description: 'Opening hours of the venue; null: always open.' }),
    blocked_categories: Type.Array(Type.String(), {
      description: "Categories never shown on this screen, besides the venue's.",
    }),
    created_at: timestampField('When it was paired.'),
  },
  { title: 'Screen' },
);

export const ScreenshotRecord = Type.Object(
  {
    state: Type.Enum(['none', 'requested', 'taken', 'failed'], {
      description: 'What became of the last request; `none`: there was no request in the last 24 hours.',
    }),
    requested_at: orNull(Type.String(), 'When the last picture was asked for. ISO 8601, UTC.'),
    fault: orNull(
      Type.Enum(['no_answer', ...SCREENSHOT_FAULTS]),
      'Why there is no picture. `no_answer`: none came within 30 seconds; `page`: the screen shows a page of HTML; `protected`: the browser does not give out the pixels; `nothing`: the screen shows no item.',
    ),
    taken_at: orNull(Type.String(), 'When `image` was taken, at most 24 hours ago. ISO 8601, UTC.'),
    image: orNull(Type.String(), 'The newest picture, as a `data:` address of a JPEG or WebP of at most 64 KiB.'),
  },
  { title: 'Screenshot' },
);

export const HealthPeriod = Type.Object(
  {
    status: Type.Enum(['online', 'offline'], { description: 'Whether the screen was connected.' }),
    from: timestampField('When the period began.'),
    to: Type.Union([Type.String(), Type.Null()], { description: 'When it ended; null: it lasts. ISO 8601, UTC.' }),
    seconds: Type.Integer({ description: 'How long it lasted, up to now for one that lasts, in seconds.' }),
  },
  { title: 'HealthPeriod' },
);

export type Screenshot = Static<typeof ScreenshotRecord>;
export type HealthPeriodRecord = Static<typeof HealthPeriod>;
export type ChangeScreen = Static<typeof ChangeScreenBody>;
export type ListScreens = Static<typeof ListScreensQuery>;
export type Screen = Static<typeof ScreenRecord>;

/** A page of screens and, if `count` asked for it, how many there are in each state. */
export const ScreenList = Type.Object({
  ...listOf(ScreenRecord).properties,
  by_status: Type.Optional(
    Type.Object(
      {
        online: Type.Integer({ description: 'Number of connected screens.' }),
        offline: Type.Integer({ description: 'Number of screens that are not connected now.' }),
        paired_idle: Type.Integer({ description: 'Number of screens that have never connected.' }),
      },
      { description: 'How many screens are in each state, with `count=true`; the filter `status` does not apply.' },
    ),
  ),
});
