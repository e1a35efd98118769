/** Bodies, queries and answers of venues, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { COORDINATES_SHOWN } from '#domain/screens/place.ts';
import { FIGURE_REJECTIONS, REVIEW_REASONS, type FigureRejection } from '#domain/screens/venue-review.ts';
import { VENUE_SORTS } from '#sql/venues/rows.ts';
import { pageQuery } from '../lists/paging.ts';
import { valueField } from '../payouts/schema.ts';
import {
  countField,
  idField,
  nameField,
  NAME_LENGTH_MAX,
  searchField,
  strict,
  timestampField,
} from '../wire/shapes.ts';

const visibility = {
  name: Type.Boolean({ description: 'Whether brands see the name; `true` by default.' }),
  coordinates: Type.Enum([...COORDINATES_SHOWN], {
    description:
      'How exactly brands see where it stands: `exact`; `city` (the default): to a tenth of a degree, some 10 km; `hidden`: not at all. Searches and areas of campaigns compare the position shown, so a hidden venue is in none.',
  }),
};

export const VENUE_FIELDS = {
  name: nameField('Name of the venue.'),
  type: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'OpenOOH venue type: dotted name, string value or id.',
  }),
  city: Type.String({
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    pattern: '\\S',
    description: 'City, as people write it.',
  }),
  lat: Type.Number({ minimum: -90, maximum: 90, description: 'Latitude in degrees.' }),
  lng: Type.Number({ minimum: -180, maximum: 180, description: 'Longitude in degrees.' }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IANA time zone, such as Europe/Berlin; in any case, and answered by its name.',
  }),
  opening_hours: Type.Unknown({
    description: 'Ranges by weekday, {mon: [{start, end}], ...}; absent or null: always open.',
  }),
  daily_visitors: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'People who visit on a day.' }),
  dwell_minutes: Type.Number({ exclusiveMinimum: 0, maximum: 1_440, description: 'Minutes that a visitor stays.' }),
  blocked_categories: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 100,
    description: 'Categories of ads that are never shown here.',
  }),
  default_playlist_id: Type.Union([idField('pls_..., a playlist of this workspace.'), Type.Null()], {
    description: 'What runs on screens that have no playlist of their own; null: ads alone.',
  }),
  visibility: strict(
    { name: Type.Optional(visibility.name), coordinates: Type.Optional(visibility.coordinates) },
    {
      description:
        'What brands see of the venue beside its type, city and photo. A field that is left out stays as it is.',
    },
  ),
  photo_asset_id: Type.Union([idField('ast_..., a ready asset of this workspace.'), Type.Null()], {
    description: 'A picture of the place that brands see; null: none.',
  }),
};

export const ListVenuesQuery = strict({
  ...pageQuery(VENUE_SORTS),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Only venues of this OpenOOH type, or of those below it. Several comma-separated.',
    }),
  ),
  city: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Only venues in this city, compared without case and accents. Several comma-separated.',
    }),
  ),
  q: searchField('Only venues whose name holds this text, in any case.'),
  count: countField,
  include: Type.Optional(
    Type.Enum(['activity'], { description: '`activity`: also the screens and the earnings of each venue.' }),
  ),
});

export const CreateVenueBody = strict({
  ...VENUE_FIELDS,
  opening_hours: Type.Optional(VENUE_FIELDS.opening_hours),
  blocked_categories: Type.Optional(VENUE_FIELDS.blocked_categories),
  default_playlist_id: Type.Optional(VENUE_FIELDS.default_playlist_id),
  visibility: Type.Optional(VENUE_FIELDS.visibility),
  photo_asset_id: Type.Optional(VENUE_FIELDS.photo_asset_id),
});

export const ChangeVenueBody = strict(
  {
    name: Type.Optional(VENUE_FIELDS.name),
    type: Type.Optional(VENUE_FIELDS.type),
    city: Type.Optional(VENUE_FIELDS.city),
    lat: Type.Optional(VENUE_FIELDS.lat),
    lng: Type.Optional(VENUE_FIELDS.lng),
    timezone: Type.Optional(VENUE_FIELDS.timezone),
    opening_hours: Type.Optional(VENUE_FIELDS.opening_hours),
    daily_visitors: Type.Optional(VENUE_FIELDS.daily_visitors),
    dwell_minutes: Type.Optional(VENUE_FIELDS.dwell_minutes),
    blocked_categories: Type.Optional(VENUE_FIELDS.blocked_categories),
    default_playlist_id: Type.Optional(VENUE_FIELDS.default_playlist_id),
    visibility: Type.Optional(VENUE_FIELDS.visibility),
    photo_asset_id: Type.Optional(VENUE_FIELDS.photo_asset_id),
  },
  { minProperties: 1 },
);

const inForce = {
  type: Type.String({ description: 'OpenOOH venue type, dotted name.' }),
  city: Type.String({ description: 'City.' }),
  lat: Type.Number({ description: 'Latitude in degrees.' }),
  lng: Type.Number({ description: 'Longitude in degrees.' }),
  timezone: Type.String({ description: 'IANA time zone.' }),
  opening_hours: Type.Unknown({ description: 'Ranges by weekday; null: always open.' }),
  daily_visitors: Type.Integer({ description: 'People who visit on a day.' }),
  dwell_minutes: Type.Number({ description: 'Minutes that a visitor stays.' }),
};

export const FiguresRecord = Type.Object(
  {
    in_force: Type.Object(
      {
        ...inForce,
        audience_max: Type.Number({
          description: 'People who can have one screen in view at once: no play counts more.',
        }),
      },
      { description: 'What plays are decided, charged and earned by.' },
    ),
    pending: Type.Union([Type.Partial(Type.Object(inForce)), Type.Null()], {
      description: 'What was asked for and waits for the operator; the figures in force hold until then.',
    }),
    review: Type.Union(
      [
        Type.Object({
          status: Type.Enum(['pending', 'approved', 'rejected'], { description: 'Whether the operator has decided.' }),
          reasons: Type.Array(Type.Enum([...REVIEW_REASONS]), { description: 'Why the operator was asked.' }),
          requested_at: timestampField('When the figures were asked for.'),
          decided_at: Type.Union([Type.String(), Type.Null()], {
            description: 'When the operator decided. ISO 8601, UTC.',
          }),
          rejection: Type.Union(
            [
              Type.Object({
                code: Type.Enum(Object.keys(FIGURE_REJECTIONS) as FigureRejection[], {
                  description: 'Why the figures were rejected.',
                }),
                detail: Type.String({ description: 'The same as a sentence.' }),
              }),
              Type.Null(),
            ],
            { description: 'Of a rejected one.' },
          ),
        }),
        Type.Null(),
      ],
      { description: 'The last review of the figures; null: none was needed.' },
    ),
  },
  { title: 'VenueFigures' },
);

export const VenueRecord = Type.Object(
  {
    id: Type.String({ description: 'ven_...' }),
    name: Type.String({ description: 'Name of the venue.' }),
    ...inForce,
    figures: FiguresRecord,
    blocked_categories: Type.Array(Type.String(), {
      description: 'Slugs of the categories that are never shown here.',
    }),
    default_playlist_id: Type.Union([Type.String(), Type.Null()], {
      description: 'What runs on screens that have no playlist of their own; null: ads alone.',
    }),
    visibility: Type.Object(visibility, {
      description: 'What brands see of the venue beside its type, city and photo.',
    }),
    photo_asset_id: Type.Union([Type.String(), Type.Null()], {
      description: 'ast_..., the picture of the place; null: none.',
    }),
    photo_url: Type.Union([Type.String(), Type.Null()], { description: 'Address of the picture; null: none.' }),
    created_at: timestampField('When it was created.'),
  },
  { title: 'Venue' },
);

const Activity = Type.Object(
  {
    screens: Type.Integer({ description: 'Paired screens.' }),
    screens_online: Type.Integer({ description: 'Screens that were seen in the last 60 s.' }),
    earnings_this_month: Type.Optional(
      Type.Array(valueField('Earnings in one currency.'), {
        description:
          'Earnings since the first of the month, local to the venue, by currency. Absent if the caller may not read earnings.',
      }),
    ),
  },
  { title: 'VenueActivity', description: 'Screens and earnings; only with `include=activity`.' },
);

export const ListedVenue = Type.Object(
  { ...VenueRecord.properties, activity: Type.Optional(Activity) },
  { title: 'ListedVenue' },
);

export type VenueActivity = Static<typeof Activity>;
export type ListVenues = Static<typeof ListVenuesQuery>;
export type ChangeVenue = Static<typeof ChangeVenueBody>;
export type Venue = Static<typeof VenueRecord>;
export type VenueFiguresRecord = Static<typeof FiguresRecord>;
