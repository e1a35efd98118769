/** Which roles a person may give: none that reaches further than their own. The API decides all the same. */
import type { Me } from '../../api/session.ts';

export type Role = Me['role'];

const ROLES: readonly Role[] = ['owner', 'admin', 'manager', 'finance', 'viewer'];

/** Of those who may change people at all, owners and admins, only an owner makes owners. */
export function rolesToGive(own: Role): readonly Role[] {
  return own === 'owner' ? ROLES : ROLES.filter(role => role !== 'owner');
}
