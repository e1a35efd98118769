import { parseId } from '#domain/id.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { judgeUrl } from '#runtime/egress/judge-url.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { BY_CREATION, listOf, pageQuery, readPage } from '../lists/paging.ts';
import { idParams, strict } from '../shapes.ts';
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
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  readWebhook,
  redeliver,
  rotateSecret,
  simulateEvent,
  testWebhook,
} from './store.ts';

const READ = { resource: 'webhooks', verb: 'read' } as const;
const WRITE = { resource: 'webhooks', verb: 'write' } as const;

export function webhookRoutes(app: Api, dependencies: RouteDependencies): void {
  subscriptionRoutes(app, dependencies);
  deliveryRoutes(app, dependencies);
}

function subscriptionRoutes(app: Api, { sql, sealer, allowPrivate = false, now }: RouteDependencies): void {
  app.get(
    '/webhooks',
    {
      config: { access: READ },
      schema: {
        summary: 'List the webhooks',
        tags: ['Webhooks'],
        querystring: strict(pageQuery(BY_CREATION)),
        response: { 200: listOf(WebhookRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'webhooks' });
      return answer(
        reply,
        200,
        isRefusal(page) ? page : await listWebhooks(sql, callerOf(request), { page, now: now() }),
      );
    },
  );

  app.post(
    '/webhooks',
    {
      config: { access: WRITE, secretReply: true, refusals: ['state_conflict'] },
      schema: {
        summary: 'Subscribe an address to events',
        tags: ['Webhooks'],
        body: CreateWebhookBody,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const refusal = refuseUrl(request.body.url, allowPrivate);
      return answer(
        reply,
        201,
        refusal ?? (await createWebhook({ sql, sealer }, callerOf(request), { fields: request.body, now: now() })),
      );
    },
  );

  app.get(
    '/webhooks/:id',
    {
      config: { access: READ },
      schema: { summary: 'Read a webhook', tags: ['Webhooks'], params: idParams, response: { 200: WebhookRecord } },
    },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await readWebhook(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.patch(
    '/webhooks/:id',
    {
      config: { access: WRITE },
      schema: {
        summary: 'Change, disable or enable a webhook',
        description: '`events` is replaced as a whole: send all of them that shall stay.',
        tags: ['Webhooks'],
        params: idParams,
        body: ChangeWebhookBody,
        response: { 200: WebhookRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      if (handle === undefined) return answer(reply, 200, refuseAbsent());
      const { url } = request.body;
      const refusal = url === undefined ? undefined : refuseUrl(url, allowPrivate);
      return answer(
        reply,
        200,
        refusal ?? (await changeWebhook(sql, callerOf(request), { handle, changes: request.body, now: now() })),
      );
    },
  );

  app.delete(
    '/webhooks/:id',
    { config: { access: WRITE }, schema: { summary: 'Delete a webhook', tags: ['Webhooks'], params: idParams } },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await deleteWebhook(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.post(
    '/webhooks/:id/rotate',
    {
      config: { access: WRITE, secretReply: true },
      schema: {
        summary: 'Replace the secret of a webhook; both sign for 24 hours',
        tags: ['Webhooks'],
        params: idParams,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      return answer(
        reply,
        201,
        handle === undefined
          ? refuseAbsent()
          : await rotateSecret({ sql, sealer }, callerOf(request), { handle, now: now() }),
      );
    },
  );
}

function deliveryRoutes(app: Api, { sql, now }: RouteDependencies): void {
  app.post(
    '/webhooks/:id/test',
    {
      config: { access: WRITE, refusals: ['state_conflict'] },
      schema: {
        summary: 'Send a test event to a webhook',
        tags: ['Webhooks'],
        params: idParams,
        response: { 201: DeliveryRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      return answer(
        reply,
        201,
        handle === undefined ? refuseAbsent() : await testWebhook(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.post(
    '/webhooks/:id/simulate',
    {
      config: { access: WRITE, refusals: ['state_conflict'] },
      schema: {
        operationId: 'simulateWebhookEvent',
        summary: 'Send a sample of an event type to a webhook',
        description:
          'The sample of the reference, signed and retried like any event, with `simulated` in its data; whether the webhook subscribes to the type does not matter.',
        tags: ['Webhooks'],
        params: idParams,
        body: SimulateBody,
        response: { 201: DeliveryRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      const { type } = request.body;
      return answer(
        reply,
        201,
        handle === undefined
          ? refuseAbsent()
          : await simulateEvent(sql, callerOf(request), { handle, type, now: now() }),
      );
    },
  );

  app.get(
    '/webhooks/:id/deliveries',
    {
      config: { access: READ },
      schema: {
        summary: 'List the deliveries of a webhook of the last 30 days',
        tags: ['Webhooks'],
        params: idParams,
        querystring: ListDeliveriesQuery,
        response: { 200: listOf(DeliveryRecord) },
      },
    },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      const page = readPage(request.query, { list: 'deliveries' });
      if (handle === undefined || isRefusal(page))
        return answer(reply, 200, handle === undefined ? refuseAbsent() : page);
      return answer(
        reply,
        200,
        await listDeliveries(sql, callerOf(request), { handle, page, status: request.query.status, now: now() }),
      );
    },
  );

  app.post(
    '/webhooks/:id/deliveries/:delivery_id/redeliver',
    {
      config: { access: WRITE, refusals: ['state_conflict'] },
      schema: {
        operationId: 'redeliverWebhookDelivery',
        summary: 'Send the event of a delivery again',
        tags: ['Webhooks'],
        params: deliveryParams,
        response: { 201: DeliveryRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('webhook', request.params.id);
      const delivery = parseId('webhook_delivery', request.params.delivery_id);
      return answer(
        reply,
        201,
        handle === undefined || delivery === undefined
          ? refuseAbsent()
          : await redeliver(sql, callerOf(request), { handle, delivery, now: now() }),
      );
    },
  );
}

/** Only the URL itself is judged here; the addresses of its name are judged whenever a connection is made. */
function refuseUrl(url: string, allowPrivate: boolean): Refusal | undefined {
  const fault = judgeUrl(url, { allowPrivate });
  return fault === undefined ? undefined : refuseField('/url', 'not_allowed', fault);
}
