/**
 * Who a call is made as: the person, the workspace and the permissions behind a key or a session, and what a route
 * declares that they need.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Handle } from '#domain/id.ts';
import type { KeyMode } from '#domain/access/key.ts';
import type { Access as KeyAccess, Resource, Role, Surface, Verb } from '#domain/access/permission.ts';
import type { WorkspaceStatus } from '#domain/access/workspace.ts';
import type { CallerName } from '../rate-limit/limiter.ts';
import type { SessionSeat } from '#sql/people/seats.ts';
import type { Session } from './session-lookup.ts';

/** The limits of a key without raised limits. */
const SESSION_LIMITS = { perMinuteMax: 600, perSecondMax: 200 };

/** What a route declares: open to everyone, or the row of the permission table that it needs. */
export type RouteAccess = 'public' | { resource: Resource; verb: Verb };

/**
 * An identified key or session. `home` is the key's workspace, `workspace` the one that it acts on; they differ only
 * for an agency that sends X-Workspace-Id.
 */
export type Principal = {
  /** Null for a session. */
  key: Handle<'key'> | null;
  /** Null for a key. */
  session: Session | null;
  caller: CallerName;
  home: Handle<'workspace'>;
  workspace: Handle<'workspace'>;
  currency: string;
  user: Handle<'user'>;
  person: Handle<'person'>;
  email: string;
  role: Role;
  surface: Surface;
  access: KeyAccess;
  sandbox: boolean;
  perMinuteMax: number;
  perSecondMax: number;
  expiresAt: Milliseconds;
  revokedAt: Milliseconds | undefined;
  isRevoked: boolean;
  hasLeft: boolean;
  /** The status of the key's workspace. */
  status: WorkspaceStatus;
  /** Whether `workspace` is a client that its agency has archived. */
  isArchived: boolean;
  /** The user who made the key for its person, and who may be the caller; null for one's own key. */
  madeBy: Handle<'user'> | null;
  /** For how many years the audit of `workspace` is retained. */
  auditYears: number;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Keys of the other mode are refused; absent: both modes may call, each on its own records. */
    mode?: KeyMode;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** The person of a session, on the seat that a call acts on, in live or in the sandbox. */
export function principalOf(session: Session, seat: SessionSeat, sandbox: boolean): Principal {
  return {
    ...seat,
    ...SESSION_LIMITS,
    key: null,
    session,
    caller: `p${session.person}`,
    person: session.person,
    access: 'read_write',
    sandbox,
    expiresAt: session.endsAt,
    revokedAt: undefined,
    isRevoked: false,
    hasLeft: false,
    madeBy: null,
  };
}
