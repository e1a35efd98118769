/**
 * The cookie of a session. No program in a page can read it (`HttpOnly`), and calls that another site causes do not
 * carry it, except when a person follows a link (`SameSite=Lax`). Behind TLS it is never sent without (`Secure`).
 */
export const SESSION_COOKIE = 'marquee_session';

/** The token in a `Cookie` header, or undefined. */
export function sessionTokenOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === SESSION_COOKIE && value !== undefined && value !== '') return value;
  }
  return undefined;
}

type CookieOptions = { isSecure: boolean; seconds: number };

/** A `Set-Cookie` that signs a browser in for a time; with an empty token and 0 seconds it signs out. */
export function sessionCookie(token: string, { isSecure, seconds }: CookieOptions): string {
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
