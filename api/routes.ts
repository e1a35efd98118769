/** The routes, in the order of the OpenAPI document. Each module declares what its routes need; `app.ts` passes it. */
import { resetRoutes } from './account/reset-routes.ts';
import { accountRoutes } from './account/routes.ts';
import { agencyRoutes } from './agency/routes.ts';
import { alertRoutes, unsubscribeRoutes } from './alerts/routes.ts';
import { playlistAssetRoutes } from './assets/routes.ts';
import { auditExportRoutes, exportFileRoutes } from './audit/export-routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { creativeRoutes } from './creatives/routes.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { assetRoutes } from './devices/assets.ts';
import { claimRoutes } from './devices/claim.ts';
import { earningsRoutes } from './earnings/routes.ts';
import { forecastRoutes } from './forecasts/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { invoicePdfRoutes, invoiceProofRoutes, invoiceRoutes } from './invoices/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { menuPageRoutes, menuRoutes } from './menus/routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { operatorDetailRoutes } from './operator/details/routes.ts';
import { findingRoutes } from './operator/findings/routes.ts';
import { workspaceInvoiceRoutes } from './operator/invoices/routes.ts';
import { paymentCaseRoutes } from './operator/payment-cases/routes.ts';
import { workspacePayoutRoutes } from './operator/payouts/routes.ts';
import { peopleRoutes } from './operator/people/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { venueReviewRoutes } from './operator/venue-reviews/routes.ts';
import { operatorWeekRoutes } from './operator/week/routes.ts';
import { workspaceRoutes } from './operator/workspaces/routes.ts';
import { consoleRoutes } from './pages/console.ts';
import { docsRoutes } from './pages/docs.ts';
import { mapTileRoutes } from './pages/map-tiles.ts';
import { playerRoutes } from './pages/player.ts';
import { referenceRoutes } from './pages/reference.ts';
import { trailingSlashRoutes } from './pages/trailing-slash.ts';
import { pairingRoutes, screenPairingRoutes } from './pairing/routes.ts';
import { paymentEventRoutes, paymentRoutes } from './payments/routes.ts';
import { payoutAccountRoutes, payoutRoutes } from './payouts/routes.ts';
import { placeRoutes } from './places/routes.ts';
import { cardPageRoutes, playlistRoutes } from './playlists/routes.ts';
import { resultRoutes } from './reporting/result-routes.ts';
import { reportingRoutes } from './reporting/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { scanRoutes } from './scans/routes.ts';
import { screenCommandRoutes } from './screens/command-routes.ts';
import { screenRoutes } from './screens/routes.ts';
import { sensorRoutes } from './screens/sensor-routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sharedReportRoutes } from './shared-reports/routes.ts';
import { signUpRoutes } from './sign-up/routes.ts';
import { statementPdfRoutes, statementRoutes } from './statements/routes.ts';
import { venueRoutes } from './venues/routes.ts';
import { walletRoutes } from './wallet/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import type { Api } from './wire/fastify.ts';

/** The routes under /v1: one line per table or route. */
export const V1_ROUTES = [
  ...venueRoutes,
  ...menuRoutes,
  ...playlistRoutes,
  ...pairingRoutes,
  ...screenRoutes,
  ...screenPairingRoutes,
  ...sensorRoutes,
  ...screenCommandRoutes,
  ...creativeRoutes,
  ...playlistAssetRoutes,
  ...campaignRoutes,
  ...resultRoutes,
  ...catalogueRoutes,
  ...forecastRoutes,
  ...placeRoutes,
  ...walletRoutes,
  ...paymentRoutes,
  paymentEventRoutes,
  ...invoiceRoutes,
  invoicePdfRoutes,
  invoiceProofRoutes,
  ...payoutAccountRoutes,
  ...earningsRoutes,
  ...statementRoutes,
  statementPdfRoutes,
  ...payoutRoutes,
  ...agencyRoutes,
  ...keyRoutes,
  ...meRoutes,
  ...alertRoutes,
  ...sessionRoutes,
  ...resetRoutes,
  ...accountRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...signUpRoutes,
  ...sandboxRoutes,
  ...auditRoutes,
  ...auditExportRoutes,
  ...webhookRoutes,
  ...reportingRoutes,
  ...sharedReportRoutes,
  ...decisionRoutes,
  ...operatorRoutes,
  ...workspaceRoutes,
  ...findingRoutes,
  ...workspacePayoutRoutes,
  ...workspaceInvoiceRoutes,
  ...peopleRoutes,
  ...paymentCaseRoutes,
  ...operatorDetailRoutes,
  ...operatorWeekRoutes,
  ...venueReviewRoutes,
];

/** Pages and files that browsers, screens and phones open. They are not part of the versioned interface. */
export const PAGES = [
  healthRoutes,
  oidcRoutes,
  consoleRoutes,
  mapTileRoutes,
  docsRoutes,
  referenceRoutes,
  assetRoutes,
  menuPageRoutes,
  cardPageRoutes,
  scanRoutes,
  noticeRoutes,
  exportFileRoutes,
  unsubscribeRoutes,
  (app: Api, { urls }: { urls: { public: string; delivery: string } }) => claimRoutes(app, playerRoutes(app, { urls })),
  trailingSlashRoutes,
];

/** Health checks for a load balancer. A draining app accepts no connections, so an answer means that it takes calls. */
function healthRoutes(app: Api): void {
  const config = { access: 'public' } as const;
  app.get('/livez', { config }, async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', { config }, async (_request, reply) => reply.type('text/plain').send('ready\n'));
}
