/** Bodies, queries and answers of webhooks, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { ATTEMPT_OFFSETS_MS, CLIENT_ERRORS_MAX, EVENT_TYPES, WEBHOOK_STATES } from '#domain/webhook.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import { strict, timestampField } from '../wire/shapes.ts';

const URL_LENGTH_MAX = 2_048;
const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

const urlField = Type.String({
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  description: 'HTTPS address of the receiver, public, on port 443 or 8443.',
});
const eventsField = Type.Array(Type.Enum([...EVENT_TYPES], { description: 'An event type.' }), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description: 'Event types to send: those of resources that the surface of the key reaches.',
});

export const CreateWebhookBody = strict({ url: urlField, events: eventsField });
export const ChangeWebhookBody = strict(
  {
    url: Type.Optional(urlField),
    events: Type.Optional(eventsField),
    status: Type.Optional(
      Type.Enum([...WEBHOOK_STATES], {
        description: '`active` enables again and forgets the failures; `disabled` gives up what still waits.',
      }),
    ),
  },
  { minProperties: 1 },
);

const nullable = (description: string) => Type.Union([timestampField(description), Type.Null()], { description });
const fields = {
  id: Type.String({ description: 'whk_...' }),
  url: Type.String({ description: 'Address of the receiver.' }),
  events: Type.Array(Type.String({ description: 'An event type.' }), { description: 'Event types that are sent.' }),
  status: Type.Enum([...WEBHOOK_STATES], {
    description: `\`disabled\` by a caller, or after ${CLIENT_ERRORS_MAX} attempts in a row that were answered 4xx.`,
  }),
  disabled_at: nullable('When it was disabled; null while it is active.'),
  disabled_reason: Type.Union([Type.Enum(['requested', 'client_errors'], { description: 'Why.' }), Type.Null()], {
    description: '`requested` by a caller, or `client_errors`; null while it is active.',
  }),
  client_errors: Type.Integer({ description: 'Attempts in a row that were answered 4xx.' }),
  previous_secret_expires_at: nullable(
    'Until when the secret before the last rotation signs as well; null when there is none.',
  ),
  created_at: timestampField('When it was made.'),
};

export const WebhookRecord = Type.Object(fields, { title: 'Webhook' });
export const WebhookWithSecret = Type.Object(
  { ...fields, secret: Type.String({ description: 'whsec_...: the key of the signatures. It is shown here only.' }) },
  { title: 'WebhookWithSecret' },
);

export const SimulateBody = strict({
  type: Type.Enum([...EVENT_TYPES], {
    description: 'Type of the event whose sample is sent; one that the surface of the webhook reaches.',
  }),
});

export const deliveryParams = Type.Object({
  id: Type.String({ description: 'Id of the webhook.' }),
  delivery_id: Type.String({ description: 'Id of the delivery.' }),
});

export const ListDeliveriesQuery = strict({
  ...pageQuery(BY_CREATION),
  status: Type.Optional(Type.Enum([...DELIVERY_STATES], { description: 'Only deliveries of this status.' })),
});

export const DeliveryRecord = Type.Object(
  {
    id: Type.String({ description: 'whd_...' }),
    event: Type.Object(
      {
        id: Type.String({ description: 'evt_...: the same in every attempt and redelivery.' }),
        type: Type.String({ description: 'Type of the event.' }),
      },
      { description: 'What is delivered.' },
    ),
    status: Type.Enum([...DELIVERY_STATES], {
      description: '`pending` until an attempt is answered 2xx, or the last one has failed.',
    }),
    failure: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it was given up: `attempts_used_up`, `endpoint_disabled` or `endpoint_deleted`.',
    }),
    attempts: Type.Array(
      Type.Object(
        {
          at: timestampField('When it was sent.'),
          status: Type.Union([Type.Integer(), Type.Null()], {
            description: 'HTTP status of the answer; null without one.',
          }),
          error: Type.Union([Type.String(), Type.Null()], {
            description: 'Why there was no answer, such as `timeout`, `connection_failed` or `address_forbidden`.',
          }),
          duration_ms: Type.Integer({ description: 'Time of the exchange in milliseconds.' }),
        },
        { description: 'One attempt.' },
      ),
      { description: `Every attempt, the first one first; ${ATTEMPT_OFFSETS_MS.length} at most.` },
    ),
    next_attempt_at: nullable('When it is tried next; null when it is not, or when the first attempt is due now.'),
    created_at: timestampField('When it was put in line.'),
  },
  { title: 'WebhookDelivery' },
);

export type Webhook = Static<typeof WebhookRecord>;
export type WebhookDelivery = Static<typeof DeliveryRecord>;
