/** Bodies, queries and answers of the wallet, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { TOP_UP_STATES } from '#sql/wallet/top-ups.ts';
import { TRANSACTION_KINDS, TRANSACTION_SORTS } from '#sql/wallet/transactions.ts';
import { TIME } from '../audit/schema.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import { idField, moneyField, oneOrMore, strict, timestampField } from '../wire/shapes.ts';

export const TopUpRecord = Type.Object(
  {
    id: Type.String({ description: 'top_...' }),
    amount: moneyField('What was asked for.'),
    status: Type.Enum([...TOP_UP_STATES], {
      description: '`pending` until the money has come; then `credited`. `cancelled`: it was called off before.',
    }),
    created_at: timestampField('When it was asked for.'),
    credited_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When the money was put on the wallet, ISO 8601 in UTC; null before.',
    }),
    cancelled_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When it was canceled, ISO 8601 in UTC; null unless it was.',
    }),
  },
  { title: 'TopUp', description: 'Money that was asked for.' },
);
export type TopUp = Static<typeof TopUpRecord>;

const fields = {
  balance: moneyField('What may still be reserved by campaigns.'),
  reserved: moneyField('What campaigns hold and have not spent.'),
  refund_pending: moneyField(
    'The part of it that shall not be spent any more, of campaigns that were cut, have ended or were deleted: charged, or refunded as plays on their way end.',
  ),
  book: Type.String({ description: '`live`, or `sandbox` for the play money of test keys.' }),
  pending_top_ups: Type.Array(TopUpRecord, {
    description: 'Money that was asked for and has not come yet, oldest first.',
  }),
};

export const WalletRecord = Type.Object(
  {
    ...fields,
    online_payments: Type.Boolean({
      description:
        'Whether a top-up can be paid on a page of a payment provider (`POST /v1/wallet/top-ups/{id}/checkout`).',
    }),
  },
  { title: 'Wallet' },
);
export type Wallet = Omit<Static<typeof WalletRecord>, 'online_payments'>;
export const ToppedUpWallet = Type.Object({ ...fields, top_up: TopUpRecord }, { title: 'ToppedUpWallet' });

export const TopUpBody = strict({ amount: moneyField('What to add, in the currency of the workspace.') });
export const TopUpsQuery = strict({
  ...pageQuery(BY_CREATION),
  status: Type.Optional(Type.Enum([...TOP_UP_STATES], { description: 'Only top-ups in this state.' })),
});

export const TransactionsQuery = strict({
  ...pageQuery(TRANSACTION_SORTS),
  kind: oneOrMore(TRANSACTION_KINDS, 'Only transactions of this kind.'),
  from: Type.Optional(
    Type.String({ pattern: TIME, description: 'Not before this day or moment (YYYY-MM-DD, or ISO 8601 in UTC).' }),
  ),
  to: Type.Optional(
    Type.String({ pattern: TIME, description: 'Not after this day or moment; a day counts to its end.' }),
  ),
});
export type TransactionsParameters = Static<typeof TransactionsQuery>;

const signedMoney = (description: string) =>
  Type.Object(
    {
      amount: Type.Number({ description: 'Decimal amount in units of the currency, below 0 where it becomes less.' }),
      currency: Type.String({ description: 'Currency code of ISO 4217.' }),
    },
    { title: 'MoneyChange', description },
  );

export const TransactionRecord = Type.Object(
  {
    id: idField('txn_...'),
    kind: Type.Enum([...TRANSACTION_KINDS], {
      description:
        '`top_up`: money came. `top_up_refunded`: it went back to where it came from. `reserve`: set aside for a campaign. `refund`: a campaign gave back what it will not spend. `charge`: plays were paid out of what was set aside. `discount`: of an agency, on charges. `credit`: for plays that were taken out. `transfer`: between an agency and its client.',
    }),
    at: timestampField('When it was booked.'),
    balance_change: signedMoney('What it changed the balance of the wallet by; 0 for a charge.'),
    reserved_change: signedMoney('What it changed the money by that campaigns hold.'),
    balance_after: Type.Union([moneyField('Balance of the wallet right after it.'), Type.Null()], {
      description: 'Null for a charge, which does not touch the balance.',
    }),
    refers_to: Type.Union(
      [
        Type.Object({
          type: Type.String({ description: '`campaign`, `top_up` or `workspace`.' }),
          id: Type.String({ description: 'Id of the record.' }),
          name: Type.Union([Type.String(), Type.Null()], {
            description: 'Name of the campaign or the workspace; null for a top-up, which has none.',
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'The campaign that it is about, the top-up that was paid, or the workspace on the other side of a transfer. Null for money that the operator booked, which may credit several top-ups.',
      },
    ),
  },
  { title: 'WalletTransaction', description: 'A movement of money on the ledger, as the owner of the wallet sees it.' },
);
export type WalletTransaction = Static<typeof TransactionRecord>;
