/**
 * The key that somebody pasted, kept for this tab alone. The demo opens the console with one in the fragment of the
 * address, which no server ever sees; it is taken out of the address at once.
 */
const STORED = 'marquee-key';
const CLIENT = 'marquee-client';

/** The key of this tab, if it has one. */
export function storedKey(): string | undefined {
  const given = /^#key=(sk_\w+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    history.replaceState(null, '', location.pathname);
    storeKey(given);
  }
  return sessionStorage.getItem(STORED) ?? undefined;
}

export function storeKey(key: string | undefined): void {
  sessionStorage.removeItem(CLIENT);
  if (key === undefined) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, key);
}

/** The client that an agency acts on in this tab. */
export function storedClient(): string | undefined {
  return sessionStorage.getItem(CLIENT) ?? undefined;
}

export function storeClient(client: string | undefined): void {
  if (client === undefined) sessionStorage.removeItem(CLIENT);
  else sessionStorage.setItem(CLIENT, client);
}
