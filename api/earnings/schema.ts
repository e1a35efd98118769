/** Queries and answers of earnings, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { COMMISSION_TIERS } from '#domain/money/commission.ts';
import { EARNINGS_GROUPS } from '#sql/payouts/earned-sums.ts';
import { listOf, pageQuery } from '../lists/paging.ts';
import { asOfField, dateField, idField, strict, timestampField } from '../wire/shapes.ts';
import { valueField } from '../payouts/schema.ts';

const DATE = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
const narrowing = {
  venue: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only what this venue earned, ven_...' }),
  ),
  screen: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only what this screen earned, scr_...' }),
  ),
};

export const EARNINGS_DAYS_MAX = 366;
export const EARNINGS_DAYS = 30;
/** Rows by their subject, and plays by their slots. */
export const EARNINGS_SORTS = { key: 'handle' } as const;
export const EARNED_PLAY_SORTS = { starts_at: 'handle' } as const;

export const EarningsQuery = strict({
  ...pageQuery(EARNINGS_SORTS),
  from: Type.Optional(
    Type.String({
      pattern: DATE,
      description: `First day, YYYY-MM-DD, local to the venue. ${EARNINGS_DAYS} days up to \`to\` by default; at most ${EARNINGS_DAYS_MAX}.`,
    }),
  ),
  to: Type.Optional(
    Type.String({ pattern: DATE, description: 'Last day, YYYY-MM-DD, local to the venue. The newest by default.' }),
  ),
  group_by: Type.Optional(
    Type.Enum([...EARNINGS_GROUPS], {
      description: 'What a row is about: a `day` (by default), a `screen`, a `venue`, or a `category` of campaigns.',
    }),
  ),
  ...narrowing,
});
export type EarningsParameters = Static<typeof EarningsQuery>;

const amounts = {
  currency: Type.String({ description: 'Currency of the campaigns and so of the earnings, ISO 4217.' }),
  plays: Type.Integer({ description: 'Number of plays that were settled and not taken out.' }),
  impressions: Type.Integer({ description: 'Number of their impressions.' }),
  ad_revenue: valueField('What brands were charged for them, before any discount (gross).'),
  earnings: valueField('The share of the venue. It is `available`, `held` and `withdrawn` together.'),
  available: valueField('The part that may be withdrawn now.'),
  held: valueField('The part that may not be withdrawn yet.'),
  withdrawn: valueField(
    'The part that was withdrawn. Of a day that was withdrawn in part, each screen and category shares it in proportion.',
  ),
  reversed: valueField('What went back since, because plays were found invalid. It is in none of the others.'),
};

const EarningsRow = Type.Object(
  {
    key: Type.Union([Type.String(), Type.Null()], {
      description:
        'What the row is about: YYYY-MM-DD, scr_..., ven_... or the name of a category. Null for earnings from before screens and categories were kept.',
    }),
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'Label of the screen or name of the venue; null for others.',
    }),
    ...amounts,
  },
  {
    title: 'EarningsRow',
    description: 'What was earned on a day, by a screen, by a venue or of a category, in one currency.',
  },
);
export type EarningsRecord = Static<typeof EarningsRow>;

const NotSettled = Type.Object(
  {
    currency: Type.String({ description: 'Currency of the campaigns, ISO 4217.' }),
    plays: Type.Integer({ description: 'Number of plays that are counted and not settled.' }),
    ad_revenue: valueField('What brands will be charged for them.'),
  },
  { description: 'Plays whose share is not booked yet.' },
);
const TotalsRow = Type.Object(amounts, { description: 'The sum of all rows of all pages, in one currency.' });

export const EarningsList = Type.Object(
  {
    ...listOf(EarningsRow).properties,
    from: dateField('First day.'),
    to: dateField('Last day.'),
    group_by: Type.Enum([...EARNINGS_GROUPS], { description: 'What a row is about.' }),
    totals: Type.Array(TotalsRow, {
      description: 'Sums of all pages, one per currency. Over all days they are the earnings on the ledger.',
    }),
    not_settled: Type.Array(NotSettled, {
      description:
        'What was played on these days and is not in the rows yet, one per currency; empty when all is settled. Plays are settled within seconds.',
    }),
    as_of: asOfField('rows or in `not_settled`'),
  },
  { title: 'EarningsList', description: 'What was earned, and what is not settled yet.' },
);
export type Earned = Static<typeof EarningsList>;

export const PLAYS_DAYS_MAX = 31;
export const EarnedPlaysQuery = strict({
  ...pageQuery(EARNED_PLAY_SORTS),
  from: Type.Optional(
    Type.String({
      pattern: DATE,
      description: `First day of the slots, YYYY-MM-DD, local to the venue. The day before \`to\` by default; at most ${PLAYS_DAYS_MAX} days.`,
    }),
  ),
  to: Type.Optional(
    Type.String({
      pattern: DATE,
      description: 'Last day of the slots, YYYY-MM-DD, local to the venue. The newest by default.',
    }),
  ),
  ...narrowing,
});
export type EarnedPlaysParameters = Static<typeof EarnedPlaysQuery>;

const PLAY_STATES = ['settled', 'not_settled', 'not_charged', 'taken_out'] as const;
const EarnedPlayRecord = Type.Object(
  {
    play_id: Type.String({
      description: 'ply_...; names the play to the operator. It is not the id that the screen reports.',
    }),
    starts_at: timestampField('When its slot began.'),
    venue_id: idField('ven_...'),
    screen_id: idField('scr_...'),
    screen_label: Type.Union([Type.String(), Type.Null()], {
      description: 'Label of the screen as it is now; null for one that is no longer known.',
    }),
    category: Type.Union([Type.String(), Type.Null()], {
      description: 'Category of the campaign; null for one that is no longer known.',
    }),
    state: Type.Enum([...PLAY_STATES], {
      description:
        '`settled`: its share is booked. `not_settled`: it will be. `not_charged`: it was reported too late or found not to count, and earns nothing. `taken_out`: its share went back because it was found invalid.',
    }),
    impressions: Type.Number({ description: 'Impressions of the play, in decimals: they are counted in thousandths.' }),
    price: valueField('What the brand was charged, before any discount; 0 where it was not charged.'),
    commission_tier: Type.Union([Type.Enum([...COMMISSION_TIERS]), Type.Null()], {
      description:
        'Which commission applied. Null unless it was settled, and where the commission changed to and fro on that day so that it cannot be told for one play.',
    }),
    commission_rate: Type.Union([Type.Number(), Type.Null()], {
      description: 'Share of the ad revenue, a fraction from 0 to 0.5; null as the tier is.',
    }),
    earnings: Type.Union(
      [
        valueField(
          'The share of the play, rounded down to the millionth. Shares are booked for many plays together, so a day may have earned a few millionths more than its plays one by one.',
        ),
        Type.Null(),
      ],
      { description: 'The share of the venue; null as the tier is.' },
    ),
  },
  {
    title: 'EarnedPlay',
    description:
      'A play at a venue and what it earned. The category stands for its campaign, as in decisions of a screen.',
  },
);
export type EarnedPlay = Static<typeof EarnedPlayRecord>;
export const EarnedPlaysList = Type.Object(
  { ...listOf(EarnedPlayRecord).properties, as_of: asOfField('list') },
  { title: 'EarnedPlaysList' },
);
export type EarnedPlays = Static<typeof EarnedPlaysList>;
