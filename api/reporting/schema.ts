import { Type, type Static } from 'typebox';
import { PAGE_QUERY } from '../paging.ts';
import { dateField, idField, moneyField, strict, timestampField } from '../shapes.ts';

export const ReportQuery = strict({
  from: Type.Optional(dateField('First day, in `tz`; by default the whole campaign.')),
  to: Type.Optional(dateField('Last day, in `tz`.')),
  group: Type.Optional(Type.Enum(['day', 'hour'], { description: 'Width of a bucket; `day` by default.' })),
  tz: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone in which days and hours are cut; UTC by default.' })),
});

const counts = {
  plays: Type.Integer({ description: 'Counted plays.' }),
  impressions: Type.Integer({ description: 'Impressions.' }),
  scans: Type.Integer({ description: 'Scans.' }),
};

export const CampaignReport = Type.Object({
  campaign_id: Type.String({ description: 'cmp_...' }),
  totals: Type.Object({
    ...counts,
    scan_rate: Type.Number({ description: 'Scans per impression.' }),
    spend: moneyField('Price of the counted plays.'),
  }, { description: 'Sums over the range.' }),
  series: Type.Array(Type.Object({
    bucket: Type.String({ description: 'YYYY-MM-DD, or YYYY-MM-DDTHH:00, in `tz`.' }),
    ...counts,
    spend: moneyField('Price of the counted plays.'),
  }), { description: 'Buckets in order; those of the past in which nothing happened are there with zeros.' }),
  late_plays: Type.Integer({ description: 'Plays reported too late to be charged; in none of the other figures.' }),
  as_of: timestampField('Every play acknowledged before this moment is in the report.'),
  is_final: Type.Boolean({ description: 'Whether the figures of this range can no longer change (late_plays and scans excepted).' }),
  tz: Type.String({ description: 'Time zone of the buckets.' }),
}, { title: 'CampaignReport' });

export const ScansQuery = strict({
  ...PAGE_QUERY,
  campaign_id: Type.Optional(idField('Only scans of this campaign.')),
});

export const ScanRecord = Type.Object({
  id: Type.String({ description: 'scan_...' }),
  at: timestampField('When the code was followed.'),
  campaign_id: Type.String({ description: 'cmp_...' }),
  creative_id: Type.String({ description: 'The creative variant that showed the code, cre_...' }),
  screen_id: Type.String({ description: 'scr_...' }),
  venue_id: Type.String({ description: 'ven_...' }),
  daypart: Type.String({ description: 'Part of the day at the venue.' }),
  slot_at: timestampField('Minute of the slot in which the code was shown.'),
}, { title: 'Scan' });

export type Report = Static<typeof CampaignReport>;
export type ReportParameters = Static<typeof ReportQuery>;
export type Scan = Static<typeof ScanRecord>;
