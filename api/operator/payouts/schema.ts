/** Queries, bodies and answers of the operator's payouts and files for the bank, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import {
  countField,
  idField,
  moneyField,
  oneOrMore,
  orNull,
  ownerField,
  referenceField,
  searchField,
  strict,
  timestampField,
} from '../../wire/shapes.ts';

const PAYOUT_STAGES = ['waiting', 'sent', 'paid', 'failed'] as const;

export const WorkspacePayoutsQuery = strict({
  ...pageQuery(BY_CREATION),
  stage: oneOrMore(PAYOUT_STAGES, 'Only payouts of this stage.'),
  q: searchField('Text in the name of the workspace, the id of a payout, or the id of a file for the bank.'),
  count: countField,
});

export const WorkspacePayout = Type.Object(
  {
    id: idField('pay_...'),
    stage: Type.Enum([...PAYOUT_STAGES], {
      description:
        '`waiting` until it is in a file for the bank, `sent` until the bank has answered; then `paid`, or `failed`: the money is back in the earnings.',
    }),
    workspace: ownerField,
    amount: moneyField('What leaves the earnings.'),
    fee: moneyField('Fee of the payout.'),
    arrives: moneyField('What the bank transfers: the amount without the fee.'),
    account: orNull(
      Type.Object({
        holder: Type.String({ description: 'Holder of the account.' }),
        iban_masked: Type.String({ description: 'Its number, starred out but for the ends.' }),
      }),
      'Where it goes; null: the workspace has not set an account.',
    ),
    bank_file: orNull(Type.String(), 'Id of the file that has it; null: in none.'),
    issued_at: timestampField('When the venue withdrew it.'),
    settled_at: orNull(timestampField('When the answer of the bank was recorded.'), 'Null until then.'),
  },
  { title: 'WorkspacePayout', description: 'A payout of any workspace.' },
);
export type WorkspacePayout = Static<typeof WorkspacePayout>;

export const SettlePayoutBody = strict({
  outcome: Type.Enum(['paid', 'failed'], {
    description: '`failed`: the money goes back to the earnings that it came from.',
  }),
  reference: Type.Optional(referenceField("The bank's reference of the transfer. Both audit logs keep it.")),
});
export type SettlePayoutBody = Static<typeof SettlePayoutBody>;

export const SettledPayout = Type.Object(
  {
    id: idField('pay_...'),
    status: Type.Enum(['paid', 'failed'], { description: 'What it is now.' }),
    self_billed_invoice: Type.Optional(
      Type.String({ description: 'Number of the self-billed invoice that was issued for it.' }),
    ),
  },
  { title: 'SettledPayout' },
);
export type SettledPayout = Static<typeof SettledPayout>;

const MESSAGE_ID_LENGTH_MAX = 35; // of ISO 20022
const messageId = Type.String({ maxLength: MESSAGE_ID_LENGTH_MAX, description: 'Id of the file, for the bank, too.' });
/** Ids of files. Any other text in a path is as unknown as the id of no file. */
export const MESSAGE_ID = new RegExp(`^[A-Z0-9]{1,${MESSAGE_ID_LENGTH_MAX}}$`);

export const BankFileParams = Type.Object({ id: Type.String({ description: 'Id of the file.' }) });

export const BankFile = Type.Object(
  {
    message_id: messageId,
    payouts: Type.Integer({ description: 'Number of its payouts that the bank has not answered to.' }),
    amounts: Type.Array(moneyField('What they transfer in one currency.'), {
      description: 'What they transfer, by currency.',
    }),
  },
  { title: 'BankFile', description: 'A payment order (pain.001) with payouts that the bank has not answered to.' },
);
export type BankFile = Static<typeof BankFile>;

export const WrittenBankFile = Type.Object(
  {
    ...BankFile.properties,
    message_id: orNull(messageId, 'Id of the file, for the bank, too; null: no payout could be taken.'),
    without_account: Type.Array(Type.String(), {
      description: 'Workspaces whose payouts wait, because they have not set an account, ws_...',
    }),
  },
  { title: 'WrittenBankFile' },
);
export type WrittenBankFile = Static<typeof WrittenBankFile>;

export const BankFiles = Type.Object(
  { files: Type.Array(BankFile, { description: 'The newest first; at most 50.' }) },
  { title: 'BankFiles', description: 'Files with payouts that the bank has not answered to.' },
);
export type BankFiles = Static<typeof BankFiles>;

export const SettleBankFileBody = strict({
  reference: Type.Optional(
    referenceField("The bank's reference of the transfer of all. Every audit log of a payout keeps it."),
  ),
});
export type SettleBankFileBody = Static<typeof SettleBankFileBody>;

export const SettledBankFile = Type.Object(
  {
    message_id: messageId,
    paid: Type.Integer({ description: 'Number of its payouts that are paid by this call.' }),
    answered_before: Type.Integer({ description: 'Number of its payouts that had an answer, which stays as it is.' }),
    unanswered: Type.Integer({ description: 'Number of its payouts that are left for the next call.' }),
    self_billed_invoices: Type.Integer({ description: 'Number of self-billed invoices that were issued for them.' }),
  },
  { title: 'SettledBankFile' },
);
export type SettledBankFile = Static<typeof SettledBankFile>;
