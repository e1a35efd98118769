/** The routes of webhooks: subscriptions to events, their secrets, and the log of what they were sent. */
import { randomBytes } from 'node:crypto';
import { parseId } from '#domain/id.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { webhookSecretPurpose } from '#runtime/cryptography/sealed.ts';
import { judgeUrl } from '#runtime/egress/judge-url.ts';
import { listDeliveries, redeliver, simulateEvent, testWebhook } from '#sql/webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
  type SubscriberCall,
  type WebhookRow,
} from '#sql/webhooks/subscriptions.ts';
import type { Caller } from '../authentication/caller.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { BY_CREATION, listed, listOf, pageQuery } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { strict } from '../wire/shapes.ts';
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  deliveryParams,
  DeliveryRecord,
  ListDeliveriesQuery,
  SimulateBody,
  WebhookRecord,
  WebhookWithSecret,
} from './schema.ts';
import { EVENT_SHAPES } from './events.ts';
import { deliveryRecord, webhookRecord } from './record.ts';

const SECRET_BYTES = 32;

type Dependencies = CallDependencies & { allowPrivate?: boolean };
const route = routeFor<Dependencies>();

export const webhookRoutes = [
  route({
    method: 'GET',
    path: '/webhooks',
    access: { resource: 'webhooks', verb: 'read' },
    summary: 'List the webhooks',
    query: strict(pageQuery(BY_CREATION)),
    page: { list: 'webhooks' },
    response: { 200: listOf(WebhookRecord) },
    async handle({ caller, page }, { sql, now }) {
      const rows = await listWebhooks(sql, caller, page);
      return listed({ rows }, page, { recordOf: row => webhookRecord(row, now()) });
    },
  }),

  route({
    method: 'POST',
    path: '/webhooks',
    access: { resource: 'webhooks', verb: 'write' },
    refusals: ['state_conflict'],
    secretReply: true,
    summary: 'Subscribe an address to events',
    body: CreateWebhookBody,
    response: { 201: WebhookWithSecret },
    handle: ({ caller, body }, deps) =>
      refuseUrl(body.url, deps.allowPrivate) ??
      withSecret(deps, caller, async (call, secret) => createWebhook(deps.sql, call, { ...body, secret })),
  }),

  route({
    method: 'GET',
    path: '/webhooks/:id',
    access: { resource: 'webhooks', verb: 'read' },
    summary: 'Read a webhook',
    id: 'webhook',
    response: { 200: WebhookRecord },
    async handle({ caller, id }, { sql, now }) {
      const row = await findWebhook(sql, caller, id);
      return isRefusal(row) ? row : webhookRecord(row, now());
    },
  }),

  route({
    method: 'PATCH',
    path: '/webhooks/:id',
    access: { resource: 'webhooks', verb: 'write' },
    summary: 'Change, disable or enable a webhook',
    description: '`events` is replaced as a whole: send all of them that shall stay.',
    id: 'webhook',
    body: ChangeWebhookBody,
    response: { 200: WebhookRecord },
    handle({ caller, id, body }, { sql, allowPrivate, now }) {
      const refusal = body.url === undefined ? undefined : refuseUrl(body.url, allowPrivate);
      if (refusal) return refusal;
      const at = now();
      const render = (row: WebhookRow) => webhookRecord(row, at);
      return replying(caller, { now: at, render }, call => changeWebhook(sql, call, { handle: id, changes: body }));
    },
  }),

  route({
    method: 'DELETE',
    path: '/webhooks/:id',
    access: { resource: 'webhooks', verb: 'write' },
    summary: 'Delete a webhook',
    id: 'webhook',
    handle: ({ caller, id }, { sql, now }) => deleteWebhook(sql, { ...caller, now: new Date(now()) }, id),
  }),

  route({
    method: 'POST',
    path: '/webhooks/:id/rotate',
    access: { resource: 'webhooks', verb: 'write' },
    secretReply: true,
    summary: 'Replace the secret of a webhook; both sign for 24 hours',
    id: 'webhook',
    response: { 201: WebhookWithSecret },
    handle: ({ caller, id }, deps) =>
      withSecret(deps, caller, async (call, secret) => rotateSecret(deps.sql, call, { handle: id, secret })),
  }),

  route({
    method: 'POST',
    path: '/webhooks/:id/test',
    access: { resource: 'webhooks', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Send a test event to a webhook',
    id: 'webhook',
    response: { 201: DeliveryRecord },
    handle: ({ caller, id }, { sql, now }) =>
      replying(caller, { now: now(), render: deliveryRecord }, call => testWebhook(sql, call, id)),
  }),

  route({
    method: 'POST',
    path: '/webhooks/:id/simulate',
    access: { resource: 'webhooks', verb: 'write' },
    refusals: ['state_conflict'],
    operationId: 'simulateWebhookEvent',
    summary: 'Send a sample of an event type to a webhook',
    description:
      'The sample of the reference, signed and retried like any event, with `simulated` in its data; whether the webhook subscribes to the type does not matter.',
    id: 'webhook',
    body: SimulateBody,
    response: { 201: DeliveryRecord },
    handle({ caller, id, body: { type } }, { sql, now }) {
      const { sample } = EVENT_SHAPES[type];
      return replying(caller, { now: now(), render: deliveryRecord }, call =>
        simulateEvent(sql, call, { handle: id, type, sample }),
      );
    },
  }),

  route({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    access: { resource: 'webhooks', verb: 'read' },
    summary: 'List the deliveries of a webhook of the last 30 days',
    id: 'webhook',
    query: ListDeliveriesQuery,
    page: { list: 'deliveries' },
    response: { 200: listOf(DeliveryRecord) },
    async handle({ caller, id, page, query }, { sql }) {
      const webhook = await findWebhook(sql, caller, id);
      if (isRefusal(webhook)) return webhook;
      const rows = await listDeliveries(sql, id, { page, status: query.status });
      return listed({ rows }, page, { recordOf: deliveryRecord });
    },
  }),

  route({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
    access: { resource: 'webhooks', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Send the event of a delivery again',
    id: 'webhook',
    params: deliveryParams,
    response: { 201: DeliveryRecord },
    handle({ caller, id, params }, { sql, now }) {
      const delivery = parseId('webhook_delivery', params.delivery_id);
      if (delivery === undefined) return refuseAbsent();
      return replying(caller, { now: now(), render: deliveryRecord }, call =>
        redeliver(sql, call, { handle: id, delivery }),
      );
    },
  }),
];

/** Only the URL itself is judged here; the addresses of its name are judged whenever a connection is made. */
function refuseUrl(url: string, allowPrivate = false): Refusal | undefined {
  const fault = judgeUrl(url, { allowPrivate });
  return fault === undefined ? undefined : refuseField('/url', 'not_allowed', fault);
}

/** Makes a secret, has it stored sealed, and shows it this once. */
function withSecret(
  { sealer, now }: Pick<Dependencies, 'sealer' | 'now'>,
  caller: Caller,
  store: (call: SubscriberCall, sealed: Buffer) => Promise<WebhookRow | Refusal>,
) {
  const at = now();
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const sealed = sealer.seal(secret, webhookSecretPurpose(caller.workspace));
  const render = (row: WebhookRow) => ({ ...webhookRecord(row, at), secret });
  return replying(caller, { now: at, render }, call => store(call, sealed));
}
