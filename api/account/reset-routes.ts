/**
 * The routes for people who have forgotten their password. They take no key. Whether an address exists shows neither in
 * the answer nor in its time.
 */
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { findResetAddress, useResetLink } from '#sql/people/password-resets.ts';
import { addressActor } from '../authentication/caller.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { routeFor, type CallDependencies, type PublicCall } from '../http/route.ts';
import { giveBackGuess, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { refuseWeak, type Passwords } from '../sessions/password.ts';
import { sendResetMail, type ResetMailDependencies } from './reset-mail.ts';
import { RequestResetBody, UseResetBody, type UseReset } from './schema.ts';

type Dependencies = CallDependencies &
  ResetMailDependencies & { forgetKey: (hash?: string) => void; passwords: Passwords; signInTries: GuessLimit };
const route = routeFor<Dependencies>();

export const resetRoutes = [
  route({
    method: 'POST',
    path: '/password-resets',
    access: 'public',
    refusals: ['rate_limited'],
    operationId: 'requestPasswordReset',
    summary: 'Ask for a link to a new password by mail',
    description:
      'The answer is the same whether somebody signs in with the address or not. A link works once, for an hour. An address gets three mails an hour. Without a mail server nothing is sent: `reset_by_mail` of `GET /v1/sessions/options` is false.',
    body: RequestResetBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ signInTries }) => signInTries,
    handle({ body: { email, language = 'en' }, request }, dependencies) {
      sendResetMail(dependencies, { email, language, actor: addressActor(request, 'system') });
      return undefined;
    },
  }),

  route({
    method: 'POST',
    path: '/password-resets/use',
    access: 'public',
    refusals: ['not_found', 'link_expired', 'rate_limited'],
    operationId: 'usePasswordReset',
    summary: 'Set a new password by a link',
    description:
      'All sessions of the person end. Nobody is signed in: `POST /v1/sessions` with the new password asks for the second factor, if there is one.',
    body: UseResetBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ signInTries }) => signInTries,
    handle: resetPassword,
  }),
];

async function resetPassword(
  { body: { token, password }, request }: PublicCall<UseReset>,
  { sql, passwords, forgetKey, now }: Dependencies,
): Promise<Refusal | undefined> {
  const email = await findResetAddress(sql, { token, now: new Date(now()) });
  if (isRefusal(email)) return email;
  const weak = refuseWeak(password, email);
  if (weak) return weak;
  const passwordHash = await passwords.hash(password);
  if (isRefusal(passwordHash)) return passwordHash;
  const actor = addressActor(request, 'system');
  const ended = await useResetLink(sql, { actor, now: new Date(now()) }, { token, passwordHash });
  if (isRefusal(ended)) return ended;
  for (const hash of ended) forgetKey(hash);
  await giveBackGuess(request);
  return undefined;
}
