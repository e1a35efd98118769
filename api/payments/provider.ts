import type { Refusal } from '#domain/refusal.ts';

/**
 * What a payment provider does for us: a page of its own on which somebody pays, and signed events about it. Amounts are
 * micro-units. Nothing is booked because of an answer: money is on a wallet when an event says that it was paid.
 */
export type CheckoutAsked = {
  reference: string;
  amountMicros: number;
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
      amountMicros: number | undefined;
      currency: string;
    }
  | { what: 'ended'; sessionId: string; reference: string | null }
  | {
      what: 'refunded' | 'refund_failed' | 'disputed';
      objectId: string;
      paymentId: string | null;
      amountMicros: number | undefined;
      currency: string;
    }
  | { what: 'dispute_won'; objectId: string }
  | { what: 'nothing' };
export type PaymentEvent = { id: string; type: string; fact: PaymentFact };

export type PaymentProvider = {
  /** Opens a page. The same reference again answers the same page. */
  openCheckout(asked: CheckoutAsked): Promise<CheckoutPage | Refusal>;
  /** Ends a page, so that nobody pays there any more. `paid`: somebody has, or the payment is on its way. */
  endCheckout(sessionId: string): Promise<'ended' | 'paid' | Refusal>;
  /** Reads an event as it was sent; undefined where its signature is not right or too old. */
  readEvent(body: Buffer, signature: string, nowMs: number): PaymentEvent | undefined;
};
