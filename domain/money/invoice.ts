/** A month's charges as a document: its states, its number, its addressee, and amounts that can be paid. */
import { floorToMinor, minorUnitMicros, roundToMinor } from './money.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { defineMachine, next } from '../transition.ts';
import type { Micros, Milliseconds } from '../unit.ts';

const invoiceMachine = defineMachine({
  states: ['issued', 'paid'],
  moves: [{ from: 'issued', on: 'pay', to: 'paid' }],
});
export type InvoiceState = (typeof invoiceMachine.states)[number];
export const INVOICE_STATES = invoiceMachine.states;

export function payInvoice(state: InvoiceState): InvoiceState | Refusal {
  return next(invoiceMachine, state, 'pay') ?? refuse('state_conflict', `The invoice is ${state} already.`);
}

/** A credit note gives back what earlier invoices charged. */
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** The recipient of the invoice for a client's spend: the client itself, or the agency on its own invoice. */
export const BILLING_MODELS = ['pass-through', 'agency-billed'] as const;
export type BillingModel = (typeof BILLING_MODELS)[number];

/** Days in which an invoice is to be paid. */
export const INVOICE_DUE_DAYS = 30;

type InvoiceNumber = { sandbox: boolean; year: number; sequence: number };

/**
 * Numbers run through a year without a gap: `2026-000041`. Those of sandboxes are a separate series:
 * `TEST-2026-000041`.
 */
export function formatInvoiceNumber({ sandbox, year, sequence }: InvoiceNumber): string {
  return `${sandbox ? 'TEST-' : ''}${year}-${String(sequence).padStart(6, '0')}`;
}

/** Self-billed invoices are a separate series, also without a gap: `SB-2026-000041`. */
export function formatSelfBilledNumber({ year, sequence }: Pick<InvoiceNumber, 'year' | 'sequence'>): string {
  return `SB-${formatInvoiceNumber({ sandbox: false, year, sequence })}`;
}

/** The first day of the month, UTC, of a time in ms: `2026-03-01`. */
export function monthOf(atMs: Milliseconds): string {
  return `${new Date(atMs).toISOString().slice(0, 7)}-01`;
}

/** The first day of the month after one. */
export function monthAfter(month: string): string {
  return monthOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1));
}

/** The last day of a month given by its first: `2026-02-28`. */
export function lastDayOf(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);
}

type Amounts = { grossMicros: Micros; discountMicros: Micros };
/** Whole minor units. `net` = `gross` - `discount`, on every line and in total, and lines sum to the total. */
export type PayableAmounts = { grossMicros: Micros; discountMicros: Micros; netMicros: Micros };

/**
 * The amounts of a document, in whole minor units. The exact total is rounded to the nearest unit. The lines are
 * rounded so that they sum to it, each by less than one unit.
 */
export function payableAmounts(
  lines: readonly Amounts[],
  currency: string,
): { lines: PayableAmounts[]; total: PayableAmounts } {
  const gross = roundParts(
    lines.map(line => line.grossMicros),
    currency,
  );
  const discount = roundParts(
    lines.map(line => line.discountMicros),
    currency,
  );
  const payable = lines.map((_, index) => amountsOf(gross.parts[index]!, discount.parts[index]!));
  return { lines: payable, total: amountsOf(gross.total, discount.total) };
}

function amountsOf(grossMicros: Micros, discountMicros: Micros): PayableAmounts {
  return { grossMicros, discountMicros, netMicros: grossMicros - discountMicros };
}

/**
 * Rounds each part down, then gives the minor units that are missing from the rounded total to the parts that lost
 * most.
 */
function roundParts(micros: readonly number[], currency: string): { parts: number[]; total: number } {
  const unit = minorUnitMicros(currency);
  const total = roundToMinor(
    micros.reduce((sum, part) => sum + part, 0),
    currency,
  );
  const floors = micros.map(part => floorToMinor(part, currency));
  const lacking = (total - floors.reduce((sum, part) => sum + part, 0)) / unit;
  const rests = micros
    .map((part, index) => ({ index, rest: part - floors[index]! }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index);
  const raised = new Set(rests.slice(0, lacking).map(({ index }) => index));
  return { parts: floors.map((part, index) => (raised.has(index) ? part + unit : part)), total };
}
