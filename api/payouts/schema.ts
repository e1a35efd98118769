/** Bodies, queries and answers of payouts, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { COMMISSION_TIERS } from '#domain/money/commission.ts';
import { CONCERNS } from '#domain/plays/traffic/invalid-traffic.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { PAYOUT_STATES } from '#domain/money/payout.ts';
import { VAT_CATEGORIES } from '#domain/tax/vat.ts';
import { PAYOUT_SORTS } from '#sql/payouts/withdrawals.ts';
import { pageQuery } from '../lists/paging.ts';
import { currencyField, dateField, idField, strict, timestampField } from '../wire/shapes.ts';
import type { Micros } from '#domain/unit.ts';

/** Money of payouts: `value` where other money has `amount` (docs/interface-specification.md, section 2). */
export const valueField = (description: string) =>
  strict(
    {
      value: Type.Number({ minimum: 0, description: 'Decimal amount in units of the currency.' }),
      currency: currencyField('Currency code of ISO 4217.'),
    },
    { title: 'PayoutMoney', description },
  );

export function payoutMoney(micros: Micros, currency: string): { value: number; currency: string } {
  return { value: decimalFromMicros(micros), currency };
}

const fields = {
  id: idField('pay_...'),
  period: Type.String({ description: 'Month in which it was issued, YYYY-MM, UTC.' }),
  status: Type.Enum([...PAYOUT_STATES], {
    description: '`issued` until the bank has answered; then `paid`, or `failed`: the money is back in the earnings.',
  }),
  amount: valueField('What was withdrawn from the earnings.'),
  issued_at: timestampField('When it was asked for.'),
  paid_at: Type.Union([Type.String(), Type.Null()], {
    description: 'When the bank paid it, ISO 8601 in UTC; null unless it is paid.',
  }),
  failed_at: Type.Union([Type.String(), Type.Null()], {
    description: 'When the bank refused it, ISO 8601 in UTC; null unless it failed.',
  }),
  venues_count: Type.Integer({ description: 'Number of venues that earned it.' }),
  venues: Type.Array(
    Type.Object({ venue_id: idField('ven_...'), earnings: valueField('What the venue earned of it.') }),
    { description: 'The venues that earned it, most first; the first 100.' },
  ),
  gross_to_net: Type.Object(
    {
      ad_revenue: valueField('What brands were charged for the plays, before any discount.'),
      platform_share: valueField('What the platform keeps of it.'),
      earnings: valueField('What the venues earned: the amount withdrawn.'),
      sending_fee: valueField('What sending it costs; free above a limit.'),
      paid_out: valueField('What arrives at the bank.'),
    },
    { description: 'From the ad revenue to the money at the bank.' },
  ),
};

const LineItem = Type.Object(
  {
    venue_id: idField('ven_...'),
    venue_name: Type.String({ description: 'Name of the venue.' }),
    commission_tier: Type.Enum([...COMMISSION_TIERS], {
      description: 'Which commission applied: with a sensing module, or by visitors and dwell without one.',
    }),
    commission_rate: Type.Number({ description: 'Share of the ad revenue, a fraction from 0 to 0.5.' }),
    first_day: dateField('First day of the plays, local to the venue.'),
    last_day: dateField('Last day of the plays, local to the venue.'),
    plays: Type.Integer({ description: 'Number of plays.' }),
    impressions: Type.Integer({ description: 'Number of impressions.' }),
    ad_revenue: valueField('What brands were charged for the plays.'),
    earnings: valueField('What the venue earned of it.'),
  },
  { title: 'PayoutLineItem', description: 'What one venue earned under one commission.' },
);

const SelfBilledInvoice = Type.Object(
  {
    number: Type.String({ description: 'Number of the document; numbers of a year run without gaps.' }),
    issued_at: timestampField('When it was issued: when the bank had paid the payout.'),
    vat: Type.Object(
      {
        category: Type.Enum([...VAT_CATEGORIES], { description: 'Category of EN 16931, as on invoices.' }),
        rate: Type.Number({ description: 'Rate as a share of 100, as 19 for 19%; 0 except for `S`.' }),
        exemption_reason: Type.Union([Type.String(), Type.Null()], {
          description: 'Why there is no VAT; null for `S`.',
        }),
        amount: valueField('The VAT on `amount`, in whole minor units. The operator pays it apart from the payout.'),
      },
      { description: 'The VAT of the document.' },
    ),
  },
  {
    title: 'SelfBilledInvoice',
    description: "The invoice that the operator issued in the workspace's name, which the workspace has agreed to.",
  },
);

export const PayoutRecord = Type.Object(fields, { title: 'Payout', description: 'A withdrawal of earnings.' });
export const PayoutDetail = Type.Object(
  {
    ...fields,
    line_items: Type.Array(LineItem, { description: 'By venue and commission.' }),
    self_billed_invoice: Type.Union([SelfBilledInvoice, Type.Null()], {
      description: 'Its self-billed invoice; null before it is paid, and without an agreement.',
    }),
  },
  { title: 'PayoutDetail' },
);
export type Payout = Static<typeof PayoutRecord>;

/** A hold is made when it is raised. */
export const HOLD_SORTS = { raised_at: 'handle' } as const;

export const PayoutsQuery = strict({
  ...pageQuery(PAYOUT_SORTS),
  status: Type.Optional(Type.Enum([...PAYOUT_STATES], { description: 'Only payouts in this state.' })),
});

export const CreatePayoutBody = strict({
  amount: Type.Optional(
    valueField(
      'How much; absent: all that is available in the currency of the workspace and can be paid in whole minor units.',
    ),
  ),
});

/** A finding as the owner of the venue sees it: what it is about, not how it was found. */
const HOLD_STATES = ['under_review', 'released', 'upheld'] as const;
export const HoldRecord = Type.Object(
  {
    id: idField('fnd_...'),
    status: Type.Enum([...HOLD_STATES], {
      description:
        '`under_review` until the operator has decided; then `released`, or `upheld`: the plays were found invalid.',
    }),
    concerns: Type.Enum([...CONCERNS], {
      description:
        'What looked unusual: the number of `plays`, the `audience` that was counted, the `times` of plays, or `scans`.',
    }),
    venue_id: idField('ven_...'),
    screen_id: Type.Union([Type.String(), Type.Null()], {
      description: 'scr_..., or null where the whole venue is meant.',
    }),
    from: timestampField('The plays from this moment on.'),
    to: timestampField('The plays before this moment.'),
    held: Type.Array(valueField('Earnings of the venue on these days that cannot be withdrawn meanwhile.'), {
      description: 'By currency; empty where nothing is held.',
    }),
    reversed: Type.Array(valueField('Earnings that went back because the plays were taken out.'), {
      description: 'By currency; empty unless it was upheld.',
    }),
    raised_at: timestampField('When it was raised.'),
    decided_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When the operator decided, ISO 8601 in UTC; null before.',
    }),
  },
  { title: 'EarningsHold', description: 'Why earnings are held.' },
);
export type Hold = Static<typeof HoldRecord>;

const HOLDER_LENGTH_MAX = 140; // as the bank's file has room for
const BANK_CODE_LENGTH_MAX = 60; // an IBAN has 34 characters at most; some are typed with blanks between

export const AccountBody = strict({
  holder: Type.String({
    minLength: 1,
    maxLength: HOLDER_LENGTH_MAX,
    pattern: '\\S',
    description: 'Name of the holder, as the bank knows it.',
  }),
  iban: Type.String({
    minLength: 1,
    maxLength: BANK_CODE_LENGTH_MAX,
    description: 'Number of the account, an IBAN with its check digits; blanks and small letters are taken.',
  }),
  bic: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: BANK_CODE_LENGTH_MAX }), Type.Null()], {
      description: 'Code of the bank (BIC), 8 or 11 characters, where it needs one.',
    }),
  ),
});

export const AccountRecord = Type.Object(
  {
    holder: Type.String({ description: 'Name of the holder.' }),
    iban_masked: Type.String({
      description: 'The IBAN with all but its country and its last four characters starred out.',
    }),
    bic: Type.Union([Type.String(), Type.Null()], { description: 'Code of the bank, or null.' }),
    set_at: timestampField('When it was set.'),
    usable_from: timestampField(
      'From when on earnings can be withdrawn to it: at once for a first account, later for one that took the place of another.',
    ),
  },
  { title: 'PayoutAccount', description: 'Where payouts go.' },
);
export type Account = Static<typeof AccountRecord>;
export type SetAccount = Static<typeof AccountBody>;

export const EarningsBalance = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        available: valueField('Earnings that may be withdrawn.'),
        held: valueField(
          'Earnings that may not be withdrawn yet: their plays were settled a few days ago, or are under review.',
        ),
        under_review: valueField(
          'The part of `held` that waits for a decision of the operator; see `GET /payouts/holds`.',
        ),
        next_release_at: Type.Union([Type.String(), Type.Null()], {
          description:
            'When the next part of what is held can be withdrawn, ISO 8601 in UTC; null where nothing waits for a time.',
        }),
        in_transit: valueField('On its way to the bank, fees excepted.'),
        fee: valueField('What a withdrawal of up to `free_above` is charged in this currency.'),
      }),
      { description: 'One entry per currency in which something was earned.' },
    ),
    free_above: Type.Number({
      description: 'Decimal amount in units of the currency that is withdrawn: withdrawals above it cost nothing.',
    }),
    fee: Type.Number({
      description:
        'What others cost, as the operator has set it: decimal amount in units of the currency that is withdrawn. In whole minor units, as it is charged, it is the `fee` of each balance.',
    }),
  },
  { title: 'EarningsBalance', description: 'What may be withdrawn.' },
);
