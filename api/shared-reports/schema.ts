/** Bodies and answers of shared reports, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { LINK_STATUSES } from '#sql/shared-reports/links.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import { CampaignReport, daysOfReport, groupByField } from '../reporting/schema/report.ts';
import { dateField, idField, NAME_LENGTH_MAX, orNull, strict, timestampField } from '../wire/shapes.ts';

/** A forgotten link ends after a year at the latest. */
const DAYS_MAX = 366;
export const DAYS_DEFAULT = 30;

export const SharedReportsQuery = strict(pageQuery(BY_CREATION));

export const ShareBody = strict({
  name: Type.Optional(
    Type.String({ maxLength: NAME_LENGTH_MAX, description: 'Who it is for, for the list; readers do not see it.' }),
  ),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DAYS_MAX,
      default: DAYS_DEFAULT,
      description: `Number of days after which it ends; ${DAYS_DEFAULT} by default.`,
    }),
  ),
});

const fields = {
  id: idField('shr_...'),
  campaign_id: idField('cmp_...'),
  name: Type.String({ description: 'Who it is for; may be empty.' }),
  status: Type.Enum([...LINK_STATUSES], {
    description: '`open` while the link works; `expired` after its time, `ended` by somebody before.',
  }),
  created_at: timestampField('When it was made.'),
  expires_at: timestampField('When it ends by itself.'),
};

export const SharedReportRecord = Type.Object(fields, {
  title: 'SharedReport',
  description: 'A link that shows the report of one campaign without a key.',
});
export type SharedReport = Static<typeof SharedReportRecord>;

export const MadeSharedReport = Type.Object(
  {
    ...fields,
    url: Type.String({ description: 'The page that shows the report. It is shown here only.' }),
    token: Type.String({ description: 'What the page sends: `report_...`. It is shown here only.' }),
  },
  { title: 'MadeSharedReport' },
);
export type MadeSharedReport = Static<typeof MadeSharedReport>;

/** By venue is for the owner alone: the names of venues are not the reader's. */
const SHARED_GROUP_BY = ['city', 'creative', 'hour'] as const;

export const ReadSharedBody = strict({
  ...daysOfReport,
  group_by: groupByField(SHARED_GROUP_BY),
  token: Type.String({ minLength: 1, maxLength: 100, description: 'Of the link, `report_...`.' }),
});
export type ReadShared = Static<typeof ReadSharedBody>;

export const SharedReportShown = Type.Object(
  {
    workspace: Type.Object(
      { name: Type.String({ description: 'Name of the workspace.' }) },
      { description: 'Who shares it.' },
    ),
    campaign: Type.Object(
      {
        name: Type.String({ description: 'Name of the campaign.' }),
        starts: orNull(dateField('First day.'), 'Its first day; null for a draft without a schedule.'),
        ends: orNull(dateField('Last day.'), 'Its last day; null for a draft without a schedule.'),
      },
      { description: 'What it is about.' },
    ),
    report: CampaignReport,
    expires_at: timestampField('When the link ends.'),
  },
  { title: 'SharedReportShown', description: 'The report of a campaign, for readers with the link.' },
);
export type SharedReportShown = Static<typeof SharedReportShown>;
