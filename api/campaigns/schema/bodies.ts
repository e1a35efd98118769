/**
 * Bodies and queries to create, change and list campaigns, as TypeBox schemas. They validate it, give the types of the
 * other files, and make this part of the OpenAPI document.
 */
import { Type, type Static } from 'typebox';
import { CAMPAIGN_STATUSES, SUBMITTED_FIELDS } from '#domain/campaigns/campaign.ts';
import { pageQuery } from '../../lists/paging.ts';
import { CAMPAIGN_SORTS } from '#sql/campaigns/list.ts';
import {
  countField,
  dateField,
  idField,
  idsField,
  moneyField,
  nameField,
  oneOrMore,
  ORIENTATIONS,
  searchField,
  strict,
  timeField,
} from '../../wire/shapes.ts';
import { changedSettings, newSettings } from './settings.ts';

const TargetsBody = strict(
  {
    cities: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 200,
        description: 'Cities, without regard to case and accents; empty: any.',
      }),
    ),
    venue_types: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 200,
        description: 'OpenOOH venue types or parents of them; empty: any.',
      }),
    ),
    areas: Type.Optional(
      Type.Array(
        strict({
          lat: Type.Number({ minimum: -90, maximum: 90, description: 'Latitude in degrees.' }),
          lng: Type.Number({ minimum: -180, maximum: 180, description: 'Longitude in degrees.' }),
          radiusKm: Type.Number({ exclusiveMinimum: 0, description: 'Radius in kilometres.' }),
        }),
        { maxItems: 100, description: 'Circles, compared with the positions that venues show; empty: anywhere.' },
      ),
    ),
    orientations: Type.Optional(
      Type.Array(Type.Enum([...ORIENTATIONS]), { maxItems: 2, description: 'Orientations of screens; empty: any.' }),
    ),
    daypart: Type.Optional(
      strict(
        { start: timeField('Start.'), end: timeField('End; before the start: on the next day.') },
        { description: 'Part of the day; absent: all of it.' },
      ),
    ),
    days: Type.Optional(
      Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), {
        maxItems: 7,
        description: 'Weekdays; empty: every day.',
      }),
    ),
  },
  { description: 'Where and when; all times are local to the venue.' },
);

export const ScheduleBody = strict(
  { starts: dateField('First day.'), ends: dateField('Last day.') },
  { description: 'Days of the campaign, both included, local to the venue.' },
);

const categoryField = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });

export const CreateCampaignBody = strict(
  {
    name: nameField('Name of the campaign.'),
    category: Type.Optional(
      categoryField('Tier-1 category of IAB Ad Product 2.0, by id or slug. Optional in a draft.'),
    ),
    budget: Type.Optional(moneyField('What may be spent in all. Optional in a draft.')),
    targets: Type.Optional(TargetsBody),
    creatives: Type.Optional(
      Type.Array(idField('cre_...'), {
        minItems: 1,
        maxItems: 50,
        description: 'Creatives in rotation, with equal weights. Optional in a draft.',
      }),
    ),
    schedule: Type.Optional(ScheduleBody),
    ...newSettings,
    status: Type.Optional(
      Type.Enum(['draft', 'pending_review'], {
        description: '`draft` keeps it back and needs a name alone; by default it is sent for review.',
      }),
    ),
  },
  {
    if: { properties: { status: { const: 'draft' } }, required: ['status'] },
    else: {
      properties: Object.fromEntries(SUBMITTED_FIELDS.map(field => [field, {}])),
      required: [...SUBMITTED_FIELDS],
      additionalProperties: true, // the fields of a draft, which are checked above
    },
  },
);

export const ChangeCampaignBody = strict(
  {
    name: Type.Optional(nameField('Name of the campaign.')),
    category: Type.Optional(
      categoryField(
        'Tier-1 category, by id or slug, until the campaign is approved: of a draft, one in review, which is reviewed anew, or a rejected one.',
      ),
    ),
    budget: Type.Optional(
      moneyField('What may be spent in all. A raise is reserved on the wallet; what a cut frees goes back to it.'),
    ),
    schedule: Type.Optional(ScheduleBody),
    targets: Type.Optional(TargetsBody),
    creatives: Type.Optional(
      Type.Array(
        strict({
          id: idField('cre_...'),
          weight: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1_000, description: 'Weight in the rotation; 1 by default.' }),
          ),
        }),
        { minItems: 1, maxItems: 50, description: 'Creatives in rotation, in place of those before.' },
      ),
    ),
    ...changedSettings,
    status: Type.Optional(
      Type.Enum(['live', 'paused', 'pending_review'], {
        description:
          "`paused` stops it, `live` resumes it, `pending_review` submits a draft, or a rejected campaign that has spent nothing, or approves a client's campaign for its agency.",
      }),
    ),
  },
  { minProperties: 1 },
);

export const ListCampaignsQuery = strict({
  ...pageQuery(CAMPAIGN_SORTS),
  status: oneOrMore(CAMPAIGN_STATUSES, 'Only campaigns of this status; without it, all but those that were deleted.'),
  category: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only campaigns of this category, by id or slug, or of several, comma-separated.',
    }),
  ),
  q: searchField('Only campaigns whose name holds this text, in any case.'),
  creative: idsField('Only campaigns with this creative.'),
  count: countField,
  from: Type.Optional(dateField('Only campaigns that run on this day or later.')),
  to: Type.Optional(dateField('Only campaigns that run on this day or before.')),
});

export type CreateCampaign = Static<typeof CreateCampaignBody>;
export type ChangeCampaign = Static<typeof ChangeCampaignBody>;
export type ListCampaigns = Static<typeof ListCampaignsQuery>;
