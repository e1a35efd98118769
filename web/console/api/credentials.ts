/**
 * The credential of the console's calls: the cookie of a session, which no program in the page can read, or a pasted
 * key, which is kept for this tab alone. Beside it: in which workspace and mode this tab works.
 */
import type { Credential } from './api.ts';
import type { Mode } from './session.ts';

const KEY = 'marquee-key';
const WORKSPACE = 'marquee-workspace';
const CLIENT = 'marquee-client';
const MODE = 'marquee-mode';

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

/**
 * The current workspace of a person with several, the client that an agency acts on, and whether the person is in the
 * sandbox.
 */
export type Place = { workspace?: string | undefined; client?: string | undefined; mode?: Mode | undefined };

/** The place of this tab; a new tab begins in the workspace that was chosen last, in live. */
export function storedPlace(): Place {
  return {
    workspace: sessionStorage.getItem(WORKSPACE) ?? localStorage.getItem(WORKSPACE) ?? undefined,
    client: sessionStorage.getItem(CLIENT) ?? undefined,
    mode: sessionStorage.getItem(MODE) === 'test' ? 'test' : undefined,
  };
}

export function storePlace({ workspace, client, mode }: Place): void {
  keep(sessionStorage, WORKSPACE, workspace);
  keep(localStorage, WORKSPACE, workspace);
  keep(sessionStorage, CLIENT, client);
  keep(sessionStorage, MODE, mode);
}

function keep(storage: Storage, name: string, value: string | undefined): void {
  if (value === undefined) storage.removeItem(name);
  else storage.setItem(name, value);
}
