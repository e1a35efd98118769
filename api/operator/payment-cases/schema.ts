/** Queries, bodies and answers of payment cases, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { CASE_KINDS, CASE_STATES } from '#sql/payments/cases.ts';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import {
  countField,
  idField,
  moneyField,
  noteField,
  oneOrMore,
  orNull,
  ownerField,
  strict,
  timestampField,
} from '../../wire/shapes.ts';

export const PaymentCasesQuery = strict({
  ...pageQuery(BY_CREATION),
  status: oneOrMore(CASE_STATES, 'Only cases of this status.'),
  count: countField,
});

export const PaymentCase = Type.Object(
  {
    id: idField('pmc_...'),
    kind: Type.Enum([...CASE_KINDS], {
      description:
        '`refund`, `dispute`: money that a wallet may lose. `dispute_won`, `refund_failed`: money that came back. `mismatch`, `not_pending`: a payment that fits no top-up.',
    }),
    status: Type.Enum([...CASE_STATES], {
      description:
        '`waiting` for its payment; `open` until a person decides; `booked`: taken from the wallet; `closed` without a debit.',
    }),
    workspace: orNull(ownerField, 'Whose payment it is; null: unknown.'),
    top_up_id: orNull(Type.String(), 'The top-up that was paid, top_...; null: unknown.'),
    amount: moneyField('What it is about.'),
    object: Type.String({ description: 'Id of the refund, dispute or payment page at the provider.' }),
    payment: orNull(Type.String(), 'Id of the payment at the provider; null: none.'),
    note: orNull(Type.String(), 'Why it was closed; null without a note.'),
    created_at: timestampField('When it was reported.'),
    ended_at: orNull(timestampField('When it was booked or closed.'), 'When it was booked or closed; null until then.'),
  },
  { title: 'PaymentCase', description: 'A payment that needs attention.' },
);
export type PaymentCase = Static<typeof PaymentCase>;

export const CloseCaseBody = strict({ note: noteField('Why nothing is taken from the wallet.') });

export const EndedCase = Type.Object(
  { id: idField('pmc_...'), status: Type.Enum(['booked', 'closed'], { description: 'What it is now.' }) },
  { title: 'EndedCase' },
);
export type EndedCase = Static<typeof EndedCase>;

const UnreadableEvent = Type.Object(
  {
    id: Type.String({ description: 'Id at the provider; `sha256:...` of its body if it has none that could be read.' }),
    type: orNull(Type.String(), 'Type at the provider; null: it could not be read either.'),
    reason: Type.Enum(['unknown_event', 'unknown_object'], {
      description: 'What had a form that this version does not know: the event itself, or the object that it is about.',
    }),
    received_at: timestampField('When it came.'),
  },
  { title: 'UnreadableEvent' },
);
export type UnreadableEvent = Static<typeof UnreadableEvent>;

export const UnreadableEvents = Type.Object(
  { events: Type.Array(UnreadableEvent, { description: 'The newest first; at most 200. Each is kept for 90 days.' }) },
  { title: 'UnreadableEvents', description: 'Signed events of the payment provider that had no effect here.' },
);
