/**
 * Queries and answers of reports, as TypeBox schemas. They validate, give the types of the other files, and make this
 * part of the OpenAPI document.
 */
import { Type, type Static } from 'typebox';
import { CONCERNS } from '#domain/plays/traffic/invalid-traffic.ts';
import { namedDayparts } from '#domain/time/daypart.ts';
import {
  asOfField,
  dateField,
  idField,
  moneyField,
  NAME_LENGTH_MAX,
  strict,
  timestampField,
  zoneField,
} from '../../wire/shapes.ts';
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

/** The groupings of a report. */
const GROUP_BY = ['venue', 'city', 'creative', 'hour'] as const;
const GROUP_BY_OF_SEVERAL = [...GROUP_BY, 'campaign'] as const;
export type GroupBy = (typeof GROUP_BY_OF_SEVERAL)[number];

/** As many make an answer of about 2 MB. The results of a campaign have the same bound on screens. */
export const GROUPS_MAX = 10_000;

/** Which days a report is of, and how they are cut. */
export const daysOfReport = {
  from: Type.Optional(dateField('First day, in `tz`; by default the whole campaign.')),
  to: Type.Optional(dateField('Last day, in `tz`.')),
  group: Type.Optional(Type.Enum(['day', 'hour'], { description: 'Width of a bucket; `day` by default.' })),
  tz: Type.Optional(zoneField('in which days and hours are cut')),
};

const range = {
  ...daysOfReport,
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

export const groupByField = <By extends string>(values: readonly By[]) =>
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

/** The figures of a row, as `sql/figures/figures.ts` shows them. */
export const figureFields = {
  plays: Type.Integer({ description: 'Counted plays.' }),
  impressions: Type.Integer({ description: 'Impressions.' }),
  scans: Type.Integer({ description: 'Scans.' }),
  spend: moneyField('Price of the counted plays.'),
};

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
    ...figureFields,
  },
  { title: 'ReportGroup' },
);

const totalsField = (screens: string) =>
  Type.Object(
    {
      ...figureFields,
      scan_rate: Type.Number({ description: 'Scans per impression.' }),
      screens: Type.Integer({ description: screens }),
    },
    { description: 'Sums over the range.' },
  );

const seriesField = Type.Array(
  Type.Object({ bucket: Type.String({ description: 'YYYY-MM-DD, or YYYY-MM-DDTHH:00, in `tz`.' }), ...figureFields }),
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
        ...figureFields,
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

export type Report = Static<typeof CampaignReport>;
export type ReportGroup = Static<typeof GroupRecord>;
export type CampaignsReport = Static<typeof CampaignsReport>;
export type ReportParameters = Static<typeof ReportQuery>;
export type CampaignsReportParameters = Static<typeof CampaignsReportQuery>;
