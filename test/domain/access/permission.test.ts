/**
 * Which role may do what on which surface, as a table. Pure rules, by examples; docs/roles.md says the same to people.
 */
import { describe, expect, test } from 'vitest';
import {
  ACCESSES,
  RESOURCES,
  ROLES,
  SURFACES,
  type Resource,
  type Role,
  type Surface,
  may,
  mayGiveRole,
} from '#domain/access/permission.ts';

const ads: Resource[] = [
  'campaigns',
  'creatives',
  'assets',
  'forecasts',
  'inventory',
  'reporting',
  'invoices',
  'wallet',
  'keys',
  'me',
  'members',
  'sessions',
  'alerts',
  'webhooks',
  'audit',
  'catalogue',
  'sandbox',
];
const reach: Record<Surface, Resource[]> = {
  ads_manager: ads,
  screen_manager: [
    'screens',
    'pairing',
    'venues',
    'menus',
    'playlists',
    'creatives',
    'assets',
    'payouts',
    'keys',
    'me',
    'members',
    'sessions',
    'alerts',
    'webhooks',
    'audit',
    'catalogue',
  ],
  agency: [...ads, 'agency'],
  operator: [
    'reviews',
    'network',
    'findings',
    'payments',
    'workspaces',
    'operations',
    'keys',
    'me',
    'members',
    'sessions',
    'audit',
    'catalogue',
  ],
};
const writes: Record<Role, (resource: Resource) => boolean> = {
  owner: resource => !['catalogue', 'inventory', 'me', 'network'].includes(resource),
  admin: resource => !['catalogue', 'inventory', 'me', 'network'].includes(resource),
  manager: resource =>
    ![
      'catalogue',
      'inventory',
      'me',
      'network',
      'invoices',
      'wallet',
      'keys',
      'members',
      'audit',
      'payouts',
      'payments',
      'agency',
      'workspaces',
    ].includes(resource),
  finance: resource =>
    ['forecasts', 'sessions', 'alerts', 'invoices', 'wallet', 'audit', 'payouts', 'payments'].includes(resource),
  viewer: resource => ['forecasts', 'sessions', 'alerts'].includes(resource),
};

/** Resources that some roles alone read. */
const READ_BY: Partial<Record<Resource, readonly Role[]>> = {
  keys: ['owner', 'admin'],
  payments: ['owner', 'admin', 'finance'],
};

describe.each(SURFACES)('a key of the surface %s', surface => {
  test.each(RESOURCES)('and %s: every role, access and verb matches the tables', resource => {
    for (const role of ROLES)
      for (const access of ACCESSES)
        for (const verb of ['read', 'write'] as const) {
          const allowed = verb === 'read' ? READ_BY[resource]?.includes(role) !== false : writes[role](resource);
          const code = !reach[surface].includes(resource)
            ? 'wrong_surface'
            : verb === 'write' && access === 'read_only'
              ? 'read_only_key'
              : allowed
                ? undefined
                : 'role_forbidden';
          expect([role, access, verb, may(surface, role, access, resource, verb)?.code]).toEqual([
            role,
            access,
            verb,
            code,
          ]);
        }
  });
});

test('a role cannot manage another role with more permissions', () => {
  const reach = (role: Role) =>
    RESOURCES.flatMap(resource =>
      (['read', 'write'] as const).flatMap(verb =>
        SURFACES.flatMap(surface =>
          may(surface, role, 'read_write', resource, verb) === undefined ? [`${surface} ${resource} ${verb}`] : [],
        ),
      ),
    );
  for (const own of ROLES)
    for (const other of ROLES) {
      const isWithin = reach(other).every(call => reach(own).includes(call)) && (other !== 'owner' || own === 'owner');
      expect([own, other, mayGiveRole(own, other) === undefined]).toEqual([own, other, isWithin]);
    }
});
