import { Type } from 'typebox';
import { moneyField, strict, timestampField } from '../shapes.ts';

const TopUpRecord = Type.Object({
  id: Type.String({ description: 'top_...' }),
  amount: moneyField('What was asked for.'),
  status: Type.String({ description: '`credited`, or `pending` until the operator has funded the wallet.' }),
  created_at: timestampField('When it was asked for.'),
}, { title: 'TopUp', description: 'Money that was asked for.' });

const fields = {
  balance: moneyField('What may still be reserved by campaigns.'),
  reserved: moneyField('What campaigns hold and have not spent.'),
  refund_pending: moneyField('The part of it that shall not be spent any more, of campaigns that were cut, have ended or were deleted: charged, or refunded as plays on their way end.'),
  book: Type.String({ description: '`live`, or `sandbox` for the play money of test keys.' }),
  pending_top_ups: Type.Array(TopUpRecord, { description: 'Money that was asked for and has not come yet, oldest first.' }),
};

export const WalletRecord = Type.Object(fields, { title: 'Wallet' });
export const ToppedUpWallet = Type.Object({ ...fields, top_up: TopUpRecord }, { title: 'ToppedUpWallet' });

export const TopUpBody = strict({ amount: moneyField('What to add, in the currency of the workspace.') });
