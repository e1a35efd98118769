/**
 * The data of each event: its schema for the reference, and a sample for the simulator. `object` is the record as it is
 * now, `previous` has the earlier values of the fields that the event changed.
 */
import { Type, type TSchema } from 'typebox';
import { exampleId } from '#domain/id.ts';
import type { EventType } from '#domain/webhook.ts';
import { AuditEntryRecord } from '../audit/schema.ts';
import { ScanRecord } from '../reporting/schema/scans.ts';
import { timestampField } from '../wire/shapes.ts';

type Sample = { object: Record<string, unknown>; previous?: Record<string, unknown> };
type EventShape = { object: TSchema; previous?: TSchema; sample: Sample };

const text = (description: string) => Type.String({ description });
const rejection = Type.Optional(
  Type.Object(
    { code: text('What is wrong, in snake case.'), detail: text('The same for people.') },
    { description: 'Why it was rejected.' },
  ),
);
const Before = Type.Object(
  { status: text('Status before.') },
  { description: 'What this event changed, as it was before.' },
);

const CHANGED = 'If one `PATCH` changed the status and other fields, those are here too, named as in the audit log';
const BeforeOfCampaign = Type.Object(
  { status: text('Status before.') },
  { additionalProperties: true, description: `What this event changed, as it was before. ${CHANGED}.` },
);

const Campaign = Type.Object(
  {
    id: text('cmp_...'),
    name: text('Name of the campaign.'),
    status: text('Status after the event.'),
    rejection,
    reason: Type.Optional(text('Why it is finished: `schedule_ended` or `budget_spent`.')),
  },
  { additionalProperties: true, description: `The campaign after the event. ${CHANGED}.` },
);
const Creative = Type.Object({
  id: text('cre_...'),
  name: text('Name of the creative.'),
  orientation: text('`landscape` or `portrait`.'),
  duration_ms: Type.Integer({ description: 'Milliseconds.' }),
  status: text('Status after the event.'),
  rejection,
});
const Screen = Type.Object({
  id: text('scr_...'),
  venue_id: text('ven_...'),
  label: text('Label of the screen.'),
  status: Type.Optional(text('`online` or `offline`, of these two events.')),
  last_seen_at: Type.Optional(timestampField('When it was last heard of, of `screen.online` and `screen.offline`.')),
});
const PayoutAmount = (description: string) =>
  Type.Object(
    { value: Type.Number({ description: 'Decimal amount.' }), currency: text('Currency code.') },
    { description },
  );
const Payout = Type.Object({
  id: text('pay_...'),
  status: text('`issued`, `paid` or `failed`.'),
  amount: PayoutAmount('What was withdrawn.'),
  paid_out: Type.Optional(PayoutAmount('What is sent, less the fee; of `payout.issued`.')),
});
const InvoiceTotal = Type.Object(
  {
    amount: Type.Number({ description: 'Decimal amount; below zero of a credit note.' }),
    currency: text('Currency code.'),
  },
  { description: 'What is to be paid, or was credited.' },
);
const Invoice = Type.Object({
  id: text('inv_...'),
  number: text('Number of the invoice.'),
  kind: Type.Optional(text('`invoice` or `credit_note`; of `invoice.issued`.')),
  period: Type.Optional(text('YYYY-MM; of `invoice.issued`.')),
  status: text('`issued` or `paid`.'),
  issued_at: Type.Optional(timestampField('When it was issued, in a sandbox by its clock; of `invoice.issued`.')),
  total: InvoiceTotal,
});

const campaign = { id: exampleId('campaign', 42), name: 'Autumn' };
const creative = { id: exampleId('creative', 7), name: 'Autumn spot', orientation: 'landscape', duration_ms: 10_000 };
const screen = { id: exampleId('screen', 11), venue_id: exampleId('venue', 3), label: 'Behind the bar' };
const payout = { id: exampleId('payout', 5), amount: { value: 250, currency: 'EUR' } };
const invoice = { id: exampleId('invoice', 4), number: '2037-000004', total: { amount: 812.5, currency: 'EUR' } };
const AT = '2037-09-04T19:12:31.000Z';

const ofCampaign = (status: string, before?: string, more: object = {}): EventShape => ({
  object: Campaign,
  ...(before !== undefined && { previous: BeforeOfCampaign }),
  sample: { object: { ...campaign, status, ...more }, ...(before !== undefined && { previous: { status: before } }) },
});
const ofCreative = (status: string, before?: string, more: object = {}): EventShape => ({
  object: Creative,
  ...(before !== undefined && { previous: Before }),
  sample: { object: { ...creative, status, ...more }, ...(before !== undefined && { previous: { status: before } }) },
});
const ofScreen = (more: object = {}): EventShape => ({ object: Screen, sample: { object: { ...screen, ...more } } });
const ofPayout = (status: string, before?: string, more: object = {}): EventShape => ({
  object: Payout,
  ...(before !== undefined && { previous: Before }),
  sample: { object: { ...payout, status, ...more }, ...(before !== undefined && { previous: { status: before } }) },
});

export const EVENT_SHAPES: Readonly<Record<EventType, EventShape>> = {
  'campaign.created': ofCampaign('pending_review'),
  'campaign.approved': ofCampaign('live', 'pending_review'),
  'campaign.paused': {
    object: Campaign,
    previous: BeforeOfCampaign,
    sample: {
      object: { ...campaign, budget: { amount: 400, currency: 'EUR' }, status: 'paused' },
      previous: { budget: { amount: 500, currency: 'EUR' }, status: 'live' },
    },
  },
  'campaign.resumed': ofCampaign('live', 'paused'),
  'campaign.finished': ofCampaign('finished', 'live', { reason: 'budget_spent' }),
  'campaign.rejected': ofCampaign('rejected', 'pending_review', {
    rejection: { code: 'misleading', detail: 'The claim cannot be checked.' },
  }),
  'creative.uploaded': ofCreative('awaiting_upload'),
  'creative.ready': ofCreative('ready', 'awaiting_upload'),
  'creative.rejected': ofCreative('rejected', 'awaiting_upload', {
    rejection: { code: 'corrupted', detail: 'The file cannot be decoded to its end.' },
  }),
  'screen.paired': ofScreen(),
  'screen.online': ofScreen({ status: 'online', last_seen_at: AT }),
  'screen.offline': ofScreen({ status: 'offline', last_seen_at: AT }),
  'screen.unpaired': ofScreen(),
  'scan.recorded': {
    object: ScanRecord,
    sample: {
      object: {
        id: 'scan_7Kx2mQ',
        at: AT,
        campaign_id: campaign.id,
        creative_id: creative.id,
        screen_id: screen.id,
        venue_id: screen.venue_id,
        daypart: 'evening',
        slot_at: '2037-09-04T19:12:00.000Z',
      },
    },
  },
  'payout.issued': ofPayout('issued', undefined, { paid_out: payout.amount }),
  'payout.paid': ofPayout('paid', 'issued'),
  'payout.failed': ofPayout('failed', 'issued'),
  'invoice.issued': {
    object: Invoice,
    sample: {
      object: {
        ...invoice,
        kind: 'invoice',
        period: '2037-08',
        status: 'issued',
        issued_at: '2037-09-01T00:00:41.000Z',
      },
    },
  },
  'invoice.paid': {
    object: Invoice,
    previous: Before,
    sample: { object: { ...invoice, status: 'paid' }, previous: { status: 'issued' } },
  },
  'audit.entry.created': {
    object: AuditEntryRecord,
    sample: {
      object: {
        id: exampleId('audit', 812),
        at: AT,
        actor: { type: 'user', id: exampleId('user', 6), email: 'owner@example.com' },
        action: 'campaign.paused',
        entity: { type: 'campaign', id: campaign.id },
        source: 'API',
        ip: '203.0.113.9',
        user_agent: 'my-planner/2.4.0',
        diff: { status: { from: 'live', to: 'paused' } },
      },
    },
  },
};

/** The body of a delivery, by the type of its event. */
export function deliveryBody(type: EventType): TSchema {
  const { object, previous } = EVENT_SHAPES[type];
  return Type.Object({
    id: text('evt_...: the same in every attempt; receivers take an event once by it.'),
    type: Type.Literal(type, { description: 'Type of the event.' }),
    created_at: timestampField('When it happened.'),
    workspace_id: text('The workspace that it happened in, ws_...'),
    data: Type.Object(
      {
        object,
        ...(previous && { previous }),
        simulated: Type.Optional(Type.Boolean({ description: 'True for a sample that `simulate` sent; else absent.' })),
        truncated: Type.Optional(
          Type.Boolean({
            description:
              'True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API.',
          }),
        ),
      },
      { description: 'What happened.' },
    ),
  });
}

export const SIGNATURE_HEADERS = [
  {
    name: 'X-Service-Signature',
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away.',
  },
  { name: 'webhook-id', description: 'Id of the event (Standard Webhooks).' },
  { name: 'webhook-timestamp', description: 'Unix seconds (Standard Webhooks).' },
  {
    name: 'webhook-signature',
    description:
      '`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks).',
  },
] as const;
