/**
 * What is remembered between a browser that leaves for the provider and the same browser that comes back: in a cookie
 * of its own, sealed, so that nobody reads or changes it, and good for ten minutes. A browser that did not leave from
 * here has none: nobody is signed in as somebody else by a link.
 */
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { Fault } from '#runtime/fault-error.ts';
import { SIGN_IN_PURPOSE, type Sealer } from '#runtime/cryptography/sealed.ts';
import type { Checks } from './provider.ts';

/** `linkTo`: the session in which a user asked to have their account linked; absent: a user signs in. */
export type PendingSignIn = { checks: Checks; linkTo?: Handle<'session'> | undefined };

const COOKIE = 'marquee_oidc';
/** Sent to the two addresses of this folder and to no other. */
const PATH = '/console/oidc';
const GOOD_S = 600;

type Sealing = { sealer: Sealer; isSecure: boolean; now: Milliseconds };

/** The `Set-Cookie` that remembers it. `Lax`, since the provider leads the browser back from another site. */
export function rememberSignIn(pending: PendingSignIn, { sealer, isSecure, now }: Sealing): string {
  const text = JSON.stringify({ ...pending, endsAt: now + GOOD_S * 1_000 });
  return cookieOf(sealer.seal(text, SIGN_IN_PURPOSE).toString('base64url'), { isSecure, seconds: GOOD_S });
}

/** The `Set-Cookie` that forgets it: each is good once. */
export function forgetSignIn(isSecure: boolean): string {
  return cookieOf('', { isSecure, seconds: 0 });
}

function cookieOf(value: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }): string {
  return `${COOKIE}=${value}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** The stored state of the browser; undefined if it did not start here, or too long ago. */
export function readSignIn(
  header: string | undefined,
  { sealer, now }: Pick<Sealing, 'sealer' | 'now'>,
): PendingSignIn | undefined {
  const value = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(header ?? '')?.[1];
  if (value === undefined) return undefined;
  try {
    // Sealed by us, so it is what we wrote.
    const { endsAt, ...pending } = JSON.parse(
      sealer.open(Buffer.from(value, 'base64url'), SIGN_IN_PURPOSE),
    ) as PendingSignIn & { endsAt: Milliseconds };
    return endsAt > now ? pending : undefined;
  } catch (error) {
    // made up, or of another key
    if (error instanceof Fault && error.code === 'sealed_with_another_key') return undefined;
    throw error;
  }
}
