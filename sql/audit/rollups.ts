/**
 * The rollups of ClickHouse, and how each follows from a raw table, out of which a view of its own fills it. `lines`
 * are the figures, by the name that people read: how each is computed from a raw row, and in which column the rollup
 * has it. The key of a rollup is the campaign, the book (`sandbox`), the time and its `dimensions`.
 */
export type Rollup = {
  table: string;
  time: string;
  bucketOf: (column: string) => string;
  dimensions: readonly string[];
};
export type Source = {
  raw: string;
  time: string;
  lines: Readonly<Record<string, { raw: string; rollup: string }>>;
  events: { raw: string; rollup: string };
  rollups: readonly Rollup[];
};

const quarterHour = (column: string) => `toStartOfInterval(${column}, interval 15 minute, 'UTC')`;
export const day = (column: string) => `toDate(${column}, 'UTC')`;

export const SOURCES: readonly Source[] = [
  {
    raw: 'plays_raw',
    time: 'slot_at',
    lines: {
      plays: { raw: 'toUInt64(not late)', rollup: 'plays' },
      late_plays: { raw: 'toUInt64(late)', rollup: 'late_plays' },
      impressions: { raw: 'if(late, 0, impressions_thousandths)', rollup: 'impressions_thousandths' },
      cost: { raw: 'cost_micros', rollup: 'cost_micros' },
    },
    events: { raw: '1', rollup: 'plays + late_plays' },
    rollups: [
      {
        table: 'plays_quarter_hour',
        time: 'bucket',
        bucketOf: quarterHour,
        dimensions: ['creative_id', 'screen_id', 'venue_id'],
      },
      { table: 'plays_campaign_quarter_hour', time: 'bucket', bucketOf: quarterHour, dimensions: ['creative_id'] },
      {
        table: 'plays_venue_quarter_hour',
        time: 'bucket',
        bucketOf: quarterHour,
        dimensions: ['venue_id', 'screen_id'],
      },
      { table: 'plays_screen_day', time: 'day', bucketOf: day, dimensions: ['venue_id', 'screen_id'] },
    ],
  },
  {
    raw: 'scans_raw',
    time: 'scanned_at',
    lines: { scans: { raw: 'toUInt64(1)', rollup: 'scans' } },
    events: { raw: '1', rollup: 'scans' },
    rollups: [
      {
        table: 'scans_quarter_hour',
        time: 'bucket',
        bucketOf: quarterHour,
        dimensions: ['creative_id', 'screen_id', 'venue_id'],
      },
    ],
  },
];
