/** Queries and answers of places and the inventory, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { COORDINATES_SHOWN } from '#domain/screens/place.ts';
import type { Sorts } from '#sql/lists/sorts.ts';
import { BY_CREATION, listOf, pageQuery } from '../lists/paging.ts';
import { asOfField, dateField, moneyField, searchField, strict, zoneField } from '../wire/shapes.ts';
import type { Micros } from '#domain/unit.ts';

/** A venue as brands see it. */
const placeFields = {
  venue_id: Type.String({ description: 'ven_...' }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the venue; null where it does not show it.' }),
  type: Type.String({ description: 'OpenOOH venue type, dotted name.' }),
  city: Type.String({ description: 'City.' }),
  timezone: Type.String({ description: 'IANA time zone.' }),
  coordinates: Type.Union(
    [
      Type.Object({
        lat: Type.Number({ description: 'Latitude in degrees.' }),
        lng: Type.Number({ description: 'Longitude in degrees.' }),
        precision: Type.Enum(
          COORDINATES_SHOWN.filter(shown => shown !== 'hidden'),
          { description: '`city`: to a tenth of a degree, some 10 km.' },
        ),
      }),
      Type.Null(),
    ],
    { description: 'Its position, as exactly as it shows it; null if it shows none.' },
  ),
  photo_url: Type.Union([Type.String(), Type.Null()], {
    description: 'Address of a picture of the place; null: there is none.',
  }),
};

export const PlacesQuery = strict({
  ...pageQuery(BY_CREATION),
  from: Type.Optional(dateField('First day, in `tz`; by default the whole campaign.')),
  to: Type.Optional(dateField('Last day, in `tz`.')),
  tz: Type.Optional(zoneField('of `from` and `to`')),
});

const PlaceRecord = Type.Object(
  {
    ...placeFields,
    screens: Type.Integer({ description: 'Different screens there that showed the campaign.' }),
    plays: Type.Integer({ description: 'Counted plays.' }),
    impressions: Type.Integer({ description: 'Impressions.' }),
    scans: Type.Integer({ description: 'Scans.' }),
    spend: moneyField('Price of the counted plays.'),
  },
  { title: 'Place' },
);

export const PlaceList = Type.Object({ ...listOf(PlaceRecord).properties, as_of: asOfField('list') });

const amount = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,9}([.][0-9]{1,6})?$', description }));
const DEGREES = '-?[0-9]{1,3}([.][0-9]{1,9})?';
const several = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 2_000, description: `${description} Several with commas between.` }),
  );

/** Sort keys of the inventory besides creation time: the price and the audience of a play, remaining plays. */
export const INVENTORY_SORTS = {
  ...BY_CREATION,
  price: { column: 'price', type: 'bigint', valueOf: offer => offer.priceMicros },
  audience: { column: 'audience', type: 'bigint', valueOf: offer => offer.audienceThousandths },
  plays_available: { column: 'plays', type: 'bigint', valueOf: offer => offer.plays },
} as const satisfies Sorts<{ priceMicros: Micros; audienceThousandths: number; plays: number }>;

export const InventoryQuery = strict({
  ...pageQuery(INVENTORY_SORTS),
  bbox: Type.Optional(
    Type.String({
      pattern: `^${DEGREES}(,${DEGREES}){3}$`,
      description:
        'Only places inside this box of a map: west,south,east,north in degrees; west above east crosses the 180th meridian. A place is where it shows itself: those that hide their coordinates are in no box.',
    }),
  ),
  city: several('Only places in this city, compared without case and accents.'),
  venue_type: several('Only this OpenOOH venue type, or those below it.'),
  q: searchField('Only places whose shown name holds this text, in any case.'),
  audience_min: amount('Only places where a play of 15 s reaches at least so many people.'),
  daily_visitors_min: amount('Only places with at least so many visitors a day.'),
  cpm_max: amount('Only places where a thousand impressions cost at most so much, in the currency of the workspace.'),
  price_max: amount('Only places where a play of 15 s costs at most so much, in the currency of the workspace.'),
  start: Type.Optional(dateField('First day for which availability is forecast, at the venue; today by default.')),
  end: Type.Optional(dateField('Last day; four weeks from the first by default.')),
  plays_available_min: amount('Only places with at least so many plays left in these days.'),
});

export const InventoryRecord = Type.Object(
  {
    ...placeFields,
    opening_hours: Type.Unknown({ description: 'Ranges by weekday; null: always open.' }),
    screens: Type.Integer({ description: 'Paired screens.' }),
    orientations: Type.Array(Type.String(), { description: 'Orientations of the screens: `landscape`, `portrait`.' }),
    blocked_categories: Type.Array(Type.String(), {
      description: 'Slugs of the categories that are never shown here.',
    }),
    audience: Type.Object(
      {
        daily_visitors: Type.Integer({ description: 'People who visit on a day.' }),
        dwell_minutes: Type.Number({ description: 'Minutes that a visitor stays.' }),
        per_play: Type.Number({
          description:
            'People whom a play of 15 s reaches, as a mean while the place is open; it counts as so many impressions.',
        }),
      },
      { description: 'Who is there.' },
    ),
    price: Type.Object(
      {
        cpm: moneyField("A thousand impressions, by the rate card; before an agency's discount."),
        per_play: moneyField('A play of 15 s: its impressions at that rate.'),
      },
      { description: 'What it costs.' },
    ),
    availability: Type.Object(
      {
        start: Type.String({ description: 'First day, YYYY-MM-DD.' }),
        end: Type.String({ description: 'Last day, YYYY-MM-DD.' }),
        plays: Type.Integer({ description: 'Plays of 15 s that are forecast and that nobody has booked.' }),
        impressions: Type.Integer({ description: 'Impressions of them.' }),
        share: Type.Number({ description: 'Part of what is forecast that is left, 0 to 1.' }),
      },
      { description: 'What is left in these days, as forecasts count.' },
    ),
  },
  { title: 'InventoryPlace' },
);

export type Place = Static<typeof PlaceRecord>;
export type PlaceFields = Pick<Place, 'venue_id' | 'name' | 'type' | 'city' | 'timezone' | 'coordinates' | 'photo_url'>;
export type PlacesParameters = Static<typeof PlacesQuery>;
export type PlaceListAnswer = Static<typeof PlaceList>;
export type InventoryPlace = Static<typeof InventoryRecord>;
export type InventoryParameters = Static<typeof InventoryQuery>;
