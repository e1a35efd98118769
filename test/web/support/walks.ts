/** The addresses of the console and who looks at them, for the walks over its pages. */
import type { Keys } from './records.ts';

/** The addresses that each role walks; `$id` is a record of the list. */
export const WALKS: Readonly<Record<keyof Keys, readonly string[]>> = {
  brand: [
    '/',
    '/campaigns',
    '/campaigns/$id',
    '/campaigns/$id/edit',
    '/campaigns/new',
    '/campaigns/report',
    '/creatives',
    '/inventory',
    '/wallet',
    '/invoices',
    '/keys',
    '/webhooks',
    '/webhooks/$id',
    '/calls',
    '/audit',
  ],
  sandbox: ['/sandbox'],
  venue: [
    '/',
    '/screens',
    '/screens/$id',
    '/playlists',
    '/playlists/$id',
    '/venues',
    '/venues/$id',
    '/creatives',
    '/pictures',
    '/earnings',
    '/keys',
    '/audit',
  ],
  agency: ['/', '/clients', '/clients/$id', '/approvals', '/reports', '/campaigns'],
  operator: [
    '/',
    '/reviews',
    '/findings',
    '/findings/$id',
    '/network',
    '/network/$id',
    '/workspaces',
    '/sign-ins',
    '/operations',
    '/payouts',
    '/billing',
    '/refunds',
    '/details',
    '/keys',
    '/audit',
  ],
};
/** Pages of people who signed in without a key. */
export const PERSON_PAGES = ['/people', '/account'];
