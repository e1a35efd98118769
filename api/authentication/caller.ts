/**
 * The caller as stores know it: the workspace and book of the records, and the actor that the audit names, with where
 * the request came from.
 */
import type { Handle } from '#domain/id.ts';
import type { Surface } from '#domain/access/permission.ts';
import type { Once } from '#books/once.ts';
import type { Actor } from '#books/unit-of-work.ts';
import type { Principal } from './principal.ts';

const USER_AGENT_LENGTH_MAX = 512;

/**
 * The caller for a store: the workspace and book of the records, the surface, the actor for the audit, and, for a call
 * with an Idempotency-Key, how its effect happens once. A store passes it to its unit of work as a whole.
 */
export type Caller = {
  workspace: Handle<'workspace'>;
  currency: string;
  sandbox: boolean;
  surface: Surface;
  actor: Actor;
  once?: Once;
};

/**
 * The caller of an authenticated request.
 *
 * @throws when the route is public: its author forgot the access
 */
export function callerOf(request: {
  principal: Principal | null;
  once: Once | null;
  isAudited: boolean;
  ip: string;
  headers: Record<string, unknown>;
}): Caller {
  const { principal, once } = request;
  if (!principal) throw new Error('a public route has no caller');
  const { workspace, currency, sandbox, surface, user, email } = principal;
  const actor: Actor = {
    type: 'user',
    source: 'API',
    handle: user,
    email,
    sandbox,
    ...originOf(request),
    onAudited() {
      request.isAudited = true;
    },
  };
  return { workspace, currency, sandbox, surface, actor, ...(once && { once }) };
}

/** The actor of a request without a key: a device that confirms a pairing, or a caller with a signed address. */
export function addressActor(
  request: { ip: string; headers: Record<string, unknown> },
  type: 'device' | 'system' | 'user',
): Actor {
  return { type, source: type === 'device' ? 'DEVICE' : 'API', ...originOf(request) };
}

/** The address and client of a request, for the audit and the call log. */
export function originOf({ ip, headers }: { ip: string; headers: Record<string, unknown> }): {
  ip: string;
  userAgent?: string;
} {
  const userAgent = headers['user-agent'];
  return { ip, ...(typeof userAgent === 'string' && { userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX) }) };
}
