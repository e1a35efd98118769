import { formatId } from '#domain/id.ts';
import { formatInvoiceNumber, payInvoice, type InvoiceState } from '#domain/money/invoice.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import { isPlainText } from '#domain/text.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, type Actor } from '#books/unit-of-work.ts';
import { readBankAccount } from './admin-payouts.ts';
import { UsageError } from './arguments.ts';

/** The operator's part of invoices: that one was paid, to whom they go, and who issues them. */
const OPERATOR: Actor = { type: 'operator', source: 'CLI' };
const ADDRESS_LINES_MAX = 6;
const LINE_LENGTH_MAX = 70;

type InvoiceRow = {
  workspace_handle: number;
  status: InvoiceState;
  sandbox: boolean;
  year: number;
  sequence: number;
  total_micros: number;
  currency: string;
};

/** Records that an invoice was paid. @throws UsageError where there is none or it is paid already */
export async function settleInvoice(sql: Postgres, now: Date, invoice: number): Promise<Record<string, unknown>> {
  const id = formatId('invoice', invoice);
  return inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const [row] = await unit.tx<
      InvoiceRow[]
    >`select workspace_handle, status, sandbox, year, sequence, total_micros, currency from invoices where handle = ${invoice} for update`;
    if (!row) throw new UsageError(`There is no invoice ${id}`);
    if (row.sandbox) throw new UsageError(`${id} is a test invoice of play money: nothing of it is to be paid`);
    const status = payInvoice(row.status);
    if (isRefusal(status)) throw new UsageError(status.detail);
    await unit.tx`update invoices set status = ${status}, paid_at = ${now} where handle = ${invoice}`;
    const entity = { workspace: row.workspace_handle, entityType: 'invoice', entityHandle: invoice };
    const object = {
      id,
      number: formatInvoiceNumber(row),
      status,
      total: { amount: decimalFromMicros(row.total_micros), currency: row.currency },
    };
    unit.audit({ ...entity, action: 'invoice.paid', diff: { status: { from: row.status, to: status } } });
    unit.emit({ ...entity, type: 'invoice.paid', payload: { object, previous: { status: row.status } } });
    return { id, number: object.number, status };
  });
}

type Address = { name: string; address: string | undefined; taxId: string | undefined };

/** Says to whom a workspace's invoices are addressed. `address` holds its lines between bars. */
export async function setInvoiceAddress(
  sql: Postgres,
  now: Date,
  { workspace, ...input }: Address & { workspace: number },
): Promise<Record<string, unknown>> {
  const details = {
    legal_name: line('name', input.name),
    address_lines: linesOf(input.address),
    ...(input.taxId !== undefined && { tax_id: line('tax-id', input.taxId) }),
  };
  await inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const [before] = await unit.tx<
      { billing_details: unknown }[]
    >`select billing_details from workspaces where handle = ${workspace} for no key update`;
    await unit.tx`update workspaces set billing_details = ${unit.tx.json(details)} where handle = ${workspace}`;
    unit.audit({
      workspace,
      action: 'workspace.updated',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: { billing_details: { from: before!.billing_details, to: details } },
    });
  });
  return { workspace_id: formatId('workspace', workspace), ...details };
}

type OperatorChanges = Partial<{
  name: string;
  address: string;
  taxId: string;
  iban: string;
  bic: string;
  payoutFeeMicros: number;
  payoutFreeAboveMicros: number;
}>;

/** Says who runs this installation: the seller on invoices and the payer of payouts. What is not given stays. */
export async function changeOperator(sql: Postgres, changes: OperatorChanges): Promise<Record<string, unknown>> {
  const { name, address, taxId, iban, bic, payoutFeeMicros, payoutFreeAboveMicros } = changes;
  if (bic !== undefined && iban === undefined) throw new UsageError('--bic belongs to an --iban');
  const columns = {
    ...(name !== undefined && { name: line('name', name) }),
    ...(address !== undefined && { address_lines: linesOf(address) }),
    ...(taxId !== undefined && { tax_id: line('tax-id', taxId) }),
    ...(iban !== undefined && readBankAccount({ iban, bic })),
    ...(payoutFeeMicros !== undefined && { payout_fee_micros: payoutFeeMicros }),
    ...(payoutFreeAboveMicros !== undefined && { payout_free_above_micros: payoutFreeAboveMicros }),
  };
  if (Object.keys(columns).length === 0)
    throw new UsageError(
      'operator update takes --name, --address, --tax-id, --iban with --bic, --payout-fee or --payout-free-above',
    );
  const [row] = await sql<
    Record<string, unknown>[]
  >`update operator_settings set ${sql(columns as never)} returning name, address_lines, tax_id, iban, bic, payout_fee_micros, payout_free_above_micros`;
  return row!;
}

function line(flag: string, text: string): string {
  if (!isPlainText(text, LINE_LENGTH_MAX))
    throw new UsageError(`--${flag} takes a text of at most ${LINE_LENGTH_MAX} characters, not '${text}'`);
  return text.trim();
}

function linesOf(address: string | undefined): string[] {
  const lines = address === undefined ? [] : address.split('|').map(text => line('address', text));
  if (lines.length > ADDRESS_LINES_MAX)
    throw new UsageError(`--address takes at most ${ADDRESS_LINES_MAX} lines between bars`);
  return lines;
}
