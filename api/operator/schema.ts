/** Queries, bodies and answers of the operator's routes, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { REJECTIONS, type RejectionCode } from '#domain/campaigns/review.ts';
import { SCREEN_STATUSES } from '#domain/screens/screen.ts';
import { ScheduleBody } from '../campaigns/schema/bodies.ts';
import { CampaignRecord } from '../campaigns/schema/record.ts';
import { ScreenDecision } from '../decisions/schema.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import {
  countField,
  idField,
  moneyField,
  nameField,
  oneOrMore,
  orientationField,
  ownerField,
  searchField,
  strict,
  timestampField,
} from '../wire/shapes.ts';

export const ReviewsQuery = strict({ ...pageQuery(BY_CREATION), count: countField });

const { targets, political } = CampaignRecord.properties;

export const ReviewRecord = Type.Object(
  {
    campaign_id: idField('cmp_...'),
    name: Type.String({ description: 'Name of the campaign.' }),
    workspace: ownerField,
    category: Type.String({ description: 'Category of the campaign.' }),
    category_rule: Type.String({ description: 'Why campaigns of this category wait for a person.' }),
    budget: moneyField('What it may spend.'),
    schedule: ScheduleBody,
    targets,
    landing_url: Type.Union([Type.String(), Type.Null()], { description: 'Where its codes lead; null: nowhere.' }),
    political,
    creatives: Type.Array(
      Type.Object({
        id: idField('cre_...'),
        name: Type.String({ description: 'Name of the creative.' }),
        kind: Type.Union([Type.String(), Type.Null()], { description: '`video` or `still`; null without a file.' }),
        orientation: orientationField('The screens that it is for.'),
        duration_ms: Type.Integer({ description: 'Length, in milliseconds.' }),
        status: Type.String({ description: 'Whether its file was accepted: `ready`.' }),
        url: Type.Union([Type.String(), Type.Null()], { description: 'The file; null unless it is ready.' }),
        poster_url: Type.Union([Type.String(), Type.Null()], {
          description: 'A picture of it; null unless it is ready.',
        }),
      }),
      { description: 'What would be shown.' },
    ),
    created_at: timestampField('When the campaign was made.'),
  },
  { title: 'Review', description: 'A campaign that waits for a decision of the operator.' },
);
export type ReviewRecord = Static<typeof ReviewRecord>;

export const RejectBody = strict({
  reason: Type.Enum(Object.keys(REJECTIONS) as RejectionCode[], { description: 'Code of the reason.' }),
  detail: Type.Optional(
    nameField('What the owner of the campaign reads; by default the sentence that belongs to the code.'),
  ),
});
export type RejectBody = Static<typeof RejectBody>;

export const DecidedReview = Type.Object(
  {
    campaign_id: idField('cmp_...'),
    status: Type.Enum(['live', 'rejected'], { description: 'What the campaign is now.' }),
    rejection: CampaignRecord.properties.rejection,
  },
  { title: 'DecidedReview' },
);
export type DecidedReview = Static<typeof DecidedReview>;

export const NetworkQuery = strict({
  ...pageQuery(BY_CREATION),
  status: oneOrMore(SCREEN_STATUSES, 'Status of the screen.'),
  q: searchField('Text in the name of the screen, its venue, its city or its workspace, or the id of the screen.'),
  count: countField,
});
export type NetworkQuery = Static<typeof NetworkQuery>;

export const NetworkScreen = Type.Object(
  {
    id: idField('scr_...'),
    label: Type.String({ description: 'Name of the screen.' }),
    status: Type.Enum([...SCREEN_STATUSES], { description: 'Whether it is connected.' }),
    last_seen_at: Type.Union([timestampField('When it was connected last.'), Type.Null()], {
      description: 'When it was connected last; null: never.',
    }),
    platform: Type.Union([Type.String(), Type.Null()], { description: 'What it runs; null until it has connected.' }),
    workspace: ownerField,
    venue: Type.Object(
      {
        id: idField('ven_...'),
        name: Type.String({ description: 'Name of the venue.' }),
        type: Type.String({ description: 'OpenOOH venue type.' }),
        city: Type.String({ description: 'City.' }),
        lat: Type.Number({ description: 'Latitude in degrees.' }),
        lng: Type.Number({ description: 'Longitude in degrees.' }),
        timezone: Type.String({ description: 'IANA name of its time zone.' }),
      },
      { description: 'Where it stands.' },
    ),
  },
  { title: 'NetworkScreen', description: 'A paired screen of any workspace.' },
);
export type NetworkScreen = Static<typeof NetworkScreen>;

export const NetworkPlaces = Type.Object(
  {
    places: Type.Array(
      Type.Object({
        city: Type.String({ description: 'City.' }),
        lat: Type.Number({ description: 'Latitude of the middle of its screens, in degrees.' }),
        lng: Type.Number({ description: 'Longitude of the middle of its screens, in degrees.' }),
        screens: Type.Integer({ description: 'Number of paired screens.' }),
        online: Type.Integer({ description: 'Number of screens that are connected.' }),
      }),
      { description: 'The cities with most screens first; at most 1,000.' },
    ),
  },
  { title: 'NetworkPlaces', description: 'Where the screens of all workspaces stand.' },
);
export type NetworkPlaces = Static<typeof NetworkPlaces>;

const party = {
  name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the campaign; null where it is not known.' }),
  workspace: Type.Union([ownerField, Type.Null()], { description: 'Whose it is; null where it is not known.' }),
};
const { winner, losers, ...slot } = ScreenDecision.properties;

export const NetworkDecision = Type.Object(
  {
    ...slot,
    winner: Type.Union([Type.Object({ ...winner.anyOf[0].properties, ...party }), Type.Null()], {
      description: 'The ad; null without one.',
    }),
    losers: Type.Array(Type.Object({ ...losers.items.properties, ...party }), {
      description:
        'All campaigns that did not get the slot, those that came furthest first; at most 100. Empty unless `explanation` is `complete`.',
    }),
  },
  { title: 'NetworkDecision', description: 'How a slot of any screen was decided.' },
);
export type NetworkDecision = Static<typeof NetworkDecision>;
