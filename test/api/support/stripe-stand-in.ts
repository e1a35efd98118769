/**
 * A stand-in for Stripe's API of checkout sessions, on a port of this machine. The real Stripe library talks to it, and
 * signs the events that it sends.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { createStripe } from '../../../api/payments/stripe.ts';
import type { PaymentProvider } from '../../../api/payments/provider.ts';

const WEBHOOK_SECRET = 'whsec_stand_in';

type Session = {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  client_reference_id: string;
  amount_total: number;
  currency: string;
  payment_intent: string;
  url: string;
  expires_at: number;
};
export type StandIn = {
  provider: PaymentProvider;
  sessions: Session[];
  /** What was asked, in order: method, path and body. */
  requests: { method: string; path: string; body: URLSearchParams; idempotencyKey: string | undefined }[];
  /** The next requests are answered so instead. */
  failure: { status: number; type: string; message: string } | undefined;
  close(): Promise<void>;
};

export async function startStandIn(): Promise<StandIn> {
  const byKey = new Map<string, Session>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => reply(request, response, Buffer.concat(chunks).toString()));
  });
  const reply = (request: IncomingMessage, response: ServerResponse, text: string) => {
    const body = new URLSearchParams(text);
    const key = request.headers['idempotency-key'] as string | undefined;
    standIn.requests.push({ method: request.method!, path: request.url!, body, idempotencyKey: key });
    const send = (status: number, answer: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_stand_in' })
        .end(JSON.stringify(answer));
    if (standIn.failure)
      return send(standIn.failure.status, { error: { type: standIn.failure.type, message: standIn.failure.message } });
    const [, id, action] = /^\/v1\/checkout\/sessions(?:\/([^/?]+))?(?:\/([a-z]+))?/.exec(request.url!) ?? [];
    const found = standIn.sessions.find(session => session.id === id);
    if (action === 'expire' && found) {
      if (found.status !== 'open')
        return send(400, {
          error: {
            type: 'invalid_request_error',
            message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
          },
        });
      found.status = 'expired';
    }
    if (id !== undefined)
      return found
        ? send(200, found)
        : send(404, { error: { type: 'invalid_request_error', message: 'No such checkout session' } });
    const known = key === undefined ? undefined : byKey.get(key);
    const session: Session = known ?? {
      id: `cs_test_${randomUUID()}`,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: body.get('client_reference_id')!,
      amount_total: Number(body.get('line_items[0][price_data][unit_amount]')),
      currency: body.get('line_items[0][price_data][currency]')!,
      payment_intent: `pi_${randomUUID()}`,
      url: `https://checkout.example/${randomUUID()}`,
      expires_at: Math.floor(Date.now() / 1_000) + 86_400,
    };
    if (!known) standIn.sessions.push(session);
    if (key !== undefined) byKey.set(key, session);
    return send(200, session);
  };
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: StandIn = {
    provider: createStripe({ secretKey: 'sk_test_stand_in', webhookSecret: WEBHOOK_SECRET, apiBase }),
    sessions: [],
    requests: [],
    failure: undefined,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return standIn;
}

const signer = new Stripe('sk_test_signer');
export type Event = { id: string; type: string; data: { object: Record<string, unknown> } };

export function eventOf(type: string, object: Record<string, unknown>, id = `evt_${randomUUID()}`): Event {
  return { id, type, data: { object } };
}

/** The body and the header as Stripe sends them. @param atMs when it is signed */
export function signed(
  event: Event,
  { atMs = Date.now(), secret = WEBHOOK_SECRET }: { atMs?: number; secret?: string } = {},
): { payload: string; headers: Record<string, string> } {
  const payload = JSON.stringify(
    { object: 'event', api_version: '2026-10-28.endive', created: Math.floor(atMs / 1_000), livemode: false, ...event },
    null,
    2,
  );
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signer.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(atMs / 1_000),
      }),
    },
  };
}
