/**
 * What a signed event of Stripe says. Its shape is that of the API version that the operator has chosen at Stripe, so
 * it is checked before anything of it is used. One of another shape is acknowledged, or Stripe would send it again for
 * days, and is written down as `unreadable` for the operator.
 */
import { createHash } from 'node:crypto';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { microsOfProvider } from '#domain/money/payment.ts';
import type { Micros } from '#domain/unit.ts';
import type { PaymentEvent, PaymentFact } from './provider.ts';

/** Ids and references, as columns keep them. */
const Id = Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' });
const Reference = Type.Optional(Type.Union([Id, Type.Null()]));
const Payment = Type.Optional(Type.Union([Id, Type.Object({ id: Id }), Type.Null()]));
const money = {
  amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String({ pattern: '^[A-Za-z]{3}$' }),
};

const Envelope = Type.Object({
  id: Id,
  type: Type.String({ pattern: '^[a-z0-9_.]{1,200}$' }),
  data: Type.Object({ object: Type.Object({}) }),
});
const Session = Type.Object({ id: Id, payment_status: Type.String(), client_reference_id: Reference });
const PaidSession = Type.Object({
  id: Id,
  client_reference_id: Reference,
  payment_intent: Payment,
  amount_total: money.amount,
  currency: money.currency,
});
const Refund = Type.Object({ id: Id, status: Type.String(), payment_intent: Payment, ...money });
const Dispute = Type.Object({ id: Id, payment_intent: Payment, ...money });
const ClosedDispute = Type.Object({ id: Id, status: Type.String() });

/** Reads a body whose signature is right. */
export function parseEvent(body: Buffer): PaymentEvent {
  const event = jsonOf(body);
  if (Value.Check(Envelope, event))
    return { id: event.id, type: event.type, fact: factOf(event.type, event.data.object) ?? { what: 'unreadable' } };
  // It has no id of its own that can be kept; sent again it is the same.
  const id = `sha256:${createHash('sha256').update(body).digest('hex')}`;
  return { id, type: 'unreadable', fact: { what: 'unreadable' } };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The subject of an event; undefined if its object has another shape. */
function factOf(type: string, object: unknown): PaymentFact | undefined {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      // Another payment is pending; a further event reports its arrival.
      return read(Session, object, ({ payment_status: status }) =>
        status === 'paid' ? read(PaidSession, object, paidFact) : { what: 'nothing' },
      );
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return read(Session, object, ({ id, client_reference_id: reference = null }) => ({
        what: 'ended',
        sessionId: id,
        reference,
      }));
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return read(Refund, object, refundFact);
    case 'charge.dispute.created':
      return read(Dispute, object, dispute => caseFact('disputed', dispute));
    case 'charge.dispute.closed':
      return read(ClosedDispute, object, ({ status }) =>
        status === 'won' ? read(Dispute, object, dispute => caseFact('dispute_won', dispute)) : { what: 'nothing' },
      );
    default:
      return { what: 'nothing' };
  }
}

function read<Shape extends TSchema>(
  shape: Shape,
  object: unknown,
  factOfIt: (object: Static<Shape>) => PaymentFact | undefined,
): PaymentFact | undefined {
  return Value.Check(shape, object) ? factOfIt(object as Static<Shape>) : undefined;
}

function paidFact(session: Static<typeof PaidSession>): PaymentFact | undefined {
  const {
    id,
    client_reference_id: reference = null,
    payment_intent: payment,
    amount_total: amount,
    currency,
  } = session;
  const paid = amountOf(amount, currency);
  return paid && { what: 'paid', sessionId: id, reference, paymentId: idOf(payment), ...paid };
}

function refundFact(refund: Static<typeof Refund>): PaymentFact | undefined {
  if (refund.status === 'succeeded') return caseFact('refunded', refund);
  return refund.status === 'failed' || refund.status === 'canceled'
    ? caseFact('refund_failed', refund)
    : { what: 'nothing' };
}

function caseFact(
  what: 'refunded' | 'refund_failed' | 'disputed' | 'dispute_won',
  { id, payment_intent: payment, amount, currency }: Static<typeof Dispute>,
): PaymentFact | undefined {
  const moved = amountOf(amount, currency);
  return moved && { what, objectId: id, paymentId: idOf(payment), ...moved };
}

/** Undefined for more micro-units than are counted exactly. */
function amountOf(
  amount: number,
  currency: string,
): { amountMicros: Micros | undefined; currency: string } | undefined {
  const code = currency.toUpperCase();
  const amountMicros = microsOfProvider(amount, code);
  if (amountMicros !== undefined && !Number.isSafeInteger(amountMicros)) return undefined;
  return { amountMicros, currency: code };
}

function idOf(payment: Static<typeof Payment> | undefined): string | null {
  return typeof payment === 'string' ? payment : (payment?.id ?? null);
}
