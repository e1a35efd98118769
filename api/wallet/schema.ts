import { Type } from 'typebox';
import { moneyField, strict } from '../shapes.ts';

export const WalletRecord = Type.Object({
  balance: moneyField('What may still be reserved by campaigns.'),
  reserved: moneyField('What campaigns hold and have not spent.'),
  book: Type.String({ description: '`live`, or `sandbox` for the play money of test keys.' }),
});

export const TopUpBody = strict({ amount: moneyField('What to add, in the currency of the workspace.') });
