/**
 * Who may do what. Three questions in a fixed order: is the resource on the key's surface, may the key do more than
 * read, and does the role allow it. A key acts with the role of the person it belongs to. These two tables are
 * complete; the docs page about roles is generated from them.
 */
import { type Refusal, refuse } from '../refusal.ts';

export const SURFACES = ['ads_manager', 'screen_manager', 'agency', 'operator'] as const;
export type Surface = (typeof SURFACES)[number];
export const ROLES = ['owner', 'admin', 'manager', 'finance', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
export const ACCESSES = ['read_write', 'read_only'] as const;
export type Access = (typeof ACCESSES)[number];
export type Verb = 'read' | 'write';

type Rule = { surfaces: readonly Surface[]; read: readonly Role[]; write: readonly Role[] };

const ADS: readonly Surface[] = ['ads_manager', 'agency'];
const VENUES: readonly Surface[] = ['screen_manager'];
const CUSTOMERS: readonly Surface[] = ['ads_manager', 'screen_manager', 'agency'];
const ALL: readonly Surface[] = SURFACES;
const OPERATOR: readonly Surface[] = ['operator'];

const EVERYONE: readonly Role[] = ROLES;
const OPERATING: readonly Role[] = ['owner', 'admin', 'manager'];
const PAYING: readonly Role[] = ['owner', 'admin', 'finance'];
const RULING: readonly Role[] = ['owner', 'admin'];

const RULES = {
  campaigns: { surfaces: ADS, read: EVERYONE, write: OPERATING },
  // Brands have theirs for campaigns, venues have theirs for playlists; neither sees the other's.
  creatives: { surfaces: CUSTOMERS, read: EVERYONE, write: OPERATING },
  assets: { surfaces: CUSTOMERS, read: EVERYONE, write: OPERATING },
  // A forecast changes nothing, so every role may ask for one; a read-only key still sends no POST.
  forecasts: { surfaces: ADS, read: EVERYONE, write: EVERYONE },
  // Supply that could be booked, of venues that are public.
  inventory: { surfaces: ADS, read: EVERYONE, write: [] },
  reporting: { surfaces: ADS, read: EVERYONE, write: OPERATING },
  invoices: { surfaces: ADS, read: EVERYONE, write: PAYING },
  wallet: { surfaces: ADS, read: EVERYONE, write: PAYING },
  keys: { surfaces: ALL, read: RULING, write: RULING },
  me: { surfaces: ALL, read: EVERYONE, write: [] },
  members: { surfaces: ALL, read: EVERYONE, write: RULING },
  // One's own record, in any role.
  sessions: { surfaces: ALL, read: EVERYONE, write: EVERYONE },
  // Also one's own record.
  alerts: { surfaces: CUSTOMERS, read: EVERYONE, write: EVERYONE },
  webhooks: { surfaces: CUSTOMERS, read: EVERYONE, write: OPERATING },
  audit: { surfaces: ALL, read: EVERYONE, write: PAYING },
  screens: { surfaces: VENUES, read: EVERYONE, write: OPERATING },
  pairing: { surfaces: VENUES, read: EVERYONE, write: OPERATING },
  venues: { surfaces: VENUES, read: EVERYONE, write: OPERATING },
  menus: { surfaces: VENUES, read: EVERYONE, write: OPERATING },
  playlists: { surfaces: VENUES, read: EVERYONE, write: OPERATING },
  payouts: { surfaces: VENUES, read: EVERYONE, write: PAYING },
  // Lists of the values that fields may hold. They are read-only.
  catalogue: { surfaces: ALL, read: EVERYONE, write: [] },
  // Only in the sandbox: screens without devices, and a clock that can be moved.
  sandbox: { surfaces: ADS, read: EVERYONE, write: OPERATING },
  agency: { surfaces: ['agency'], read: EVERYONE, write: RULING },
  // For the operator of the installation, across all workspaces: campaigns that wait for a person, and every screen.
  reviews: { surfaces: OPERATOR, read: EVERYONE, write: OPERATING },
  network: { surfaces: OPERATOR, read: EVERYONE, write: [] },
  // Suspicious traffic, whose earnings are held until a person has decided.
  findings: { surfaces: OPERATOR, read: EVERYONE, write: OPERATING },
  // Money of all workspaces: payouts, invoices, funding, refunds. Bank accounts are in it, so that few read it.
  payments: { surfaces: OPERATOR, read: PAYING, write: PAYING },
  // Who may use the installation at all: sign-ups that wait, and workspaces that end.
  workspaces: { surfaces: OPERATOR, read: EVERYONE, write: RULING },
  // Results of the consistency checks, and events that could not be processed.
  operations: { surfaces: OPERATOR, read: EVERYONE, write: OPERATING },
} as const satisfies Record<string, Rule>;

export type Resource = keyof typeof RULES;
/** Every resource, in the order of the table. */
export const RESOURCES = Object.keys(RULES) as readonly Resource[];

/** Undefined when it is allowed; else `wrong_surface`, `read_only_key` or `role_forbidden`, in this order. */
export function may(surface: Surface, role: Role, access: Access, resource: Resource, verb: Verb): Refusal | undefined {
  const rule: Rule = RULES[resource];
  if (!rule.surfaces.includes(surface))
    return refuse('wrong_surface', `A key of the surface ${surface} does not reach ${resource}.`);
  if (verb === 'write' && access === 'read_only') return refuse('read_only_key', 'A read-only key may call only GET.');
  if (!rule[verb].includes(role)) return refuse('role_forbidden', `The role ${role} may not ${verb} ${resource}.`);
  return undefined;
}

/** Which roles a person may grant, revoke or create keys for: none with more permissions than their own. */
const GIVES: Record<Role, readonly Role[]> = {
  owner: ROLES,
  admin: ['admin', 'manager', 'finance', 'viewer'],
  manager: ['manager', 'viewer'],
  finance: ['finance', 'viewer'],
  viewer: ['viewer'],
};

/** Undefined when a person of the role `own` may decide about a seat of the role `other`. */
export function mayGiveRole(own: Role, other: Role): Refusal | undefined {
  return GIVES[own].includes(other)
    ? undefined
    : refuse('role_forbidden', `The role ${own} decides about no ${other}.`);
}
