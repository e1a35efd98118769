/**
 * Queries and answers of reports, scans and brand lift, as TypeBox schemas. They validate, give the types of the other
 * files, and make this part of the OpenAPI document.
 */
import { Type, type Static } from 'typebox';
import { GROUPS, QUESTIONS } from '#domain/campaigns/brand-lift.ts';
import { CONCERNS } from '#domain/plays/traffic/invalid-traffic.ts';
import { namedDayparts } from '#domain/screens/schedule.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import { asOfField, dateField, idField, moneyField, NAME_LENGTH_MAX, strict, timestampField } from '../shapes.ts';
import { PlaysNotCountedField, ScansNotCountedField } from './not-counted.ts';

export const InvalidPlaysField = Type.Array(
  Type.Object({
    reason: Type.String({
      description:
        'Name of the rule that decided as the play was counted, such as `late`; `invalid_traffic` for plays that were charged and taken out by an adjustment.',
    }),
    plays: Type.Integer({ description: 'Number of plays.' }),
  }),
  {
    description:
      'Plays of the range that are not valid, by reason; those of `invalid_traffic` are in the other figures and in `adjustments`, the others in no other figure but `late_plays`.',
  },
);

export const AdjustmentsField = Type.Array(
  Type.Object({
    at: timestampField('When they were taken out, and their price was credited to the wallet.'),
    concerns: Type.Enum([...CONCERNS], {
      description:
        'What was found invalid: the number of `plays`, the `audience` that was counted, the `times` of plays, or `scans`.',
    }),
    plays: Type.Integer({ description: 'Number of plays that were taken out.' }),
    impressions: Type.Integer({ description: 'Impressions of them.' }),
    spend: moneyField('Price at which they were charged.'),
  }),
  {
    description:
      'Plays of the range that were charged and taken out later, oldest first. They stay in all other figures; `net` is without them.',
  },
);

const NetField = Type.Object(
  {
    plays: Type.Integer({ description: 'Counted plays.' }),
    impressions: Type.Integer({ description: 'Impressions of them.' }),
    spend: moneyField('Price of them.'),
  },
  { description: 'The totals less the adjustments.' },
);

/** What the figures of a report can be grouped by. */
const GROUP_BY = ['venue', 'city', 'creative', 'hour'] as const;
const GROUP_BY_OF_SEVERAL = [...GROUP_BY, 'campaign'] as const;
export type GroupBy = (typeof GROUP_BY_OF_SEVERAL)[number];

/** As many make an answer of about 2 MB. The results of a campaign have the same bound on screens. */
export const GROUPS_MAX = 10_000;

export const SCAN_SORTS = { at: 'handle' } as const;

const range = {
  from: Type.Optional(dateField('First day, in `tz`; by default the whole campaign.')),
  to: Type.Optional(dateField('Last day, in `tz`.')),
  group: Type.Optional(Type.Enum(['day', 'hour'], { description: 'Width of a bucket; `day` by default.' })),
  tz: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA time zone in which days and hours are cut, in any case; UTC by default.',
    }),
  ),
  daypart: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description: `Only this time of day at the venues: ${Object.keys(namedDayparts).join(', ')}, or HH:MM-HH:MM in steps of 15 minutes. One over midnight belongs to the day on which it began.`,
    }),
  ),
  venue: Type.Optional(idField('Only what was shown at this venue.')),
  city: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
      description: 'Only venues of this city, compared without case and accents.',
    }),
  ),
};

const groupByField = <By extends string>(values: readonly By[]) =>
  Type.Optional(
    Type.Enum([...values], {
      description: `Also the figures of the range by ${values.join(', ')}, in \`groups\` (\`hour\`: of the day, in \`tz\`); as CSV these in place of the series.`,
    }),
  );

/** The tables of a report of which a CSV can hold one. */
const TABLES = ['figures', 'statement'] as const;

export const ReportQuery = strict({
  ...range,
  group_by: groupByField(GROUP_BY),
  table: Type.Optional(
    Type.Enum([...TABLES], {
      description:
        'Of an answer as CSV: `figures` (the default) are the series or the groups; `statement` is a line each for `totals`, every adjustment and `net`, and for what was not charged or not counted, by reason.',
    }),
  ),
});

/** Ids travel to ClickHouse as parameters in the URL, whose length is bounded: 100 of them are 2 kB. */
export const CAMPAIGNS_OF_REPORT_MAX = 100;

export const CampaignsReportQuery = strict({
  campaign_id: Type.String({
    minLength: 1,
    maxLength: 41 * CAMPAIGNS_OF_REPORT_MAX,
    description: `The campaigns, comma-separated, at most ${CAMPAIGNS_OF_REPORT_MAX}.`,
  }),
  ...range,
  group_by: groupByField(GROUP_BY_OF_SEVERAL),
});

const counts = {
  plays: Type.Integer({ description: 'Counted plays.' }),
  impressions: Type.Integer({ description: 'Impressions.' }),
  scans: Type.Integer({ description: 'Scans.' }),
};

const figures = { ...counts, spend: moneyField('Price of the counted plays.') };

const GroupRecord = Type.Object(
  {
    venue_id: Type.Optional(Type.String({ description: 'By venue: ven_...' })),
    creative_id: Type.Optional(Type.String({ description: 'By creative: cre_...' })),
    campaign_id: Type.Optional(Type.String({ description: 'By campaign: cmp_...' })),
    hour: Type.Optional(Type.String({ description: 'By hour: the hour of the day in `tz`, HH:00.' })),
    name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Name of the venue, creative or campaign; null where a venue does not show it to brands.',
      }),
    ),
    type: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'By venue: its OpenOOH type.' })),
    city: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'By venue and city: the city.' })),
    ...figures,
  },
  { title: 'ReportGroup' },
);

const totalsField = (screens: string) =>
  Type.Object(
    {
      ...counts,
      scan_rate: Type.Number({ description: 'Scans per impression.' }),
      spend: moneyField('Price of the counted plays.'),
      screens: Type.Integer({ description: screens }),
    },
    { description: 'Sums over the range.' },
  );

const seriesField = Type.Array(
  Type.Object({ bucket: Type.String({ description: 'YYYY-MM-DD, or YYYY-MM-DDTHH:00, in `tz`.' }), ...figures }),
  { description: 'Buckets in order; those of the past in which nothing happened are there with zeros.' },
);

const groupFields = {
  group_by: Type.Optional(
    Type.Enum([...GROUP_BY_OF_SEVERAL], { description: 'What `groups` are, where it was asked for.' }),
  ),
  groups: Type.Optional(
    Type.Array(GroupRecord, {
      description: `The figures of the range by \`group_by\`: those with most plays first, at most ${GROUPS_MAX}; hours in their order. What nothing happened in is left out. Plays, scans and spend add up to the totals; impressions are rounded for each.`,
    }),
  ),
};

export const CampaignReport = Type.Object(
  {
    campaign_id: Type.String({ description: 'cmp_...' }),
    totals: totalsField('Different screens that showed it.'),
    series: seriesField,
    ...groupFields,
    late_plays: Type.Integer({
      description:
        'Plays that were recorded and not charged: reported too late, or while the screen was showing another one; in none of the other figures.',
    }),
    invalid_plays: InvalidPlaysField,
    adjustments: AdjustmentsField,
    net: NetField,
    plays_not_counted: PlaysNotCountedField,
    scans_not_counted: ScansNotCountedField,
    as_of: asOfField('report'),
    is_final: Type.Boolean({
      description:
        'Whether the figures of this range can no longer change (late_plays, scans, and what is shown beside them: invalid_plays, adjustments, net and what was not counted, excepted). It becomes true when the range is over by a minute, no play of the campaign is out that could still be reported and charged, and each counted play is in the report and charged.',
    }),
    tz: Type.String({ description: 'Time zone of the buckets.' }),
  },
  { title: 'CampaignReport' },
);

export const CampaignsReport = Type.Object(
  {
    totals: totalsField('Different screens that showed any of them, each counted once.'),
    campaigns: Type.Array(
      Type.Object({
        campaign_id: Type.String({ description: 'cmp_...' }),
        name: Type.String({ description: 'Name of the campaign.' }),
        ...figures,
        late_plays: Type.Integer({ description: 'Plays of it that were recorded and not charged.' }),
      }),
      {
        description:
          'What the totals are the sums of, newest campaign first; the figures of each are the totals of its own report of the same range.',
      },
    ),
    series: seriesField,
    ...groupFields,
    late_plays: Type.Integer({
      description: 'Plays that were recorded and not charged; in none of the other figures.',
    }),
    as_of: asOfField('report'),
    is_final: Type.Boolean({
      description: 'Whether the figures of this range can no longer change, for every campaign.',
    }),
    tz: Type.String({ description: 'Time zone of the buckets.' }),
  },
  { title: 'CampaignsReport' },
);

export const ScansQuery = strict({
  ...pageQuery(SCAN_SORTS),
  campaign_id: Type.Optional(idField('Only scans of this campaign.')),
  screen: Type.Optional(idField('Only scans of this screen.')),
  venue: Type.Optional(idField('Only scans at this venue.')),
  creative: Type.Optional(idField('Only scans of codes shown with this creative.')),
  daypart: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description: `Only scans of this time of day at the venues: ${Object.keys(namedDayparts).join(', ')}, or HH:MM-HH:MM in steps of 15 minutes, as in reports.`,
    }),
  ),
  from: Type.Optional(dateField('First day, in `tz`.')),
  to: Type.Optional(dateField('Last day, in `tz`.')),
  tz: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA time zone of `from` and `to`, in any case; UTC by default.',
    }),
  ),
});

export const ScanRecord = Type.Object(
  {
    id: Type.String({ description: 'scan_...' }),
    at: timestampField('When the code was followed.'),
    campaign_id: Type.String({ description: 'cmp_...' }),
    creative_id: Type.String({ description: 'The creative variant that showed the code, cre_...' }),
    screen_id: Type.String({ description: 'scr_...' }),
    venue_id: Type.String({ description: 'ven_...' }),
    daypart: Type.String({ description: 'Part of the day at the venue.' }),
    slot_at: timestampField('Minute of the slot in which the code was shown.'),
  },
  { title: 'Scan' },
);

/** The bound of every list in a body. A body of 1 MiB has room for several times as many. */
const RESPONSES_MAX = 1_000;

export const BrandLiftResponsesBody = strict({
  responses: Type.Array(
    strict(
      {
        campaign_id: idField('The campaign that was asked about; it has `brand_lift`.'),
        group: Type.Enum([...GROUPS], { description: 'Whether the person had been exposed to the campaign.' }),
        question: Type.Enum([...QUESTIONS], { description: 'What was asked.' }),
        positive: Type.Boolean({ description: 'Whether the answer was positive.' }),
        respondent: Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            "The survey's own name of the person; only a hash of it is kept, so that nobody answers a question twice.",
        }),
      },
      { description: 'One answer to one question.' },
    ),
    { minItems: 1, maxItems: RESPONSES_MAX, description: 'Answers; all of them are taken, or none.' },
  ),
});

export const BrandLiftReceipt = Type.Object(
  {
    accepted: Type.Integer({ description: 'Number of answers that were new.' }),
    duplicates: Type.Integer({
      description: 'Number of answers to a question that the person had answered before; the first one holds.',
    }),
  },
  { title: 'BrandLiftReceipt' },
);

export const BrandLiftQuery = strict({
  ...pageQuery(BY_CREATION),
  campaign_id: Type.Optional(idField('Only this campaign.')),
});

const answersField = (description: string) =>
  Type.Object(
    {
      sample: Type.Integer({ description: 'People who answered.' }),
      positive: Type.Integer({ description: 'People of the sample with a positive answer.' }),
      rate: Type.Union([Type.Number(), Type.Null()], {
        description: 'Share of positive answers; null without answers.',
      }),
    },
    { description },
  );

const liftField = (description: string) =>
  Type.Object(
    {
      exposed: answersField('People who had been exposed.'),
      control: answersField('People who had not.'),
      delta: Type.Union([Type.Number(), Type.Null()], {
        description:
          'Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty.',
      }),
      confidence_interval: Type.Union(
        [
          Type.Object({
            low: Type.Number({ description: 'Lower end, as a share.' }),
            high: Type.Number({ description: 'Upper end, as a share.' }),
            level: Type.Number({ description: 'Confidence level, as a share: 0.95.' }),
          }),
          Type.Null(),
        ],
        { description: "Interval of the delta: Newcombe's hybrid score interval (1998, method 10)." },
      ),
      significant: Type.Boolean({ description: 'Whether the interval leaves out 0.' }),
    },
    { description },
  );

export const BrandLiftRecord = Type.Object(
  {
    campaign_id: Type.String({ description: 'cmp_...' }),
    name: Type.String({ description: 'Name of the campaign.' }),
    awareness: liftField('Knowing the brand.'),
    recall: liftField('Remembering the ad.'),
    intent: liftField('Meaning to buy.'),
  },
  { title: 'BrandLift' },
);

export type BrandLift = Static<typeof BrandLiftRecord>;
export type SurveyResponse = Static<typeof BrandLiftResponsesBody>['responses'][number];
export type ScanParameters = Static<typeof ScansQuery>;
export type Report = Static<typeof CampaignReport>;
export type ReportGroup = Static<typeof GroupRecord>;
export type CampaignsReport = Static<typeof CampaignsReport>;
export type ReportParameters = Static<typeof ReportQuery>;
export type CampaignsReportParameters = Static<typeof CampaignsReportQuery>;
export type Scan = Static<typeof ScanRecord>;
