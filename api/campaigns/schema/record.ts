/**
 * Campaigns as they are shown, as TypeBox schemas: they give the types of the other files, and make this resource's
 * part of the OpenAPI document.
 */
import { Type, type Static } from 'typebox';
import { CAMPAIGN_STATUSES } from '#domain/campaigns/campaign.ts';
import { moneyField, orNull, timestampField } from '../../wire/shapes.ts';
import { ScheduleBody } from './bodies.ts';
import { shownSettings } from './settings.ts';

/**
 * Targets as they were stored: an omitted field is absent or empty, and names have their canonical form.
 */
const TargetsRecord = Type.Object(
  {
    cities: Type.Optional(Type.Array(Type.String({ description: 'A city.' }), { description: 'Cities; empty: any.' })),
    venue_types: Type.Optional(
      Type.Array(Type.String({ description: 'A venue type.' }), {
        description: 'OpenOOH venue types or parents of them; empty: any.',
      }),
    ),
    areas: Type.Optional(
      Type.Array(
        Type.Object(
          {
            lat: Type.Number({ description: 'Latitude in degrees.' }),
            lng: Type.Number({ description: 'Longitude in degrees.' }),
            radiusKm: Type.Number({ description: 'Radius in kilometres.' }),
          },
          { description: 'A circle.' },
        ),
        { description: 'Circles; empty: anywhere.' },
      ),
    ),
    orientations: Type.Optional(
      Type.Array(Type.String({ description: 'An orientation.' }), {
        description: 'Orientations of screens; absent: any.',
      }),
    ),
    daypart: Type.Optional(
      Type.Object(
        {
          start: Type.String({ description: 'HH:MM.' }),
          end: Type.String({ description: 'HH:MM; before the start: on the next day.' }),
        },
        { description: 'Part of the day, local to the venue; absent: all of it.' },
      ),
    ),
    days: Type.Optional(
      Type.Array(Type.String({ description: 'A weekday.' }), {
        description: 'Weekdays, `mon` to `sun`; absent: every day.',
      }),
    ),
  },
  { title: 'Targets', description: 'Targets as they were understood.' },
);

const Binding = {
  id: Type.String({ description: 'cre_...' }),
  weight: Type.Integer({ description: 'Weight in the rotation.' }),
  status: Type.String({ description: 'State of the creative.' }),
};

const listFields = {
  id: Type.String({ description: 'cmp_...' }),
  name: Type.String({ description: 'Name of the campaign.' }),
  category: orNull(Type.String(), 'Slug of the category; null for a draft that has none yet.'),
  status: Type.Enum([...CAMPAIGN_STATUSES], {
    description: 'State of the campaign. A deleted one can be read, and changes no more.',
  }),
  budget: orNull(moneyField('What may be spent in all.'), 'What may be spent in all; null for a draft without one.'),
  spent: moneyField('What was charged so far.'),
  starts: orNull(
    timestampField('The first day at 00:00:00.'),
    'The first day at 00:00:00, written as UTC; null for a draft without a schedule. Days are local to venues: at each of them this one begins by its own clock (`schedule`).',
  ),
  ends: orNull(
    timestampField('The last day at 23:59:59.'),
    'The last day at 23:59:59, written as UTC; null for a draft without a schedule. Days are local to venues, as for `starts`.',
  ),
  created_at: timestampField('When it was created.'),
  deleted_at: Type.Union([Type.String(), Type.Null()], { description: 'When it was deleted. ISO 8601, UTC.' }),
};

const ownFields = {
  ...listFields,
  schedule: orNull(
    ScheduleBody,
    'Days of the campaign, both included, local to the venue; null for a draft that has none yet.',
  ),
  targets: TargetsRecord,
  ...shownSettings,
  rate: orNull(
    Type.Object({
      amount: Type.Number({ description: 'Decimal amount in units of the currency, per impression.' }),
      currency: Type.String({ description: 'Currency code of ISO 4217.' }),
      unit: Type.String({ description: 'What the amount is for: `impression`.' }),
    }),
    'Mean price per impression; null for a draft without a forecast.',
  ),
  forecast: orNull(
    Type.Object({
      impressions_low: Type.Integer({ description: 'Impressions, lower end of the estimate.' }),
      impressions_high: Type.Integer({ description: 'Impressions, upper end of the estimate.' }),
      scan_rate_est: Type.Number({ description: 'Estimated scans per impression.' }),
      screens_eligible: Type.Integer({ description: 'Screens that match the targets.' }),
    }),
    'What the plan was expected to reach when it was made; null for a draft without a budget or a schedule.',
  ),
  review: Type.Union(
    [
      Type.Object({
        waiting_for: Type.Enum(['agency', 'rules', 'operator'], {
          description:
            '`agency`: its approval; `rules`: the automatic review, a matter of seconds; `operator`: a person, for restricted categories.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'For whom the campaign waits; null unless it is in review.' },
  ),
  refund_pending: moneyField(
    'What shall not be spent any more and is still reserved for plays on their way: charged, or refunded as they end.',
  ),
  rejection: Type.Union(
    [
      Type.Object({
        code: Type.String({ description: 'Why, in snake case.' }),
        detail: Type.String({ description: 'The same for people.' }),
      }),
      Type.Null(),
    ],
    { description: 'Why review rejected it.' },
  ),
};

/** In lists and in the detail. */
const EXPECTED_SPEND = moneyField(
  'What an even delivery from the moment at which it went live, or was resumed, would have spent by now.',
);
export const ListedCampaign = Type.Object(
  { ...listFields, expected_spend: EXPECTED_SPEND },
  { title: 'ListedCampaign' },
);

const boundFields = {
  ...ownFields,
  creatives: Type.Array(Type.Object(Binding), { description: 'Creatives in rotation.' }),
};
export const CampaignRecord = Type.Object(boundFields, { title: 'Campaign' });

export const CreatedCampaign = Type.Object(
  {
    ...boundFields,
    warnings: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'JSON pointer (RFC 6901) to the field.' }),
        code: Type.String({ description: 'What may not be meant, in snake case.' }),
        detail: Type.String({ description: 'The same for people.' }),
      }),
      { description: 'What is allowed but may not be meant.' },
    ),
  },
  { title: 'CreatedCampaign' },
);

export const CampaignDetail = Type.Object(
  {
    ...ownFields,
    creatives: Type.Array(
      Type.Object({
        ...Binding,
        plays: Type.Integer({ description: 'Counted plays.' }),
        impressions: Type.Integer({ description: 'Impressions.' }),
      }),
      { description: 'Creatives with their delivery.' },
    ),
    counters: Type.Object(
      {
        plays: Type.Integer({ description: 'Counted plays.' }),
        impressions: Type.Integer({ description: 'Impressions of them.' }),
        scans: Type.Integer({ description: 'Scans.' }),
        late_plays: Type.Integer({
          description:
            'Plays that were recorded and not charged: reported too late, or while the screen was showing another one.',
        }),
        spend: moneyField('Price of the counted plays.'),
        screens_used: Type.Integer({ description: 'Screens on which it played.' }),
      },
      { description: 'What was delivered so far.' },
    ),
    pacing: Type.Object(
      {
        expected_spend: EXPECTED_SPEND,
        actual_spend: moneyField('What was spent.'),
        ratio: Type.Union([Type.Number(), Type.Null()], {
          description: 'Actual over expected; null before anything is expected.',
        }),
        today: Type.Array(
          Type.Object({
            hour: Type.String({ description: 'YYYY-MM-DDTHH:00, UTC.' }),
            expected_spend: moneyField(
              'What an even delivery spends in this hour, until now in the one that has begun.',
            ),
            actual_spend: moneyField('What was spent in it.'),
          }),
          { description: 'The hours of today (UTC) that have begun.' },
        ),
      },
      { description: 'Spend against an even delivery.' },
    ),
  },
  { title: 'CampaignDetail' },
);

export type Campaign = Static<typeof CampaignRecord>;
export type CreatedCampaignRecord = Static<typeof CreatedCampaign>;

export type CampaignDetailRecord = Static<typeof CampaignDetail>;
