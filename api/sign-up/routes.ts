import { currencyDecimals } from '#domain/money/money.ts';
import { refuse, refuseField } from '#domain/refusal.ts';
import { addressActor } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { answer } from '../http/reply.ts';
import { guardGuesses } from '../rate-limit/guess-limit.ts';
import { AcceptedInvitation } from '../invitations/schema.ts';
import { SignUpBody } from './schema.ts';
import { signUp } from './store.ts';

export function signUpRoutes(app: Api, { sql, signUpTries, signUpKinds, now }: RouteDependencies): void {
  app.post(
    '/sign-up',
    {
      bodyLimit: KEYLESS_BYTES_MAX,
      ...guardGuesses(signUpTries),
      config: { access: 'public', refusals: ['sign_up_closed', 'rate_limited'] },
      schema: {
        operationId: 'signUp',
        summary: "Make a workspace of one's own, where the operator opens it",
        tags: ['Users'],
        body: SignUpBody,
        response: { 201: AcceptedInvitation },
        description:
          'The workspace is `in_review`, without money, until the operator approves it; the person is its owner. The key is shown in this answer only.',
      },
    },
    async (request, reply) => {
      const { kind, currency } = request.body;
      if (signUpKinds?.has(kind) !== true)
        return answer(
          reply,
          201,
          refuse(
            'sign_up_closed',
            `The operator has not opened sign-up for a ${kind}. Ask for a workspace or an invitation.`,
          ),
        );
      if (currencyDecimals(currency) === undefined)
        return answer(
          reply,
          201,
          refuseField('/currency', 'unknown_currency', 'must be a currency code of ISO 4217, such as EUR'),
        );
      return answer(
        reply,
        201,
        await signUp(sql, { fields: request.body, actor: addressActor(request, 'system'), now: now() }),
      );
    },
  );
}
