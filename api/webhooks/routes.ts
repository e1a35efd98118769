/** The routes of webhooks: subscriptions to events, their secrets, and the log of what they were sent. */
import { parseId } from '#domain/id.ts';
import { refuseField, type Refusal } from '#domain/refusal.ts';
import { judgeUrl } from '#runtime/egress/judge-url.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { BY_CREATION, listOf, pageQuery } from '../lists/paging.ts';
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
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, readWebhook, rotateSecret } from './store.ts';
import { listDeliveries, redeliver, simulateEvent, testWebhook } from './deliveries.ts';

type Dependencies = CallDependencies & { allowPrivate?: boolean };
const route = routeFor<Dependencies>();

export const webhookRoutes = [
  route({
    method: 'GET',
    path: '/webhooks',
    access: { resource: 'webhooks', verb: 'read' },
    summary: 'List the webhooks',
    tags: ['Webhooks'],
    query: strict(pageQuery(BY_CREATION)),
    page: { list: 'webhooks' },
    response: { 200: listOf(WebhookRecord) },
    handle: ({ caller, page }, { sql, now }) => listWebhooks(sql, caller, { page, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/webhooks',
    access: { resource: 'webhooks', verb: 'write' },
    refusals: ['state_conflict'],
    secretReply: true,
    summary: 'Subscribe an address to events',
    tags: ['Webhooks'],
    body: CreateWebhookBody,
    response: { 201: WebhookWithSecret },
    handle: ({ caller, body }, { sql, sealer, allowPrivate, now }) =>
      refuseUrl(body.url, allowPrivate) ?? createWebhook({ sql, sealer }, caller, { fields: body, now: now() }),
  }),

  route({
    method: 'GET',
    path: '/webhooks/:id',
    access: { resource: 'webhooks', verb: 'read' },
    summary: 'Read a webhook',
    tags: ['Webhooks'],
    id: 'webhook',
    response: { 200: WebhookRecord },
    handle: ({ caller, id }, { sql, now }) => readWebhook(sql, caller, { handle: id, now: now() }),
  }),

  route({
    method: 'PATCH',
    path: '/webhooks/:id',
    access: { resource: 'webhooks', verb: 'write' },
    summary: 'Change, disable or enable a webhook',
    description: '`events` is replaced as a whole: send all of them that shall stay.',
    tags: ['Webhooks'],
    id: 'webhook',
    body: ChangeWebhookBody,
    response: { 200: WebhookRecord },
    handle({ caller, id, body }, { sql, allowPrivate, now }) {
      const refusal = body.url === undefined ? undefined : refuseUrl(body.url, allowPrivate);
      return refusal ?? changeWebhook(sql, caller, { handle: id, changes: body, now: now() });
    },
  }),

  route({
    method: 'DELETE',
    path: '/webhooks/:id',
    access: { resource: 'webhooks', verb: 'write' },
    summary: 'Delete a webhook',
    tags: ['Webhooks'],
    id: 'webhook',
    handle: ({ caller, id }, { sql, now }) => deleteWebhook(sql, caller, { handle: id, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/webhooks/:id/rotate',
    access: { resource: 'webhooks', verb: 'write' },
    secretReply: true,
    summary: 'Replace the secret of a webhook; both sign for 24 hours',
    tags: ['Webhooks'],
    id: 'webhook',
    response: { 201: WebhookWithSecret },
    handle: ({ caller, id }, { sql, sealer, now }) => rotateSecret({ sql, sealer }, caller, { handle: id, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/webhooks/:id/test',
    access: { resource: 'webhooks', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Send a test event to a webhook',
    tags: ['Webhooks'],
    id: 'webhook',
    response: { 201: DeliveryRecord },
    handle: ({ caller, id }, { sql, now }) => testWebhook(sql, caller, { handle: id, now: now() }),
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
    tags: ['Webhooks'],
    id: 'webhook',
    body: SimulateBody,
    response: { 201: DeliveryRecord },
    handle: ({ caller, id, body }, { sql, now }) =>
      simulateEvent(sql, caller, { handle: id, type: body.type, now: now() }),
  }),

  route({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    access: { resource: 'webhooks', verb: 'read' },
    summary: 'List the deliveries of a webhook of the last 30 days',
    tags: ['Webhooks'],
    id: 'webhook',
    query: ListDeliveriesQuery,
    page: { list: 'deliveries' },
    response: { 200: listOf(DeliveryRecord) },
    handle: ({ caller, id, page, query }, { sql, now }) =>
      listDeliveries(sql, caller, { handle: id, page, status: query.status, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
    access: { resource: 'webhooks', verb: 'write' },
    refusals: ['state_conflict'],
    operationId: 'redeliverWebhookDelivery',
    summary: 'Send the event of a delivery again',
    tags: ['Webhooks'],
    id: 'webhook',
    params: deliveryParams,
    response: { 201: DeliveryRecord },
    handle({ caller, id, params }, { sql, now }) {
      const delivery = parseId('webhook_delivery', params.delivery_id);
      return delivery === undefined ? refuseAbsent() : redeliver(sql, caller, { handle: id, delivery, now: now() });
    },
  }),
];

/** Only the URL itself is judged here; the addresses of its name are judged whenever a connection is made. */
function refuseUrl(url: string, allowPrivate = false): Refusal | undefined {
  const fault = judgeUrl(url, { allowPrivate });
  return fault === undefined ? undefined : refuseField('/url', 'not_allowed', fault);
}
