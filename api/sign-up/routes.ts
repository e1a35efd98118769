/** The route of sign-up, which takes no key: a workspace that waits for the operator, with its owner and a key. */
import { refuseCurrency } from '#domain/money/money.ts';
import { isRefusal, refuse } from '#domain/refusal.ts';
import type { SignUpKind } from '#domain/access/workspace.ts';
import { signUp } from '#sql/workspaces/sign-up.ts';
import { addressActor } from '../authentication/caller.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { acceptedRecord } from '../invitations/record.ts';
import { AcceptedInvitation } from '../invitations/schema.ts';
import type { GuessLimit } from '../rate-limit/guess-limit.ts';
import { SignUpBody } from './schema.ts';

type Dependencies = CallDependencies & { signUpKinds?: ReadonlySet<SignUpKind>; signUpTries: GuessLimit };
const route = routeFor<Dependencies>();

export const signUpRoutes = [
  route({
    method: 'POST',
    path: '/sign-up',
    access: 'public',
    refusals: ['sign_up_closed', 'rate_limited'],
    operationId: 'signUp',
    summary: "Make a workspace of one's own, where the operator opens it",
    description:
      'The workspace is `in_review`, without money, until the operator approves it; the person is its owner. The key is shown in this answer only.',
    body: SignUpBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ signUpTries }) => signUpTries,
    response: { 201: AcceptedInvitation },
    async handle({ body: { kind, workspace_name, currency, email, name = '' }, request }, { sql, signUpKinds, now }) {
      if (signUpKinds?.has(kind) !== true)
        return refuse(
          'sign_up_closed',
          `The operator has not opened sign-up for a ${kind}. Ask for a workspace or an invitation.`,
        );
      const refusal = refuseCurrency(currency);
      if (refusal) return refusal;
      const call = { actor: addressActor(request, 'system'), now: new Date(now()) };
      const owner = { email, name: name.trim() };
      const made = await signUp(sql, call, { kind, name: workspace_name.trim(), currency, owner });
      return isRefusal(made) ? made : acceptedRecord(made);
    },
  }),
];
