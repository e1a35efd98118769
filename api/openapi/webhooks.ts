/** The `webhooks` of the OpenAPI document: the body that a receiver gets for each type of event. */
import { EVENT_TYPES } from '#domain/webhook.ts';
import { deliveryBody, EVENT_SHAPES, SIGNATURE_HEADERS } from '../webhooks/events.ts';
import { idOf } from './examples/names.ts';

export function describeWebhooks(): Record<string, unknown> {
  return Object.fromEntries(
    EVENT_TYPES.map(type => [
      type,
      {
        post: {
          operationId: `receive${type
            .split('.')
            .map(part => part[0]!.toUpperCase() + part.slice(1))
            .join('')}`,
          summary: `Receive ${type}`,
          description:
            'Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.',
          tags: ['Webhooks'],
          security: [],
          parameters: SIGNATURE_HEADERS.map(({ name, description }) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: deliveryBody(type),
                example: {
                  id: idOf('event', 77),
                  type,
                  created_at: '2037-09-04T19:12:31.000Z',
                  workspace_id: idOf('workspace', 9),
                  data: EVENT_SHAPES[type].sample,
                },
              },
            },
          },
          responses: { '2XX': { description: 'Taken.' } },
        },
      },
    ]),
  );
}
