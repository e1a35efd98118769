/** Which roles a person may give: none that reaches further than their own. The API decides all the same. */
import type { Me } from '../../api/session.ts';

export type Role = Me['role'];

const ROLES: readonly Role[] = ['owner', 'admin', 'manager', 'finance', 'viewer'];

/** Owners and admins may change people, and only an owner may create owners. */
export function rolesToGive(own: Role): readonly Role[] {
  return own === 'owner' ? ROLES : ROLES.filter(role => role !== 'owner');
}
