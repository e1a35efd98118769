/** Bodies and answers of payments, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { idField, strict, timestampField } from '../wire/shapes.ts';

const URL_LENGTH_MAX = 2_000;

export const CheckoutBody = strict({
  success_url: Type.String({
    minLength: 1,
    maxLength: URL_LENGTH_MAX,
    description:
      'Where the person is led after paying. That they come there does not say that the money has come: the top-up does.',
  }),
  cancel_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: URL_LENGTH_MAX,
      description: 'Where the person is led who goes back without paying.',
    }),
  ),
});
export type OpenCheckout = Static<typeof CheckoutBody>;

export const CheckoutRecord = Type.Object(
  {
    top_up_id: idField('top_...'),
    url: Type.String({
      description: 'The page of the payment provider on which the top-up is paid. Anyone who has its address may pay.',
    }),
    expires_at: timestampField('When the page ends; ask for another one then.'),
  },
  { title: 'Checkout', description: 'A page on which a top-up is paid.' },
);
export type Checkout = Static<typeof CheckoutRecord>;

export const EventReceipt = Type.Object(
  { received: Type.Boolean({ description: 'That the event was taken, now or before.' }) },
  { title: 'PaymentEventReceipt' },
);
