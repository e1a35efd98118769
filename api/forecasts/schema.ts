/** Bodies and answers of forecasts, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { dateField, frequencyField, idField, moneyField, ORIENTATIONS, strict } from '../wire/shapes.ts';

/**
 * Which of the two shapes a body has is found by its fields; the rules of each are in `fields.ts`, so that a fault
 * names its field.
 */
const WeekdayField = Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

export const ForecastBody = strict({
  budget: Type.Union([moneyField('What may be spent in all.'), Type.Number()], {
    description:
      'What may be spent in all: `{amount, currency}`, or a decimal amount in units of the currency in the same body.',
  }),
  venue_types: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      description: 'OpenOOH venue types or parents of them; absent or empty: any.',
    }),
  ),
  cities: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      description: 'Cities, without regard to case and accents; absent or empty: any.',
    }),
  ),
  schedule: Type.Optional(
    strict(
      { starts: dateField('First day.'), ends: dateField('Last day.') },
      { description: 'Days, both included, local to the venue. Required beside a money object.' },
    ),
  ),
  daypart: Type.Optional(
    strict(
      {
        start: Type.String({ description: 'HH:MM.' }),
        end: Type.String({ description: 'HH:MM; before the start: on the next day.' }),
      },
      { description: 'Part of the day, local to the venue; absent: all of it.' },
    ),
  ),
  days: Type.Optional(
    Type.Array(WeekdayField, { description: 'Weekdays beside a schedule; absent or empty: every day.' }),
  ),
  orientations: Type.Optional(
    Type.Array(Type.Enum([...ORIENTATIONS]), {
      description: 'Orientations of screens, beside a schedule; absent or empty: any.',
    }),
  ),
  campaign_id: Type.Optional(
    idField(
      "cmp_..., beside a schedule: a campaign that the plan would change. Its own booking does not compete, and only screens of its creatives' orientations count.",
    ),
  ),
  creatives: Type.Optional(
    Type.Array(idField('cre_...'), {
      minItems: 1,
      maxItems: 50,
      description:
        "Creatives that the plan would show, beside a schedule: only screens of their orientations count, instead of those of the campaign's creatives.",
    }),
  ),
  frequency: Type.Optional(frequencyField({ description: 'Cap per screen, in both shapes; absent: none.' })),
  areas: Type.Optional(
    Type.Array(
      strict({
        lat: Type.Number({ description: 'Latitude in degrees.' }),
        lng: Type.Number({ description: 'Longitude in degrees.' }),
        radiusKm: Type.Number({ description: 'Radius in kilometres.' }),
      }),
      {
        description:
          'Circles, at most 100, compared with the positions that venues show; absent or empty: anywhere. In both shapes.',
      },
    ),
  ),
  venueTypes: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { description: 'As `venue_types`, in the second shape.' }),
  ),
  hours: Type.Optional(
    strict(
      {
        days: Type.Optional(Type.Array(WeekdayField, { description: 'Weekdays; absent or empty: every day.' })),
        from: Type.String({ description: 'HH:MM, local to the venue.' }),
        to: Type.String({ description: 'HH:MM; before `from`: on the next day.' }),
      },
      { description: 'Hours of the week, for four weeks from today; absent: all of them.' },
    ),
  ),
  currency: Type.Optional(Type.String({ description: 'Currency code of ISO 4217, in the second shape.' })),
});

const Warnings = Type.Array(
  Type.Object({
    pointer: Type.String({ description: 'JSON pointer (RFC 6901) to the field.' }),
    code: Type.String({ description: 'What may not be meant, in snake case.' }),
    detail: Type.String({ description: 'The same for people.' }),
  }),
  { description: 'What is allowed but may not be meant.' },
);

const band = {
  impressions_low: Type.Integer({ description: 'Impressions at the lower end of the 90% band.' }),
  impressions_high: Type.Integer({ description: 'Impressions at the upper end of the 90% band.' }),
  fill_probability: Type.Number({ description: 'Chance that screens can take the whole budget, 0 to 1.' }),
};

const ForecastOfSchedule = Type.Object(
  {
    rate: moneyField("Mean price per impression, before an agency's discount."),
    ...band,
    scan_rate_est: Type.Number({ description: 'Estimated scans per impression.' }),
    screens_eligible: Type.Integer({ description: 'Screens that match now.' }),
    pacing: Type.Array(
      Type.Object({
        date: Type.String({ description: 'YYYY-MM-DD, local to the venue.' }),
        impressions_est: Type.Integer({ description: 'Impressions of the day.' }),
      }),
      { description: 'Daily pacing curve.' },
    ),
    warnings: Warnings,
  },
  { title: 'Forecast' },
);

const ForecastOfAreas = Type.Object(
  {
    screens: Type.Integer({ description: 'Screens that match now.' }),
    plays: Type.Integer({ description: 'Plays that the budget buys.' }),
    impressions: Type.Integer({ description: 'Impressions of them.' }),
    ...band,
    cost: moneyField('What they cost, at most the budget.'),
    warnings: Warnings,
  },
  { title: 'AreaForecast' },
);

/** By the shape of the question. */
export const ForecastAnswer = Type.Union([ForecastOfSchedule, ForecastOfAreas]);

export type ForecastQuestion = Static<typeof ForecastBody>;
export type ForecastReply = Static<typeof ForecastAnswer>;
