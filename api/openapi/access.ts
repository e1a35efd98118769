/** Describes who may call an operation, from the permission table. */
import { ACCESSES, may, ROLES, SURFACES, type Resource, type Verb } from '#domain/access/permission.ts';

/** Who may call an operation, in a sentence made from the permission table. */
export function describeAccess({ resource, verb }: { resource: Resource; verb: Verb }): string {
  const surfaces = SURFACES.filter(surface => may(surface, 'owner', 'read_write', resource, verb) === undefined);
  const roles = ROLES.filter(role =>
    surfaces.some(surface => may(surface, role, 'read_write', resource, verb) === undefined),
  );
  const accesses = ACCESSES.filter(access =>
    surfaces.some(surface => may(surface, 'owner', access, resource, verb) === undefined),
  );
  const keys = accesses.includes('read_only') ? 'Any key' : 'A read-write key';
  const whose = roles.length === ROLES.length ? 'every role' : listed(roles);
  return `${keys} of the surface ${listed(surfaces.map(surface => `\`${surface}\``))}; ${whose}.`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
