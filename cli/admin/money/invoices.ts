/**
 * `admin invoice`: sets the billing address of a workspace, and records that an invoice was paid. Both are audited as
 * the operator's, and a payment is also sent to webhooks.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import { missingOfBuyer, missingOfSeller } from '#domain/tax/vat-party.ts';
import { settleInvoice as settle } from '#sql/invoices/settling.ts';
import { changeSetting } from '#sql/workspaces/operator.ts';
import type { Postgres } from '#sql/postgres.ts';
import { OPERATOR, wanted } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { assertWorkspace, idOf, paymentReference, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { addressLines, shortLine, vatDetails, type VatOptions } from './lines.ts';

export function declareInvoiceCommands(program: CommandUnknownOpts, run: Runner): void {
  const invoice = program.command('invoice').description('invoices to advertisers');
  invoice
    .command('address')
    .description('replace the billing details of a workspace; omitted options are cleared')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .requiredOption('--name <name>', 'legal name', text)
    .option('--address <lines>', "address lines, as in 'line|line'")
    .option('--tax-id <id>', 'tax number')
    .option('--city <city>', 'city')
    .option('--postal-code <code>', 'postal code')
    .option('--country <code>', 'country code, such as DE')
    .option('--vat-id <id>', 'VAT id with country prefix')
    .option('--vat-exemption <text>', 'reason for payouts without VAT')
    .option('--self-billing', 'consent to self-billed invoices for payouts')
    .action(
      run(async ({ sql }, { workspace, ...input }) => {
        await assertWorkspace(sql, workspace);
        return setInvoiceAddress(sql, new Date(), { workspace, ...input });
      }),
    );
  invoice
    .command('settle')
    .description('record the payment of an invoice')
    .argument('<invoice>', 'id of the invoice', idOf('invoice'))
    .option('--paid-on <date>', 'day (UTC) of the payment, such as 2026-03-31 (default: today)')
    .option('--reference <text>', 'bank reference for the audit log', paymentReference)
    .action(run(({ sql }, handle, options) => settleInvoice(sql, new Date(), handle, options)));
}

/**
 * Records that an invoice was paid.
 * @throws UsageError if there is no such invoice, it is paid already, or the day is wrong
 */
export async function settleInvoice(
  sql: Postgres,
  now: Date,
  invoice: Handle<'invoice'>,
  { paidOn, reference }: { paidOn?: string | undefined; reference?: string | undefined } = {},
): Promise<Result> {
  const given = { ...(paidOn !== undefined && { paid_on: paidOn }), ...(reference !== undefined && { reference }) };
  const settled = await settle(sql, { actor: OPERATOR, now }, { ...given, invoice });
  if (!isRefusal(settled)) return settled;
  throw new UsageError(
    settled.code === 'not_found'
      ? `There is no invoice ${formatId('invoice', invoice)}`
      : settled.detail.replace('/paid_on:', '--paid-on'),
  );
}

type Address = VatOptions & {
  name: string;
  address?: string | undefined;
  taxId?: string | undefined;
  selfBilling?: true | undefined;
};

/** Options of the fields that a seller needs. */
const OPTIONS: Readonly<Record<string, string>> = {
  address_lines: '--address',
  city: '--city',
  postal_code: '--postal-code',
  country: '--country of the EU, GB, CH or NO',
  vat_id: '--vat-id, or --tax-id with --vat-exemption',
  tax_id: '--tax-id',
};

/**
 * Replaces the billing details of a workspace, and names those that it had and has no more: without its agreement to
 * self-billing a payout never gets a document. Vertical bars separate the lines of `address`.
 */
export async function setInvoiceAddress(
  sql: Postgres,
  now: Date,
  { workspace, ...input }: Address & { workspace: Handle<'workspace'> },
): Promise<Result> {
  const details = {
    legal_name: shortLine('name', input.name),
    address_lines: addressLines(input.address),
    ...(input.taxId !== undefined && { tax_id: shortLine('tax-id', input.taxId) }),
    ...vatDetails(input),
    ...(input.selfBilling && { self_billing: true }),
  };
  const missing = input.selfBilling ? missingOfSeller({ ...details, name: details.legal_name }) : [];
  if (missing.length > 0)
    throw new UsageError(
      `--self-billing needs the details of a seller. Missing: ${missing.map(field => OPTIONS[field] ?? field).join(', ')}`,
    );
  const call = { actor: OPERATOR, now };
  const before = wanted(await changeSetting(sql, call, { workspace, name: 'billing_details', value: details }));
  const removed = Object.keys(before ?? {}).filter(field => !(field in details));
  return {
    workspace_id: formatId('workspace', workspace),
    ...details,
    ...(removed.length > 0 && { removed }),
    missing_for_xml: missingOfBuyer({ ...details, name: details.legal_name }),
  };
}
