import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseId } from '#domain/id.ts';
import { refuse } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { guardGuesses } from '../rate-limit/guess-limit.ts';
import { idParams } from '../shapes.ts';
import { openCheckout, refusePaymentsOff } from './checkouts.ts';
import { takeEvent } from './events.ts';
import { CheckoutBody, CheckoutRecord, EventReceipt } from './schema.ts';

/** An event holds one object; those of checkouts have some 4 kB. */
const EVENT_BYTES_MAX = 128 * 1024;

export function paymentRoutes(app: Api, dependencies: RouteDependencies): void {
  app.post(
    '/wallet/top-ups/:id/checkout',
    {
      config: {
        access: { resource: 'wallet', verb: 'write' },
        refusals: ['state_conflict', 'payments_off', 'payment_refused', 'payment_provider_away'],
      },
      schema: {
        operationId: 'openCheckout',
        summary: 'Open a page on which a top-up is paid',
        tags: ['Wallet'],
        params: idParams,
        body: CheckoutBody,
        response: { 201: CheckoutRecord },
      },
    },
    async (request, reply) => {
      const topUp = parseId('top_up', request.params.id);
      return answer(
        reply,
        201,
        topUp === undefined
          ? refuseAbsent()
          : await openCheckout(dependencies, callerOf(request), { topUp, fields: request.body }),
      );
    },
  );

  void app.register(async scope => eventRoute(scope as Api, dependencies));
}

/** The provider signs the bytes of the body, so they are read as they are. */
function eventRoute(app: Api, dependencies: RouteDependencies): void {
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
        tags: ['Wallet'],
        response: { 200: EventReceipt },
      },
    },
    async (request, reply) =>
      receiveEvent(dependencies, request as unknown as FastifyRequest, reply as unknown as FastifyReply),
  );
}

async function receiveEvent(
  dependencies: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { payments, signatureGuesses } = dependencies;
  if (payments === undefined) return answer(reply, 200, refusePaymentsOff());
  const signature = request.headers['stripe-signature'];
  const event =
    typeof signature === 'string' && Buffer.isBuffer(request.body)
      ? payments.readEvent(request.body, signature, dependencies.now())
      : undefined;
  if (event === undefined)
    return answer(
      reply,
      200,
      refuse(
        'bad_signature',
        'Stripe-Signature does not sign this body with the secret of this address, or more than five minutes ago.',
      ),
    );
  await signatureGuesses.giveBack(request.ip);
  await takeEvent(dependencies, event);
  return answer(reply, 200, { received: true });
}
