/**
 * The surfaces of the interface, in the order of the reference page. A tag that no route uses is left out of the
 * document. A route has the tag of its path.
 */
export const TAGS: readonly { name: string; description: string }[] = [
  { name: 'Campaigns', description: 'A brief, a budget, a schedule, targets and creatives. For brands and agencies.' },
  { name: 'Creatives', description: 'Videos and stills, and the signed addresses to which their files are uploaded.' },
  { name: 'Assets', description: 'Files of playlists and creatives; an address names the content and never changes.' },
  { name: 'Catalogue', description: 'What fields may hold: categories, venue types, cities.' },
  { name: 'Forecasts', description: 'What a plan would reach. Cheap, and nothing is written.' },
  { name: 'Inventory', description: 'Places that could be booked, with prices and availability.' },
  { name: 'Reporting', description: 'Impressions, plays, scans and spend, within 90 seconds of delivery.' },
  { name: 'Wallet', description: 'Money that campaigns reserve from, in the currency of the workspace.' },
  { name: 'Invoices', description: 'What was charged, by month.' },
  { name: 'Venues', description: 'Places in which screens stand, with their hours and audience. For venues.' },
  { name: 'Pairing', description: 'Codes of six digits, valid 60 seconds, that join a device to a venue.' },
  { name: 'Screens', description: 'Paired displays, their settings and their decisions.' },
  { name: 'Playlists', description: 'What runs on a screen between ads.' },
  { name: 'Menus', description: 'Data from which menu pages are drawn.' },
  { name: 'Payouts', description: 'Earnings of venues and their withdrawal.' },
  { name: 'Agency', description: 'Client workspaces of an agency, and reports across them.' },
  { name: 'Operator', description: 'What waits for the operator, and every screen of the installation.' },
  { name: 'Keys', description: 'API keys of the workspace: made, rotated, revoked.' },
  { name: 'Users', description: 'People of the workspace and their roles.' },
  { name: 'Sandbox', description: 'Screens without devices and a clock that can be moved, for test keys.' },
  { name: 'Audit', description: 'Who changed what, when and from where; append-only.' },
  { name: 'Webhooks', description: 'Signed events that are sent to an address of the subscriber.' },
  { name: 'Scans', description: 'Links that people follow from a screen.' },
  { name: 'Reference', description: 'This document.' },
];

/** The tags of paths that do not begin with the name of theirs. */
const OTHERS: Readonly<Record<string, string>> = {
  '/account': 'Users',
  '/campaigns/:id/places': 'Reporting',
  '/campaigns/:id/shared-reports': 'Reporting',
  '/cards': 'Playlists',
  '/categories': 'Catalogue',
  '/cities': 'Catalogue',
  '/exports': 'Audit',
  '/invitations': 'Users',
  '/me': 'Users',
  '/members': 'Users',
  '/notices': 'Scans',
  '/openapi.json': 'Reference',
  '/password-resets': 'Users',
  '/payments': 'Wallet',
  '/proof-keys': 'Invoices',
  '/s': 'Scans',
  '/screenshots': 'Screens',
  '/sessions': 'Users',
  '/shared-reports': 'Reporting',
  '/sign-up': 'Users',
  '/unsubscribe': 'Users',
  '/uploads': 'Creatives',
  '/venue-types': 'Catalogue',
  '/venues/:id/menu': 'Menus',
};

/** @throws if no tag fits the path of a new route */
export function tagOf(url: string): string {
  const path = url.replace(/^\/v1\//, '/');
  const other = Object.keys(OTHERS).find(start => path === start || path.startsWith(`${start}/`));
  if (other !== undefined) return OTHERS[other]!;
  const named = TAGS.find(({ name }) => name.toLowerCase() === path.split('/')[1]);
  if (named === undefined) throw new Error(`api/openapi/tags.ts has no tag for ${url}`);
  return named.name;
}
