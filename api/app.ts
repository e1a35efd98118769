/**
 * Assembles the API: creates the dependencies of routes from its inputs, adds the hooks around every request, and
 * declares the routes of each resource. The caller opens the engines and closes them after the app.
 */
import accepts from '@fastify/accepts';
import etag from '@fastify/etag';
import { listenForKeyChanges } from '#records/key-changes.ts';
import { identifyCaller, type Admission } from './authentication/admission.ts';
import { createAuthentication } from './authentication/key-lookup.ts';
import { createCampaignReads, createCampaignWrites } from './campaigns/new-campaign.ts';
import { createDeliveryReads } from './campaigns/delivery.ts';
import { createCampaignDetails } from './campaigns/detail.ts';
import { createCampaignRecords } from './campaigns/record-cache.ts';
import type { Api } from './wire/fastify.ts';
import type { ApiDependencies, RouteDependencies } from './dependencies.ts';
import { createScanBatches } from './scans/scan-batches.ts';
import { createUncountedScans } from './scans/uncounted-scans.ts';
import { createForecaster } from './forecasts/forecaster.ts';
import { createCallLog } from './http/logs/call-log.ts';
import { refuseOtherMethods, watchRoutes, type DeclaredRoute } from './http/declared-routes.ts';
import { addHooks } from './http/hooks.ts';
import { declareRoutes } from './http/route.ts';
import { hashOf } from './wire/reply.ts';
import { createServer } from './http/server.ts';
import { createReplyLookup } from './idempotency/idempotency.ts';
import { createGuessLimit, GUESSES } from './rate-limit/guess-limit.ts';
import { createFigureReads } from './figures/figure-reads.ts';
import { createNotCountedReads } from './reporting/not-counted.ts';
import { createClientLookup } from './authentication/client-lookup.ts';
import { Places } from '#runtime/places.ts';
import { RESET_MAILS_AT_ONCE } from './account/reset-mail.ts';
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
import { scanRoutes } from './scans/routes.ts';
import { uploadRoutes } from './uploads/uploads.ts';
import { earningsRoutes } from './earnings/routes.ts';
import { forecastRoutes } from './forecasts/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { invoicePdfRoutes, invoiceProofRoutes, invoiceRoutes } from './invoices/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { registerOpenapi } from './openapi/openapi.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { findingRoutes } from './operator/findings/routes.ts';
import { operatorDetailRoutes } from './operator/details/routes.ts';
import { paymentCaseRoutes } from './operator/payment-cases/routes.ts';
import { peopleRoutes } from './operator/people/routes.ts';
import { workspacePayoutRoutes } from './operator/payouts/routes.ts';
import { workspaceInvoiceRoutes } from './operator/invoices/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { operatorWeekRoutes } from './operator/week/routes.ts';
import { workspaceRoutes } from './operator/workspaces/routes.ts';
import { pairingRoutes, screenPairingRoutes } from './pairing/routes.ts';
import { consoleRoutes } from './pages/console.ts';
import { docsRoutes } from './pages/docs.ts';
import { mapTileRoutes } from './pages/map-tiles.ts';
import { playerRoutes } from './pages/player.ts';
import { trailingSlashRoutes } from './pages/trailing-slash.ts';
import { referenceRoutes } from './pages/reference.ts';
import { placeRoutes } from './places/routes.ts';
import { cardPageRoutes, playlistRoutes } from './playlists/routes.ts';
import { paymentEventRoutes, paymentRoutes } from './payments/routes.ts';
import { payoutAccountRoutes, payoutRoutes } from './payouts/routes.ts';
import { createRateLimit } from './rate-limit/rate-limit.ts';
import { resultRoutes } from './reporting/result-routes.ts';
import { reportingRoutes } from './reporting/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { screenRoutes } from './screens/routes.ts';
import { screenCommandRoutes } from './screens/command-routes.ts';
import { screenshotUploadRoutes } from './screens/screenshot-upload.ts';
import { sensorRoutes } from './screens/sensor-routes.ts';
import { createPasswords } from './sessions/password.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createSessionLookup } from './authentication/session-lookup.ts';
import { sharedReportRoutes } from './shared-reports/routes.ts';
import { signUpRoutes } from './sign-up/routes.ts';
import { menuPageRoutes, menuRoutes } from './menus/routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { statementPdfRoutes, statementRoutes } from './statements/routes.ts';
import { venueRoutes } from './venues/routes.ts';
import { walletRoutes } from './wallet/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** A built app. `routes`: the declared routes. `follow` starts to listen for changes of keys by other processes. */
export type BuiltApi = { app: Api; routes: readonly DeclaredRoute[]; follow: () => Promise<void> };

/** Builds the app without listening, so that tests can inject requests. */
export async function createApp(given: ApiDependencies): Promise<BuiltApi> {
  const authentication = createAuthentication(given);
  const sessions = createSessionLookup(given);
  const clients = createClientLookup(given);
  const forgetKey = (hash?: string) => {
    authentication.forget(hash);
    sessions.forget(hash);
  };
  const forgetWorkspaces = () => {
    forgetKey();
    clients.forget();
  };
  const keyGuesses = createGuessLimit(given, GUESSES.keys);
  const admission: Admission = {
    authentication,
    sessions,
    clients,
    rateLimit: createRateLimit(given),
    keyGuesses,
    publicUrl: given.urls.public,
    now: given.now,
  };
  const dependencies = createDependencies(given, {
    identify: authentication.identify,
    identifyCaller: request => identifyCaller(admission, request),
    forgetKey,
    forgetWorkspaces,
    keyGuesses,
  });
  const app = createServer(given, admission);
  const routes = watchRoutes(app);
  addHooks(app, dependencies, admission);
  await registerOpenapi(app, { publicUrl: given.urls.public });
  await app.register(
    async v1 => {
      await v1.register(accepts);
      await v1.register(etag, { hashFn: hashOf }); // and 304 where `If-None-Match` names what would be answered
      declareV1(v1, dependencies);
    },
    { prefix: '/v1' },
  );
  await app.register(async open => uploadRoutes(open as Api, dependencies));
  await app.register(async open => screenshotUploadRoutes(open as Api, dependencies));
  declarePages(app, dependencies);
  const declared = [...routes];
  refuseOtherMethods(app, declared, admission);
  let unlisten: (() => Promise<void>) | undefined;
  app.addHook('onClose', async () => {
    const { scanBatches, uncounted, callLog, forecasts } = dependencies;
    await Promise.all([scanBatches.close(), uncounted.close(), callLog.close(), forecasts.close(), unlisten?.()]);
  });
  await app.ready();
  return {
    app,
    routes: declared,
    async follow() {
      unlisten = await listenForKeyChanges(given.sql, {
        onKey: forgetKey,
        onWorkspace: clients.forget,
        onGap: forgetWorkspaces,
      });
    },
  };
}

/** Creates the dependencies of routes. This opens no connection and sends no query. */
function createDependencies(
  given: ApiDependencies,
  known: Pick<RouteDependencies, 'identify' | 'identifyCaller' | 'forgetKey' | 'forgetWorkspaces' | 'keyGuesses'>,
): RouteDependencies {
  return {
    ...given,
    ...known,
    payments: given.payments,
    reads: given.reads ?? (() => given.sql),
    guesses: createGuessLimit(given, GUESSES.codes),
    invitationGuesses: createGuessLimit(given, GUESSES.invitations),
    sharedReportReads: createGuessLimit(given, GUESSES.sharedReports),
    mailsOfWorkspace: createGuessLimit(given, GUESSES.mailsOfWorkspace),
    mailsToAddress: createGuessLimit(given, GUESSES.mailsToAddress),
    resetMails: createGuessLimit(given, GUESSES.resetMails),
    resetPlaces: new Places(RESET_MAILS_AT_ONCE),
    mapTileReads: createGuessLimit(given, GUESSES.mapTiles),
    signUpTries: createGuessLimit(given, GUESSES.signUps),
    signInTries: createGuessLimit(given, GUESSES.signIns),
    oidcReturns: createGuessLimit(given, GUESSES.oidcReturns),
    personTries: createGuessLimit(given, GUESSES.people),
    passwords: createPasswords(given.passwordCost),
    signatureGuesses: createGuessLimit(given, GUESSES.signatures),
    scanBatches: createScanBatches({ playQueue: given.playQueue, log: given.log, folder: given.scansFolder }),
    uncounted: createUncountedScans(given),
    callLog: createCallLog(given),
    findReply: createReplyLookup(given),
    campaignReads: createCampaignReads(given),
    campaignWrites: createCampaignWrites(given),
    forecasts: createForecaster(given),
    campaigns: createCampaignRecords(given),
    deliveries: createDeliveryReads(given),
    details: createCampaignDetails(),
    figures: createFigureReads(given),
    notCountedReads: createNotCountedReads(given),
  };
}

/** The routes under /v1. One line per surface. */
function declareV1(v1: Api, dependencies: RouteDependencies): void {
  declareRoutes(v1, dependencies, venueRoutes);
  declareRoutes(v1, dependencies, menuRoutes);
  declareRoutes(v1, dependencies, playlistRoutes);
  declareRoutes(v1, dependencies, pairingRoutes);
  declareRoutes(v1, dependencies, screenRoutes);
  declareRoutes(v1, dependencies, screenPairingRoutes);
  declareRoutes(v1, dependencies, sensorRoutes);
  declareRoutes(v1, dependencies, screenCommandRoutes);
  declareRoutes(v1, dependencies, creativeRoutes);
  declareRoutes(v1, dependencies, playlistAssetRoutes);
  declareRoutes(v1, dependencies, campaignRoutes);
  declareRoutes(v1, dependencies, resultRoutes);
  declareRoutes(v1, dependencies, catalogueRoutes);
  declareRoutes(v1, dependencies, forecastRoutes);
  declareRoutes(v1, dependencies, placeRoutes);
  declareRoutes(v1, dependencies, walletRoutes);
  declareRoutes(v1, dependencies, paymentRoutes);
  paymentEventRoutes(v1, dependencies);
  declareRoutes(v1, dependencies, invoiceRoutes);
  invoicePdfRoutes(v1, dependencies);
  invoiceProofRoutes(v1, dependencies);
  declareRoutes(v1, dependencies, payoutAccountRoutes);
  declareRoutes(v1, dependencies, earningsRoutes);
  declareRoutes(v1, dependencies, statementRoutes);
  statementPdfRoutes(v1, dependencies);
  declareRoutes(v1, dependencies, payoutRoutes);
  declareRoutes(v1, dependencies, agencyRoutes);
  declareRoutes(v1, dependencies, keyRoutes);
  declareRoutes(v1, dependencies, meRoutes);
  declareRoutes(v1, dependencies, alertRoutes);
  declareRoutes(v1, dependencies, sessionRoutes);
  declareRoutes(v1, dependencies, resetRoutes);
  declareRoutes(v1, dependencies, accountRoutes);
  declareRoutes(v1, dependencies, memberRoutes);
  declareRoutes(v1, dependencies, invitationRoutes);
  declareRoutes(v1, dependencies, signUpRoutes);
  declareRoutes(v1, dependencies, sandboxRoutes);
  declareRoutes(v1, dependencies, auditRoutes);
  declareRoutes(v1, dependencies, auditExportRoutes);
  declareRoutes(v1, dependencies, webhookRoutes);
  declareRoutes(v1, dependencies, reportingRoutes);
  declareRoutes(v1, dependencies, sharedReportRoutes);
  declareRoutes(v1, dependencies, decisionRoutes);
  declareRoutes(v1, dependencies, operatorRoutes);
  declareRoutes(v1, dependencies, workspaceRoutes);
  declareRoutes(v1, dependencies, findingRoutes);
  declareRoutes(v1, dependencies, workspacePayoutRoutes);
  declareRoutes(v1, dependencies, workspaceInvoiceRoutes);
  declareRoutes(v1, dependencies, peopleRoutes);
  declareRoutes(v1, dependencies, paymentCaseRoutes);
  declareRoutes(v1, dependencies, operatorDetailRoutes);
  declareRoutes(v1, dependencies, operatorWeekRoutes);
}

/** Pages and files that browsers, screens and phones open. They are not part of the versioned interface. */
function declarePages(app: Api, dependencies: RouteDependencies): void {
  healthRoutes(app);
  oidcRoutes(app, dependencies);
  consoleRoutes(app, dependencies);
  mapTileRoutes(app, dependencies);
  docsRoutes(app);
  referenceRoutes(app, { publicUrl: dependencies.urls.public });
  assetRoutes(app, dependencies);
  menuPageRoutes(app, dependencies);
  cardPageRoutes(app, dependencies);
  scanRoutes(app, dependencies);
  noticeRoutes(app, dependencies);
  exportFileRoutes(app, dependencies);
  unsubscribeRoutes(app, dependencies);
  claimRoutes(app, playerRoutes(app, dependencies));
  trailingSlashRoutes(app);
}

/** Health checks for a load balancer. A draining app accepts no connections, so an answer means that it takes calls. */
function healthRoutes(app: Api): void {
  const config = { access: 'public' } as const;
  app.get('/livez', { config }, async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', { config }, async (_request, reply) => reply.type('text/plain').send('ready\n'));
}
