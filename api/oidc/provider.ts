/**
 * The OpenID provider, by openid-client: where a browser is sent, and who came back. Codes are exchanged with PKCE, and
 * state and nonce are checked. The provider's addresses and keys are read when they are first needed, so that the API
 * starts while the provider is offline.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type IDToken,
} from 'openid-client';
import { isPlainAddress } from '#runtime/mail/mail-from.ts';

/** The state of a sign-in until the browser returns. */
export type Checks = { state: string; nonce: string; verifier: string };
/** The person signed in by the provider. `email` is present only if the provider has verified it. */
export type Account = {
  issuer: string;
  subject: string;
  email: string | undefined;
  name: string;
  /** The provider's own token, which identifies its session with this browser. */
  idToken: string;
};

export type OidcProvider = {
  /** The address for the browser, and what to remember of it. @throws while the provider is offline */
  begin(): Promise<{ url: URL; checks: Checks }>;
  /** The person of this callback query. @throws if anything does not match, or the provider is offline */
  finish(query: URLSearchParams, checks: Checks): Promise<Account>;
  /**
   * The address at which the browser signs out there, too; undefined for a provider without such a page.
   * @throws while it is offline
   */
  endUrl(idToken: string): Promise<URL | undefined>;
};

export type OidcOptions = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The callback address for browsers. */
  redirectUri: string;
  /** The address for browsers after a sign-out. */
  signedOutUri: string;
};

/** A provider that answers more slowly counts as offline. */
const ANSWER_S_MAX = 10;
const SCOPE = 'openid email profile';
/** The maximum length of a person's name. */
const NAME_LENGTH_MAX = 200;
/** As bodies take addresses of people. */
const EMAIL_LENGTH_MAX = 320;
/** OpenID Connect Core, section 2: at most 255 characters of ASCII. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

export function createOidcProvider(options: OidcOptions): OidcProvider {
  const { clientId, clientSecret, redirectUri, signedOutUri } = options;
  const server = new URL(options.issuer);
  // Only a provider on this machine may be without TLS, for tests: the configuration refuses any other.
  const execute = server.protocol === 'http:' ? [allowInsecureRequests] : [];
  let known: Promise<Configuration> | undefined;
  const configuration = async (): Promise<Configuration> => {
    // `Basic` is the default client authentication (OpenID Connect Core, section 9).
    known ??= discovery(server, clientId, undefined, ClientSecretBasic(clientSecret), {
      execute,
      timeout: ANSWER_S_MAX,
    });
    try {
      return await known;
    } catch (error) {
      known = undefined; // the next sign-in retries
      throw error;
    }
  };
  return {
    async begin() {
      const config = await configuration();
      const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { url, checks };
    },
    async finish(query, { state, nonce, verifier }) {
      const config = await configuration();
      // Our own address, whatever a proxy in front has made of it.
      const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query.toString()}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!; // an ID token was expected
      const asked = claims['email'] === undefined ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
      return accountOf(tokens.id_token!, { ...claims, ...asked });
    },
    async endUrl(idToken) {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: signedOutUri });
    },
  };
}

/** @throws if the provider's text is longer than OpenID Connect allows */
function accountOf(idToken: string, claims: IDToken): Account {
  const { iss, sub, email, email_verified: isVerified, name } = claims;
  if (!SUBJECT.test(sub)) throw new Error('the subject is not of 1 to 255 printable characters of ASCII');
  return {
    issuer: iss,
    subject: sub,
    idToken,
    email: typeof email === 'string' && isVerified === true && isStorable(email) ? email : undefined,
    name: typeof name === 'string' ? nameInOneLine(name) : '',
  };
}

function isStorable(email: string): boolean {
  return isPlainAddress(email) && !/\p{Cc}/u.test(email) && [...email].length <= EMAIL_LENGTH_MAX;
}

/** Without characters forbidden in names: control characters, line separators, lone surrogates. */
function nameInOneLine(name: string): string {
  const plain = name.replaceAll(/[\p{Cs}\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...plain].slice(0, NAME_LENGTH_MAX).join('').trim();
}
