/** What the console leads to, and for whom: a page is offered to those who may read what it shows. */
import type { Session, Resource } from '../api/session.ts';
import { mayRead } from '../api/session.ts';
import type { TextKey } from '../text/text.ts';
import type { IconName } from '../ui/icon.tsx';

/** The pages of the navigation. */
export type PagePath = '/campaigns' | '/creatives' | '/wallet' | '/invoices' | '/screens' | '/earnings' | '/keys';

export type NavigationItem = { to: PagePath; text: TextKey; icon: IconName; resource: Resource };
export type NavigationGroup = { text: TextKey; items: readonly NavigationItem[] };

const GROUPS: readonly NavigationGroup[] = [
  {
    text: 'nav.work',
    items: [
      { to: '/campaigns', text: 'nav.campaigns', icon: 'play', resource: 'campaigns' },
      { to: '/creatives', text: 'nav.creatives', icon: 'picture', resource: 'campaigns' },
      { to: '/screens', text: 'nav.screens', icon: 'screen', resource: 'screens' },
    ],
  },
  {
    text: 'nav.money',
    items: [
      { to: '/wallet', text: 'nav.wallet', icon: 'wallet', resource: 'wallet' },
      { to: '/invoices', text: 'nav.invoices', icon: 'paper', resource: 'invoices' },
      { to: '/earnings', text: 'nav.earnings', icon: 'wallet', resource: 'payouts' },
    ],
  },
  { text: 'nav.developers', items: [{ to: '/keys', text: 'nav.keys', icon: 'key', resource: 'keys' }] },
];

/** The groups with the pages that this person may read. */
export function navigationOf(session: Pick<Session, 'me'>): NavigationGroup[] {
  return GROUPS.map(group => ({ ...group, items: group.items.filter(item => mayRead(session, item.resource)) })).filter(
    group => group.items.length > 0,
  );
}

/** The page that somebody sees first. */
export function homeOf(session: Pick<Session, 'me'>): PagePath | undefined {
  return navigationOf(session)[0]?.items[0]?.to;
}
