/** Queries and answers of statements, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { PAYOUT_STATES } from '#domain/money/payout.ts';
import { pageQuery } from '../lists/paging.ts';
import { currencyField, idField, strict, timestampField } from '../wire/shapes.ts';
import { valueField } from '../payouts/schema.ts';

const MONTH = '^20[0-9]{2}-(0[1-9]|1[0-2])$';
const currency = Type.Optional(currencyField('Currency of the statement, ISO 4217; that of the workspace by default.'));

export const STATEMENT_SORTS = { month: 'handle' } as const;

export const StatementsQuery = strict({
  ...pageQuery(STATEMENT_SORTS),
  month: Type.Optional(Type.String({ pattern: MONTH, description: 'Only statements of this month, YYYY-MM.' })),
});
export const StatementQuery = strict({ currency });
export const statementParams = Type.Object({ month: Type.String({ description: 'Month, YYYY-MM.' }) });
export const statementPdfParams = Type.Object({
  month: Type.String({ description: 'Month, YYYY-MM.' }),
  currency: Type.String({ description: 'Currency of the statement.' }),
  workspace: Type.String({ description: 'Whose statement it is, ws_...' }),
});

const fields = {
  month: Type.String({ description: 'Month of the bookings, YYYY-MM, by their time in UTC.' }),
  currency: Type.String({ description: 'Currency, ISO 4217. Each has a statement of its own.' }),
  is_final: Type.Boolean({ description: 'Whether nothing more can be booked in the month: it ended an hour ago.' }),
  opening_balance: valueField('Earnings that were booked before the month and not withdrawn.'),
  earnings: valueField('What was booked as earned in the month.'),
  adjustments: valueField('What went back in the month, because plays were found invalid.'),
  withdrawals: valueField('What was withdrawn in the month, sending fees included.'),
  returned: valueField('What came back in the month from withdrawals that the bank could not pay.'),
  closing_balance: valueField('`opening_balance` and `earnings` and `returned`, less `adjustments` and `withdrawals`.'),
  pdf_url: Type.String({ description: 'Signed address of the statement as a PDF; needs no key.' }),
  pdf_expires_at: timestampField('End of that address, 24 hours after this answer.'),
};

export const StatementRecord = Type.Object(fields, {
  title: 'Statement',
  description: 'What was earned and withdrawn in a month, to the millionth as on the ledger.',
});
export type StatementSummary = Static<typeof StatementRecord>;

const ScreenEarnings = Type.Object(
  {
    screen_id: Type.Union([Type.String(), Type.Null()], {
      description: 'scr_...; null for earnings from before screens were kept.',
    }),
    screen_label: Type.Union([Type.String(), Type.Null()], { description: 'Label of the screen.' }),
    venue_id: Type.Union([Type.String(), Type.Null()], { description: 'Its venue, ven_...; null with the screen.' }),
    venue_name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the venue.' }),
    plays: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of plays; null with the screen.' }),
    impressions: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of impressions; null with the screen.',
    }),
    ad_revenue: Type.Union([valueField('What brands were charged for them.'), Type.Null()], {
      description: 'What brands were charged; null with the screen.',
    }),
    earnings: valueField('What was booked as earned.'),
  },
  { title: 'StatementScreen', description: 'What a screen earned at a venue.' },
);
const Adjustment = Type.Object(
  {
    at: timestampField('When it was booked.'),
    finding_id: idField('Why, fnd_...; see `GET /payouts/holds`.'),
    reversed: valueField('What went back.'),
  },
  { description: 'Earnings that went back.' },
);
const StatementWithdrawal = Type.Object(
  {
    payout_id: idField('pay_...'),
    at: timestampField('When it was asked for.'),
    status: Type.Enum([...PAYOUT_STATES], { description: 'How it stands now.' }),
    amount: valueField('What left the earnings.'),
    sending_fee: valueField('The part of it that sending cost.'),
  },
  { description: 'A withdrawal.' },
);
const Returned = Type.Object(
  { payout_id: idField('pay_...'), at: timestampField('When it came back.'), amount: valueField('What came back.') },
  { description: 'A withdrawal that failed.' },
);

export const StatementDetail = Type.Object(
  {
    ...fields,
    by_screen: Type.Array(ScreenEarnings, { description: 'What `earnings` is made of, by venue and screen.' }),
    adjustment_lines: Type.Array(Adjustment, { description: 'What `adjustments` is made of, oldest first.' }),
    withdrawal_lines: Type.Array(StatementWithdrawal, { description: 'What `withdrawals` is made of, oldest first.' }),
    returned_lines: Type.Array(Returned, { description: 'What `returned` is made of, oldest first.' }),
  },
  { title: 'StatementDetail' },
);
export type Statement = Static<typeof StatementDetail>;
