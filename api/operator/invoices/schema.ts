/** Queries, bodies and answers of the operator's invoices, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { INVOICE_KINDS, INVOICE_STATES } from '#domain/money/invoice.ts';
import { InvoiceRecord } from '../../invoices/schema.ts';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import {
  countField,
  dateField,
  idField,
  oneOrMore,
  ownerField,
  referenceField,
  searchField,
  strict,
} from '../../wire/shapes.ts';

export const WorkspaceInvoicesQuery = strict({
  ...pageQuery(BY_CREATION),
  status: oneOrMore(INVOICE_STATES, 'Only invoices of this status.'),
  kind: oneOrMore(INVOICE_KINDS, 'Only documents of this kind.'),
  q: searchField('Text in the name of the workspace, or the number or id of an invoice.'),
  count: countField,
});

export const WorkspaceInvoice = Type.Object(
  { ...InvoiceRecord.properties, workspace: ownerField },
  { title: 'WorkspaceInvoice', description: 'An invoice or a credit note of any workspace.' },
);
export type WorkspaceInvoice = Static<typeof WorkspaceInvoice>;

export const SettleInvoiceBody = strict({
  paid_on: Type.Optional(
    dateField('Day (UTC) on which the money arrived, not before the invoice was issued; by default today.'),
  ),
  reference: Type.Optional(referenceField("The bank's reference of the payment. Both audit logs keep it.")),
});
export type SettleInvoiceBody = Static<typeof SettleInvoiceBody>;

export const SettledInvoice = Type.Object(
  {
    id: idField('inv_...'),
    number: Type.String({ description: 'Number of the document.' }),
    status: Type.Enum(['paid'], { description: 'What it is now.' }),
  },
  { title: 'SettledInvoice' },
);
export type SettledInvoice = Static<typeof SettledInvoice>;
