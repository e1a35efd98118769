/**
 * What the API needs of a payment provider: a checkout page of its own, and signed events about it. Amounts are
 * micro-units. Nothing is booked because of an answer: money is on a wallet once an event says that it was paid.
 */
import type { Refusal } from '#domain/refusal.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type CheckoutRequest = {
  reference: string;
  amountMicros: Micros;
  currency: string;
  description: string;
  successUrl: string;
  cancelUrl: string | null;
};
export type CheckoutPage = { sessionId: string; url: string; expiresAt: Date };

export type PaymentFact =
  | {
      what: 'paid';
      sessionId: string;
      reference: string | null;
      paymentId: string | null;
      amountMicros: Micros | undefined;
      currency: string;
    }
  | { what: 'ended'; sessionId: string; reference: string | null }
  | {
      what: 'refunded' | 'refund_failed' | 'disputed' | 'dispute_won';
      objectId: string;
      paymentId: string | null;
      amountMicros: Micros | undefined;
      currency: string;
    }
  | { what: 'nothing' }
  /** Signed, and of a shape that this version does not know: the operator reads it at the provider. */
  | { what: 'unreadable' };
export type PaymentEvent = { id: string; type: string; fact: PaymentFact };

export type PaymentProvider = {
  /** Opens a page. The same reference returns the same page. */
  openCheckout(request: CheckoutRequest): Promise<CheckoutPage | Refusal>;
  /** Ends a page, so that nobody can pay there. `paid`: it was paid, or a payment is pending. */
  endCheckout(sessionId: string): Promise<'ended' | 'paid' | Refusal>;
  /** Reads an event from its raw body; undefined if its signature is invalid or too old. */
  readEvent(body: Buffer, signature: string, nowMs: Milliseconds): PaymentEvent | undefined;
};
