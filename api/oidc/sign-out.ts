/**
 * Signing out at the OpenID provider, too (OpenID Connect RP-Initiated Logout): otherwise the next person at this
 * browser is signed in again with one click. The provider's token is stored for that in an encrypted cookie.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '#runtime/fault-error.ts';
import { SIGN_OUT_PURPOSE, type Sealer } from '#runtime/cryptography/sealed.ts';
import type { Log } from '#runtime/log.ts';
import type { Api } from '../wire/fastify.ts';
import type { OidcProvider } from './provider.ts';

export type SignOutDependencies = { sealer: Sealer; log: Log; oidc?: OidcProvider };

const COOKIE = 'marquee_oidc_out';
/** Sent to the addresses of this folder and to no other. */
const PATH = '/console/oidc';
/** A session ends after a day. */
const GOOD_S = 86_400;
/** Browsers keep cookies of 4096 bytes, with all that stands around the value. */
const VALUE_LENGTH_MAX = 3_800;

/** The `Set-Cookie` with the provider's token; undefined if it is too long for a cookie. */
export function rememberAccount(
  idToken: string,
  { sealer, isSecure }: { sealer: Sealer; isSecure: boolean },
): string | undefined {
  const value = sealer.seal(idToken, SIGN_OUT_PURPOSE).toString('base64url');
  return value.length > VALUE_LENGTH_MAX ? undefined : cookieOf(value, { isSecure, seconds: GOOD_S });
}

function cookieOf(value: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }): string {
  return `${COOKIE}=${value}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/**
 * Declares the address to which the console sends a browser whose session it has ended. It sends a browser back to the
 * sign-in page if the provider did not sign it in, if it does not come from the console's own pages, or while the
 * provider is offline.
 */
export function oidcSignOut(app: Api, { oidc, sealer, log }: SignOutDependencies): void {
  if (!oidc) return;
  app.get('/console/oidc/end', { config: { access: 'public' } }, async (request, untyped) => {
    // With the type provider of this app a reply has another type than the replies of Fastify's default one.
    const reply = untyped as unknown as FastifyReply;
    reply.header('cache-control', 'no-store');
    const idToken = isOwn(request) ? readAccount(request.headers.cookie, sealer) : undefined;
    if (idToken === undefined) return reply.redirect('/console', 302);
    reply.header('set-cookie', cookieOf('', { isSecure: false, seconds: 0 }));
    try {
      return await reply.redirect((await oidc.endUrl(idToken))?.href ?? '/console', 302);
    } catch (error) {
      log.warn({ err: error }, 'the OpenID provider does not answer');
      return reply.redirect('/console', 302);
    }
  });
}

/** A link from another site must not sign a person out of everything that the provider signs them in to. */
function isOwn(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin';
}

function readAccount(header: string | undefined, sealer: Sealer): string | undefined {
  const value = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(header ?? '')?.[1];
  if (value === undefined) return undefined;
  try {
    return sealer.open(Buffer.from(value, 'base64url'), SIGN_OUT_PURPOSE);
  } catch (error) {
    // made up, or of another key
    if (error instanceof Fault && error.code === 'sealed_with_another_key') return undefined;
    throw error;
  }
}
