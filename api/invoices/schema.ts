/** Queries and answers of invoices, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { INVOICE_KINDS, INVOICE_STATES } from '#domain/money/invoice.ts';
import { VAT_CATEGORIES } from '#domain/tax/vat.ts';
import { INVOICE_SORTS } from '#sql/invoices/rows.ts';
import { pageQuery } from '../lists/paging.ts';
import { dateField, idField, strict, timestampField } from '../wire/shapes.ts';

/** Signed: a credit note counts against invoices, and a total is rounded either way. */
const signedMoneyField = (description: string) =>
  Type.Object(
    {
      amount: Type.Number({ description: 'Decimal amount in units of the currency, below 0 too.' }),
      currency: Type.String({ description: 'Currency code of ISO 4217.' }),
    },
    { title: 'SignedMoney', description },
  );

const Vat = Type.Object(
  {
    category: Type.Enum([...VAT_CATEGORIES], {
      description:
        'Category of EN 16931. `S`: standard rate; `AE`: reverse charge; `E`: exempt; `G`: zero-rated export; `O`: outside the scope of VAT.',
    }),
    rate: Type.Number({ description: 'Rate as a share of 100, as 19 for 19%; 0 except for `S`.' }),
    exemption_code: Type.Union([Type.String(), Type.Null()], { description: 'Why there is no VAT, a code of VATEX.' }),
    exemption_reason: Type.Union([Type.String(), Type.Null()], { description: 'The same in words; null for `S`.' }),
    taxable: signedMoneyField('What VAT is due on: `total`.'),
    amount: signedMoneyField('The VAT, in whole minor units.'),
    total_with_vat: signedMoneyField('`taxable` and `amount`.'),
    prepaid: signedMoneyField('What the wallet paid of it: the net amount.'),
    due: signedMoneyField('What is left to pay: the VAT.'),
  },
  { title: 'InvoiceVat', description: 'The VAT of a document. It has one category and one rate.' },
);

const fields = {
  id: idField('inv_...'),
  number: Type.String({
    description:
      'Number of the document; numbers of a year run without gaps, over invoices and credit notes. Those of a sandbox are a series of their own: `TEST-2037-000001`.',
  }),
  kind: Type.Enum([...INVOICE_KINDS], {
    description:
      '`invoice`: the charges of the month. `credit_note`: what was credited to the wallet in the month for plays that were charged and taken out; its amounts are below zero, and nothing is to be paid.',
  }),
  period: Type.String({
    description:
      'Month of the charges, YYYY-MM, by the time of settlement in UTC; in a sandbox by that of the plays; of a credit note the month of the credits.',
  }),
  status: Type.Enum([...INVOICE_STATES], {
    description: '`issued`, then `paid`; a credit note is `paid` as it is issued. Test invoices stay `issued`.',
  }),
  consolidated: Type.Boolean({ description: 'Whether it holds clients of an agency that are billed through it.' }),
  gross: signedMoneyField('Charges, to the micro-unit as on the ledger.'),
  discount: signedMoneyField('Discounts on them, to the micro-unit as on the ledger.'),
  net: signedMoneyField('Charges less discounts, to the micro-unit.'),
  rounding: signedMoneyField('What the total differs by from `net`, because money is paid in whole minor units.'),
  total: signedMoneyField('The net amount in whole minor units of the currency, without VAT.'),
  vat: Type.Union([Vat, Type.Null()], {
    description: 'VAT of the document; null if the seller lacked tax details when it was issued.',
  }),
  issued_at: timestampField('When it was issued; in a sandbox by its clock.'),
  due_on: dateField('By when it is to be paid.'),
  paid_at: Type.Union([Type.String(), Type.Null()], { description: 'When it was paid, ISO 8601 in UTC; null before.' }),
  pdf_url: Type.String({ description: 'Signed address of the PDF; needs no key.' }),
  pdf_expires_at: timestampField('End of that address, 24 hours after this answer.'),
};

const InvoiceLine = Type.Object(
  {
    client_id: idField('Workspace of the campaign, ws_...'),
    client_name: Type.String({ description: 'Its name when the invoice was issued.' }),
    campaign_id: idField('cmp_...'),
    campaign_name: Type.String({ description: 'Name of the campaign when the invoice was issued.' }),
    plays: Type.Integer({ description: 'Number of plays that were charged.' }),
    impressions: Type.Integer({ description: 'Number of their impressions.' }),
    gross: signedMoneyField('Charges, to the micro-unit.'),
    discount: signedMoneyField('Discounts, to the micro-unit.'),
    net: signedMoneyField('Charges less discounts, to the micro-unit.'),
    corrects: Type.Array(Type.String(), {
      description:
        'Of a credit note: numbers of the invoices of the campaign from the month of the first play on; else empty.',
    }),
  },
  { title: 'InvoiceLine', description: 'The charges of one campaign, or what of them was credited.' },
);

export const InvoiceRecord = Type.Object(fields, {
  title: 'Invoice',
  description: 'The charges of a month, or what of earlier charges was credited in it.',
});
const InvoiceProof = Type.Object(
  {
    root: Type.String({ description: 'SHA-256 root of the Merkle-sum tree over the plays, in hex.' }),
    plays: Type.Integer({ description: 'Number of plays in the tree.' }),
    impressions_thousandths: Type.Integer({ description: 'Sum of their impressions, in thousandths.' }),
    micros: Type.Integer({
      description: 'Charge of these plays in micro-units of the currency: `gross` without its sign.',
    }),
    key_id: Type.String({ description: '`kid` of the key in `GET /v1/proof-keys`.' }),
    signature: Type.String({ description: 'Ed25519 signature of totals and root, in base64url.' }),
    signed_at: timestampField('When it was signed.'),
  },
  { title: 'InvoiceProof', description: 'What `marquee-verify` checks the plays and totals of a document against.' },
);
export type InvoiceProof = Static<typeof InvoiceProof>;

export const InvoiceDetail = Type.Object(
  {
    ...fields,
    lines: Type.Array(InvoiceLine, { description: 'One line per campaign.' }),
    proof: Type.Union([InvoiceProof, Type.Null()], {
      description:
        'Signed root over the plays; null for minutes after the issue, on test invoices, and on documents of versions without proofs.',
    }),
  },
  { title: 'InvoiceDetail' },
);

/** A public key as RFC 8037 writes it. */
const ProofKey = Type.Object(
  {
    kty: Type.Literal('OKP', { description: 'Kind of key.' }),
    crv: Type.Literal('Ed25519', { description: 'Curve.' }),
    x: Type.String({ description: 'The 32 bytes of the key, in base64url.' }),
    kid: Type.String({ description: 'Its name: the thumbprint of RFC 7638.' }),
    use: Type.Literal('sig', { description: 'It verifies signatures.' }),
    alg: Type.Literal('EdDSA', { description: 'Algorithm of the signatures.' }),
    created_at: timestampField('When it was made.'),
  },
  { title: 'ProofKey', description: 'A public key that verifies proofs of invoices.' },
);
export const ProofKeys = Type.Object({
  keys: Type.Array(ProofKey, { description: 'The newest first; it signs. Older keys verify older documents.' }),
});
export type Invoice = Static<typeof InvoiceRecord>;

export const InvoicesQuery = strict({
  ...pageQuery(INVOICE_SORTS),
  kind: Type.Optional(Type.Enum([...INVOICE_KINDS], { description: 'Only documents of this kind.' })),
  status: Type.Optional(Type.Enum([...INVOICE_STATES], { description: 'Only invoices in this state.' })),
  period: Type.Optional(
    Type.String({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', description: 'Only invoices of this month, YYYY-MM.' }),
  ),
});
