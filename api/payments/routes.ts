/**
 * The routes of payments: the page on which a top-up is paid, which ends when the top-up is canceled, and the events
 * that the provider sends. An event is signed over the bytes of its body, so its route is outside of the table: it
 * reads the body as it is.
 */
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Log } from '#runtime/log.ts';
import { cancelTopUp } from '#sql/wallet/units.ts';
import type { Api } from '../wire/fastify.ts';
import { answer } from '../wire/reply.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { giveBackGuess, guardGuesses, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { endCheckout, openCheckout, refusePaymentsOff } from './checkouts.ts';
import { takeEvent } from './events.ts';
import { CheckoutBody, CheckoutRecord, EventReceipt } from './schema.ts';
import type { PaymentProvider } from './provider.ts';

type Dependencies = CallDependencies & { payments?: PaymentProvider; log: Log; signatureGuesses: GuessLimit };
const route = routeFor<Dependencies>();

type EventReceived = Static<typeof EventReceipt>;

/** An event holds one object; those of checkouts have some 4 kB. */
const EVENT_BYTES_MAX = 128 * 1024;

export const paymentRoutes = [
  route({
    method: 'POST',
    path: '/wallet/top-ups/:id/checkout',
    access: { resource: 'wallet', verb: 'write' },
    refusals: ['state_conflict', 'payments_off', 'payment_refused', 'payment_provider_away'],
    operationId: 'openCheckout',
    summary: 'Open a page on which a top-up is paid',
    id: 'top_up',
    body: CheckoutBody,
    response: { 201: CheckoutRecord },
    handle: ({ caller, id, body }, dependencies) => openCheckout(dependencies, caller, { topUp: id, fields: body }),
  }),

  route({
    method: 'DELETE',
    path: '/wallet/top-ups/:id',
    access: { resource: 'wallet', verb: 'write' },
    refusals: ['state_conflict', 'payments_off', 'payment_refused', 'payment_provider_away'],
    operationId: 'cancelTopUp',
    summary: 'Call a top-up off that has not been credited',
    id: 'top_up',
    async handle({ caller, id }, dependencies) {
      const refusal = await endCheckout(dependencies, caller, id);
      return refusal ?? cancelTopUp(dependencies.sql, { ...caller, now: new Date(dependencies.now()) }, id);
    },
  }),
];

/** Declares the route of events in a scope of its own, whose bodies nothing parses. */
export function paymentEventRoutes(app: Api, dependencies: Dependencies): void {
  void app.register(async scope => eventRoute(scope as Api, dependencies));
}

function eventRoute(app: Api, dependencies: Dependencies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const { onRequest } = guardGuesses(dependencies.signatureGuesses);
  app.post(
    '/payments/stripe/events',
    {
      config: {
        access: 'public',
        refusals: [
          'bad_signature',
          'body_too_slow',
          'payments_off',
          'body_too_large',
          'unsupported_media_type',
          'rate_limited',
        ],
      },
      bodyLimit: EVENT_BYTES_MAX,
      onRequest,
      schema: {
        operationId: 'receiveStripeEvent',
        summary: 'Take a signed event of Stripe',
        response: { 200: EventReceipt },
      },
    },
    async (request, reply) => answer<EventReceived>(reply, 200, await receiveEvent(dependencies, request)),
  );
}

async function receiveEvent(dependencies: Dependencies, request: FastifyRequest): Promise<EventReceived | Refusal> {
  const { payments, now } = dependencies;
  const { headers, body } = request;
  if (payments === undefined) return refusePaymentsOff();
  const signature = headers['stripe-signature'];
  const event =
    typeof signature === 'string' && Buffer.isBuffer(body) ? payments.readEvent(body, signature, now()) : undefined;
  if (event === undefined)
    return refuse(
      'bad_signature',
      'Stripe-Signature does not sign this body with the secret of this address, or more than five minutes ago.',
    );
  await giveBackGuess(request);
  await takeEvent(dependencies, event);
  return { received: true };
}
