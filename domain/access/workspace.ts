/** Kinds of workspaces, and what each may do on its own. */
import type { Resource, Surface, Verb } from './permission.ts';
import { refuse, type Refusal } from '../refusal.ts';

/** `operator`: of the people who run the installation. */
export const WORKSPACE_KINDS = ['brand', 'venue', 'agency', 'operator'] as const;
export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number];
export const WORKSPACE_STATUSES = ['in_review', 'active', 'closed'] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** The surface of a workspace by its kind: of its first key, and of the sessions of its people. */
export const SURFACE_OF_KIND: Record<WorkspaceKind, Surface> = {
  brand: 'ads_manager',
  venue: 'screen_manager',
  agency: 'agency',
  operator: 'operator',
};

/**
 * The kinds that may sign up if the operator allows it. Agencies act for others, so the operator creates them, and
 * workspaces of its own people.
 */
export const SIGN_UP_KINDS = ['brand', 'venue'] as const satisfies readonly WorkspaceKind[];
export type SignUpKind = (typeof SIGN_UP_KINDS)[number];

/**
 * The allowed changes of a workspace in review: nothing that stores files, sends anything or reaches a screen, not even
 * in the sandbox.
 */
const OPEN_IN_REVIEW: ReadonlySet<Resource> = new Set(['keys', 'members', 'sessions', 'forecasts']);

/** An archived workspace can only be read, but its members and keys can still be changed. */
const OPEN_WHEN_ARCHIVED: ReadonlySet<Resource> = new Set(['keys', 'members', 'me', 'sessions']);

/** Undefined when the workspace is not archived or may still do this. */
export function refuseArchived(isArchived: boolean, resource: Resource, verb: Verb): Refusal | undefined {
  if (!isArchived || verb === 'read' || OPEN_WHEN_ARCHIVED.has(resource)) return undefined;
  return refuse(
    'workspace_archived',
    'The workspace is archived and can only be read. Its agency restores it with POST /v1/agency/clients/{id}/restore.',
  );
}

/** Undefined when the state of the workspace allows it. */
export function refuseInReview(status: WorkspaceStatus, resource: Resource, verb: Verb): Refusal | undefined {
  if (status !== 'in_review' || verb === 'read' || OPEN_IN_REVIEW.has(resource)) return undefined;
  return refuse(
    'workspace_in_review',
    'The operator has not approved this workspace yet. Until then it reads, forecasts, and names its people and keys.',
  );
}
