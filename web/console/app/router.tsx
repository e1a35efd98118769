/** The addresses of the console. Each page is a file that is loaded when it is opened first. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { t, withMoreTexts, withTexts } from '../text/text.ts';
import { EmptyState, PageError } from '../ui/states.tsx';
import { Frame } from './frame.tsx';

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: PageError });
const under = () => root;

const routes = [
  createRoute({
    getParentRoute: under,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/home/home.tsx'), 'Home'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/campaigns',
    component: lazyRouteComponent(() => import('../pages/brand/campaigns.tsx'), 'Campaigns'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/campaigns/new',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/booking/booking.tsx')), 'Booking'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/campaigns/report',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/reports/several.tsx')), 'Several'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/campaigns/$id',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/brand/campaign.tsx')), 'Campaign'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/campaigns/$id/edit',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/booking/edit.tsx')), 'Edit'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/creatives',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/creatives/creatives.tsx')), 'Creatives'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/wallet',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/money/wallet.tsx')), 'Wallet'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/invoices',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/money/invoices.tsx')), 'Invoices'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/screens',
    component: lazyRouteComponent(() => import('../pages/venue/screens.tsx'), 'Screens'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/screens/$id',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/venue/screen.tsx')), 'Screen'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/venues',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/venues/venues.tsx')), 'Venues'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/venues/$id',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/venues/venue.tsx')), 'Venue'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/playlists',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/playlists/playlists.tsx')), 'Playlists'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/playlists/$id',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/playlists/playlist.tsx')), 'Playlist'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/earnings',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/venue/earnings.tsx')), 'Earnings'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/keys',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/everyone/keys.tsx')), 'Keys'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/calls',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/everyone/calls.tsx')), 'Calls'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/webhooks',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/webhooks/webhooks.tsx')), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/webhooks/$id',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/webhooks/webhook.tsx')), 'Webhook'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/audit',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/audit/audit.tsx')), 'Audit'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/people',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/everyone/people.tsx')), 'People'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/account',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/everyone/account.tsx')), 'Account'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/reviews',
    component: lazyRouteComponent(
      () => withTexts(['more', 'operator'], import('../pages/operator/reviews/reviews.tsx')),
      'Reviews',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/findings',
    component: lazyRouteComponent(
      () => withTexts(['business'], import('../pages/operator/findings/findings.tsx')),
      'Findings',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/findings/$id',
    component: lazyRouteComponent(
      () => withTexts(['business'], import('../pages/operator/findings/finding.tsx')),
      'Finding',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/payouts',
    component: lazyRouteComponent(
      () => withTexts(['business'], import('../pages/operator/money/payouts.tsx')),
      'Payouts',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/billing',
    component: lazyRouteComponent(
      () => withTexts(['business'], import('../pages/operator/money/billing.tsx')),
      'Billing',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/sign-ins',
    component: lazyRouteComponent(() => withTexts(['business'], import('../pages/operator/sign-ins.tsx')), 'SignIns'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/refunds',
    component: lazyRouteComponent(
      () => withTexts(['business'], import('../pages/operator/money/refunds.tsx')),
      'Refunds',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/details',
    component: lazyRouteComponent(
      () => withTexts(['more', 'business'], import('../pages/operator/money/details.tsx')),
      'Details',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/operations',
    component: lazyRouteComponent(
      () => withTexts(['more', 'operator', 'operations'], import('../pages/operator/operations.tsx')),
      'Operations',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/workspaces',
    component: lazyRouteComponent(
      () => withTexts(['more', 'operations', 'business'], import('../pages/operator/workspaces.tsx')),
      'Workspaces',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/network',
    component: lazyRouteComponent(
      () => withTexts(['more', 'operator'], import('../pages/operator/network.tsx')),
      'Network',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/network/$id',
    component: lazyRouteComponent(
      () => withTexts(['more', 'operator'], import('../pages/operator/explorer.tsx')),
      'Explorer',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/clients',
    component: lazyRouteComponent(() => withTexts(['agency'], import('../pages/agency/clients.tsx')), 'Clients'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/clients/$id',
    component: lazyRouteComponent(() => withTexts(['more', 'agency'], import('../pages/agency/client.tsx')), 'Client'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/approvals',
    component: lazyRouteComponent(
      () => withTexts(['more', 'agency', 'operator'], import('../pages/agency/approvals.tsx')),
      'Approvals',
    ),
  }),
  createRoute({
    getParentRoute: under,
    path: '/pictures',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/pictures/pictures.tsx')), 'Pictures'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/inventory',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/inventory/inventory.tsx')), 'Inventory'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/sandbox',
    component: lazyRouteComponent(() => withMoreTexts(import('../pages/sandbox/sandbox.tsx')), 'Sandbox'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/reports',
    component: lazyRouteComponent(
      () => withTexts(['more', 'agency'], import('../pages/agency/reports.tsx')),
      'Reports',
    ),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  scrollRestoration: true,
  // Values are plain texts. By default, a search for 12 would be in the address in quotes, and a typed 12 be a number.
  parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: search => {
    const text = new URLSearchParams(search).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NotFound(): ReactElement {
  return <EmptyState title={t('frame.notFound')} hint={t('frame.notFoundHint')} />;
}
