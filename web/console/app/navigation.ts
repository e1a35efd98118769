/** The navigation of the console: a page is offered to people who may read its content. */
import type { Session, Resource } from '../api/session.ts';
import { mayRead } from '../api/session.ts';
import type { TextKey } from '../text/text.ts';
import type { IconName } from '../ui/icon.tsx';

/** The pages of the navigation. */
type PagePath =
  | '/'
  | '/clients'
  | '/approvals'
  | '/campaigns'
  | '/creatives'
  | '/pictures'
  | '/inventory'
  | '/reports'
  | '/sandbox'
  | '/wallet'
  | '/invoices'
  | '/screens'
  | '/venues'
  | '/playlists'
  | '/earnings'
  | '/keys'
  | '/calls'
  | '/webhooks'
  | '/audit'
  | '/people'
  | '/sign-ins'
  | '/payouts'
  | '/billing'
  | '/refunds'
  | '/details'
  | '/reviews'
  | '/findings'
  | '/network'
  | '/operations'
  | '/workspaces';

/** Without a resource it is of everybody. */
type NavigationItem = { to: PagePath; text: TextKey; icon: IconName; resource?: Resource };
export type NavigationGroup = { text: TextKey; items: readonly NavigationItem[] };

const GROUPS: readonly NavigationGroup[] = [
  {
    text: 'nav.work',
    items: [
      { to: '/', text: 'nav.home', icon: 'home' },
      { to: '/reviews', text: 'nav.reviews', icon: 'list', resource: 'reviews' },
      { to: '/findings', text: 'nav.findings', icon: 'search', resource: 'findings' },
      { to: '/network', text: 'nav.network', icon: 'pin', resource: 'network' },
      { to: '/workspaces', text: 'nav.workspaces', icon: 'person', resource: 'workspaces' },
      { to: '/sign-ins', text: 'nav.signIns', icon: 'key', resource: 'workspaces' },
      { to: '/operations', text: 'nav.operations', icon: 'pulse', resource: 'operations' },
      { to: '/clients', text: 'nav.clients', icon: 'people', resource: 'agency' },
      { to: '/approvals', text: 'nav.approvals', icon: 'check', resource: 'agency' },
      { to: '/campaigns', text: 'nav.campaigns', icon: 'play', resource: 'campaigns' },
      { to: '/inventory', text: 'nav.inventory', icon: 'pin', resource: 'inventory' },
      { to: '/screens', text: 'nav.screens', icon: 'screen', resource: 'screens' },
      { to: '/playlists', text: 'nav.playlists', icon: 'loop', resource: 'playlists' },
      { to: '/venues', text: 'nav.venues', icon: 'pin', resource: 'venues' },
      { to: '/creatives', text: 'nav.creatives', icon: 'picture', resource: 'creatives' },
      { to: '/pictures', text: 'nav.pictures', icon: 'picture', resource: 'playlists' },
    ],
  },
  {
    text: 'nav.money',
    items: [
      { to: '/wallet', text: 'nav.wallet', icon: 'wallet', resource: 'wallet' },
      { to: '/invoices', text: 'nav.invoices', icon: 'paper', resource: 'invoices' },
      { to: '/payouts', text: 'nav.payouts', icon: 'wallet', resource: 'payments' },
      { to: '/billing', text: 'nav.invoices', icon: 'paper', resource: 'payments' },
      { to: '/refunds', text: 'nav.refunds', icon: 'loop', resource: 'payments' },
      { to: '/details', text: 'nav.details', icon: 'person', resource: 'payments' },
      { to: '/reports', text: 'nav.reports', icon: 'list', resource: 'agency' },
      { to: '/earnings', text: 'nav.earnings', icon: 'wallet', resource: 'payouts' },
    ],
  },
  {
    text: 'nav.workspace',
    items: [
      { to: '/people', text: 'nav.people', icon: 'people', resource: 'members' },
      { to: '/audit', text: 'nav.audit', icon: 'list', resource: 'audit' },
    ],
  },
  {
    text: 'nav.developers',
    items: [
      { to: '/keys', text: 'nav.keys', icon: 'key', resource: 'keys' },
      { to: '/webhooks', text: 'nav.webhooks', icon: 'send', resource: 'webhooks' },
      { to: '/calls', text: 'nav.calls', icon: 'terminal', resource: 'audit' },
      { to: '/sandbox', text: 'nav.sandbox', icon: 'loop', resource: 'sandbox' },
    ],
  },
];

/** Pages about people, the installation and its payments, of which a sandbox has none. */
const LIVE_ONLY: ReadonlySet<string> = new Set([
  '/account',
  '/findings',
  '/workspaces',
  '/sign-ins',
  '/operations',
  '/payouts',
  '/billing',
  '/refunds',
  '/details',
]);

type Reader = Pick<Session, 'me' | 'client'>;

/** The groups with the pages that this person may read. A person acting for a client sees the client's pages. */
export function navigationOf(session: Reader): NavigationGroup[] {
  const isShown = ({ to, resource }: NavigationItem): boolean =>
    !isLiveOnly(session, to) &&
    (resource === undefined || (mayRead(session, resource) && (resource !== 'agency' || session.client === undefined)));
  return GROUPS.map(group => ({ ...group, items: group.items.filter(isShown) })).filter(
    group => group.items.length > 0,
  );
}

/** Whether this person is in the sandbox, and the page of an address is not part of it. */
export function isLiveOnly({ me }: Reader, path: string): boolean {
  return me.mode === 'test' && LIVE_ONLY.has(`/${path.split('/')[1]}`);
}

/**
 * Whether this person may read the page of an address and those below it. An address that is in no navigation is of
 * everybody.
 */
export function mayOpen(session: Reader, path: string): boolean {
  const page = GROUPS.flatMap(({ items }) => items).find(({ to }) => path === to || path.startsWith(`${to}/`));
  return page?.resource === undefined || mayRead(session, page.resource);
}
