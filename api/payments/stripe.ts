/** Stripe's hosted checkout and its webhook. Its own library sends and retries requests and checks signatures. */
import { Stripe } from 'stripe';
import { providerAmount } from '#domain/money/payment.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { CheckoutRequest, CheckoutPage, PaymentEvent, PaymentProvider } from './provider.ts';
import { parseEvent } from './stripe-event.ts';

export type StripeSettings = {
  secretKey: string;
  webhookSecret: string;
  /** Base URL of another server than Stripe's own, for tests; absent: Stripe's. */
  apiBase?: string | undefined;
};

/** How old an event may be, in seconds: Stripe signs each attempt anew. */
const TOLERANCE_S = 300;
const CALL_MS_MAX = 10_000;
const RETRIES_MAX = 2;

export function createStripe({ secretKey, webhookSecret, apiBase }: StripeSettings): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    timeout: CALL_MS_MAX,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    ...(apiBase !== undefined && hostOf(apiBase)),
  });
  return {
    openCheckout: request => openCheckout(stripe, request),
    endCheckout: sessionId => endCheckout(stripe, sessionId),
    readEvent: (body, signature, nowMs) => readEvent(stripe, { body, signature, webhookSecret, nowMs }),
  };
}

function hostOf(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  };
}

async function openCheckout(
  stripe: Stripe,
  { reference, amountMicros, currency, description, successUrl, cancelUrl }: CheckoutRequest,
): Promise<CheckoutPage | Refusal> {
  const amount = providerAmount(amountMicros, currency);
  if (amount === undefined)
    return refuse('payment_refused', `This amount of ${currency} cannot be paid here: ask the operator how to pay it.`);
  try {
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: reference,
        success_url: successUrl,
        ...(cancelUrl !== null && { cancel_url: cancelUrl }),
        adaptive_pricing: { enabled: false },
        line_items: [
          {
            quantity: 1,
            price_data: { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: description } },
          },
        ],
        metadata: { reference },
        payment_intent_data: { metadata: { reference } },
      },
      { idempotencyKey: `checkout-${reference}` },
    );
    if (session.url === null) throw new Error(`the checkout session ${session.id} has no address`);
    return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1_000) };
  } catch (error) {
    return refusalOf(error);
  }
}

async function endCheckout(stripe: Stripe, sessionId: string): Promise<'ended' | 'paid' | Refusal> {
  try {
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    if (status === 'complete') return 'paid';
    if (status === 'open') await stripe.checkout.sessions.expire(sessionId);
    return 'ended';
  } catch (error) {
    // Paid between the two calls: a page that is no longer open cannot be ended.
    return error instanceof Stripe.errors.StripeInvalidRequestError ? 'paid' : refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return refuse('payment_refused', error.message);
  if (error instanceof Stripe.errors.StripeError)
    return refuse('payment_provider_away', 'Nothing was changed. Try again in a moment.');
  throw error;
}

type Sent = { body: Buffer; signature: string; webhookSecret: string; nowMs: Milliseconds };

function readEvent(stripe: Stripe, { body, signature, webhookSecret, nowMs }: Sent): PaymentEvent | undefined {
  try {
    stripe.webhooks.signature!.verifyHeader(body, signature, webhookSecret, TOLERANCE_S, undefined, nowMs);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw error;
  }
  return parseEvent(body);
}
