/**
 * The credential of the console's calls: the cookie of a session, which no program in the page can read, or a pasted
 * key, which is kept for this tab alone. Beside it: in which workspace this tab works.
 */
import type { Credential } from './api.ts';

const KEY = 'marquee-key';
const WORKSPACE = 'marquee-workspace';
const CLIENT = 'marquee-client';

/**
 * The key of this tab where it has one, else the session. A key in the fragment, which no server sees, is taken out of
 * it.
 */
export function storedCredential(): Credential {
  const given = /^#key=(sk_\w+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    history.replaceState(null, '', location.pathname);
    storeCredential({ key: given });
  }
  const key = sessionStorage.getItem(KEY) ?? undefined;
  return key === undefined ? {} : { key };
}

export function storeCredential({ key }: Credential): void {
  sessionStorage.removeItem(CLIENT);
  if (key === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
}

/** The current workspace of a person with several, and the client that an agency acts on. */
export type Place = { workspace?: string | undefined; client?: string | undefined };

/** The place of this tab; a new tab begins in the workspace that was chosen last. */
export function storedPlace(): Place {
  return {
    workspace: sessionStorage.getItem(WORKSPACE) ?? localStorage.getItem(WORKSPACE) ?? undefined,
    client: sessionStorage.getItem(CLIENT) ?? undefined,
  };
}

export function storePlace({ workspace, client }: Place): void {
  keep(sessionStorage, WORKSPACE, workspace);
  keep(localStorage, WORKSPACE, workspace);
  keep(sessionStorage, CLIENT, client);
}

function keep(storage: Storage, name: string, value: string | undefined): void {
  if (value === undefined) storage.removeItem(name);
  else storage.setItem(name, value);
}
