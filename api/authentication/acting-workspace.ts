/**
 * Which workspace a principal acts on: the one that X-Workspace-Id names, a client of an agency or a seat of the
 * session's person, or its own. And in which mode: X-Mode chooses it for a session, and confirms it for a key.
 */
import { parseId } from '#domain/id.ts';
import type { Resource } from '#domain/access/permission.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { ClientLookup } from './client-lookup.ts';
import type { Session } from './session-lookup.ts';
import { type RouteAccess, type Principal, principalOf } from './principal.ts';

type Header = string | string[] | undefined;
type NamedWorkspace = { header: Header; mode: Header; clients: ClientLookup; access: Exclude<RouteAccess, 'public'> };

/**
 * The principal with the workspace that X-Workspace-Id names. A workspace that is not the agency's is answered like one
 * that does not exist.
 */
export async function actOn(
  key: Principal,
  { header, mode, clients, access }: NamedWorkspace,
): Promise<Principal | Refusal> {
  const refusal = refuseOtherMode(key, mode);
  if (refusal) return refusal;
  if (key.session !== null) return actOnSeat(key, key.session, { header, clients, access });
  if (header === undefined) return key;
  if (key.surface !== 'agency')
    return refuse(
      'wrong_surface',
      'Only an agency key acts on other workspaces; send no X-Workspace-Id with this one.',
    );
  const named = typeof header === 'string' ? parseId('workspace', header) : undefined;
  const client = named === undefined ? undefined : await clients.find(key.home, named, key.sandbox);
  return client ? { ...key, ...client } : refuse('not_found', 'X-Workspace-Id names no workspace of this agency.');
}

/** A session has the mode of the header already, if the header names one. */
function refuseOtherMode({ sandbox }: Principal, header: Header): Refusal | undefined {
  const own = sandbox ? 'test' : 'live';
  if (header === undefined || header === own) return undefined;
  return header === 'live' || header === 'test'
    ? refuse('wrong_mode', `This is a ${own} key: send X-Mode: ${own}, or no X-Mode.`)
    : refuse('bad_mode', 'X-Mode must be live or test.');
}

/** Data that people may read about themselves without naming a workspace. */
const OF_PERSON: ReadonlySet<Resource> = new Set(['me', 'sessions']);

/**
 * The seat of a session's person in the workspace that X-Workspace-Id names, or else one in an agency whose client it
 * is. Without the header it is the only seat that there is: a write must not land in a workspace that nobody meant.
 */
async function actOnSeat(
  principal: Principal,
  session: Session,
  { header, clients, access }: Omit<NamedWorkspace, 'mode'>,
): Promise<Principal | Refusal> {
  const { seats } = session;
  const { sandbox } = principal;
  if (header === undefined) {
    if (seats.length === 1 || OF_PERSON.has(access.resource)) return principal;
    return refuse('workspace_required', 'You have several workspaces: name one by X-Workspace-Id.');
  }
  const named = typeof header === 'string' ? parseId('workspace', header) : undefined;
  if (named === undefined) return refuseWorkspace();
  const own = seats.find(seat => seat.home === named);
  if (own) return principalOf(session, own, sandbox);
  for (const seat of seats) {
    const client = seat.surface === 'agency' ? await clients.find(seat.home, named, sandbox) : undefined;
    if (client) return { ...principalOf(session, seat, sandbox), ...client };
  }
  return refuseWorkspace();
}

const refuseWorkspace = () => refuse('not_found', 'X-Workspace-Id names no workspace of yours.');
