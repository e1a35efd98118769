/**
 * `admin payment`: refunds, disputes, and payments that do not match what was asked for. The operator takes the money
 * of a refund or dispute from the wallet, or closes a case without taking anything.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { CASE_STATES, type CaseState, listCases, type PaymentCase } from '#sql/payments/cases.ts';
import { newest } from '#sql/lists/sorts.ts';
import type { Postgres } from '#sql/postgres.ts';
import { bookPaymentCase as book, closePaymentCase as close } from '#sql/payments/decisions.ts';
import { listUnreadableEvents } from '../../../api/operator/payment-cases/record.ts';
import { NOTE_LENGTH_MAX } from '../../../api/wire/shapes.ts';
import { OPERATOR, wanted } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { idOf } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

/** As many as a person will look through. If there are more, the newest are listed. */
const LISTED_MAX = 200;

export function declarePaymentCommands(program: CommandUnknownOpts, run: Runner): void {
  const payment = program.command('payment').description('refunds, disputes and unmatched payments');
  payment
    .command('list')
    .description('list the newest refunds, disputes and unmatched payments')
    .addOption(new Option('--status <status>', 'filter by status').choices(CASE_STATES))
    .action(run(({ sql }, { status }) => showCases(sql, { status })));
  payment
    .command('book')
    .description('debit the wallet for a refund or dispute')
    .argument('<case>', 'id of the case', idOf('payment_case'))
    .action(run(({ sql }, handle) => bookPaymentCase(sql, new Date(), handle)));
  payment
    .command('close')
    .description('close a case without a debit')
    .argument('<case>', 'id of the case', idOf('payment_case'))
    .requiredOption('--note <text>', 'reason')
    .action(run(({ sql }, handle, { note }) => closePaymentCase(sql, new Date(), { handle, note })));
}

/** The newest cases, of one status or of all, and the unreadable events. */
export async function showCases(sql: Postgres, { status }: { status?: CaseState | undefined }): Promise<Result> {
  const { rows } = await listCases(sql, newest(LISTED_MAX), { statuses: status && [status] });
  return {
    cases: rows.map(caseRecord),
    unreadable_events: (await listUnreadableEvents(sql)).map(({ id, ...event }) => ({ event: id, ...event })),
  };
}

/**
 * Takes the money of a case from the wallet.
 * @throws UsageError if the wallet does not hold it, or there is nothing to take
 */
export async function bookPaymentCase(sql: Postgres, now: Date, handle: Handle<'payment_case'>): Promise<Result> {
  return wanted(await book(sql, { actor: OPERATOR, now }, { handle }), absent(handle));
}

/** Ends a case without taking anything. @throws UsageError if there is no such open case */
export async function closePaymentCase(
  sql: Postgres,
  now: Date,
  { handle, note }: { handle: Handle<'payment_case'>; note: string },
): Promise<Result> {
  if (note.trim() === '' || note.length > NOTE_LENGTH_MAX)
    throw new UsageError(`--note says why, in up to ${NOTE_LENGTH_MAX} characters`);
  return wanted(await close(sql, { actor: OPERATOR, now }, { handle, note }), absent(handle));
}

const absent = (handle: Handle<'payment_case'>) => `There is no payment case ${formatId('payment_case', handle)}`;

function caseRecord({
  handle,
  kind,
  status,
  objectId,
  paymentId,
  workspace,
  topUp,
  currency,
  amountMicros,
  note,
  createdAt,
  endedAt,
}: PaymentCase): Record<string, unknown> {
  return {
    id: formatId('payment_case', handle),
    kind,
    status,
    object: objectId,
    payment: paymentId,
    workspace_id: workspace === null ? null : formatId('workspace', workspace),
    top_up_id: topUp === null ? null : formatId('top_up', topUp),
    amount: decimalFromMicros(amountMicros),
    currency,
    note,
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}
