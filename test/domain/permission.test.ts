import { describe, expect, test } from 'vitest';
import { ACCESSES, RESOURCES, ROLES, SURFACES, type Resource, type Role, type Surface, may } from '#domain/permission.ts';

const ads: Resource[] = ['campaigns', 'creatives', 'assets', 'forecasts', 'reporting', 'invoices', 'wallet', 'keys', 'webhooks', 'audit', 'catalogue'];
const reach: Record<Surface, Resource[]> = {
  ads_manager: ads,
  screen_manager: ['screens', 'pairing', 'venues', 'menus', 'playlists', 'creatives', 'assets', 'payouts', 'keys', 'webhooks', 'audit', 'catalogue'],
  agency: [...ads, 'agency'],
};
const writes: Record<Role, (resource: Resource) => boolean> = {
  owner: resource => resource !== 'catalogue',
  admin: resource => resource !== 'catalogue',
  manager: resource => !['catalogue', 'invoices', 'wallet', 'keys', 'audit', 'payouts', 'agency'].includes(resource),
  finance: resource => ['forecasts', 'invoices', 'wallet', 'audit', 'payouts'].includes(resource),
  viewer: resource => resource === 'forecasts',
};

describe.each(SURFACES)('a key of the surface %s', surface => {
  test.each(RESOURCES)('and %s: every role, access and verb is answered as the tables say', resource => {
    for (const role of ROLES) for (const access of ACCESSES) for (const verb of ['read', 'write'] as const) {
      const allowed = verb === 'read' ? resource !== 'keys' || role === 'owner' || role === 'admin' : writes[role](resource);
      const code = !reach[surface].includes(resource) ? 'wrong_surface' : verb === 'write' && access === 'read_only' ? 'read_only_key' : allowed ? undefined : 'role_forbidden';
      expect([role, access, verb, may(surface, role, access, resource, verb)?.code]).toEqual([role, access, verb, code]);
    }
  });
});
