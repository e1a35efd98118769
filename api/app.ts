/**
 * Assembles the API: creates the dependencies of routes from its inputs, adds the hooks around every request, and
 * declares the routes of each resource. The caller opens the engines and closes them after the app.
 */
import accepts from '@fastify/accepts';
import etag from '@fastify/etag';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import { listenForKeyChanges } from '#sql/keys/key-changes.ts';
import { Places } from '#runtime/places.ts';
import type { SignUpKind } from '#domain/access/workspace.ts';
import type { SigningKeys } from '#domain/plays/play.ts';
import type { PlayGroups } from '#ingest/queue/play-groups.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { TrustProxy } from '#runtime/ingress/forwarded-for.ts';
import type { Log } from '#runtime/log.ts';
import type { Mailer } from '#runtime/mail/mailer.ts';
import type { Authority } from '#authority/authority.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { identifyCaller, type Admission } from './authentication/admission.ts';
import { createAuthentication } from './authentication/key-lookup.ts';
import { createCampaignReads, createCampaignWrites } from './campaigns/new-campaign.ts';
import { createDeliveryReads } from './campaigns/delivery.ts';
import { createCampaignDetails } from './campaigns/detail.ts';
import { createCampaignRecords } from './campaigns/record-cache.ts';
import { createScanBatches } from './scans/scan-batches.ts';
import { createUncountedScans } from './scans/uncounted-scans.ts';
import { createForecaster } from './forecasts/forecaster.ts';
import { createCallLog } from './http/logs/call-log.ts';
import { refuseOtherMethods, watchRoutes, type DeclaredRoute } from './http/declared-routes.ts';
import { addHooks } from './http/hooks.ts';
import { hashOf } from './wire/reply.ts';
import { createServer } from './http/server.ts';
import { createReplyLookup } from './idempotency/idempotency.ts';
import { createGuessLimit, GUESSES } from './rate-limit/guess-limit.ts';
import { createFigureReads } from './figures/figure-reads.ts';
import { createNotCountedReads } from './reporting/not-counted.ts';
import { createClientLookup } from './authentication/client-lookup.ts';
import { RESET_MAILS_AT_ONCE } from './account/reset-mail.ts';
import { uploadRoutes } from './uploads/uploads.ts';
import { registerOpenapi } from './openapi/openapi.ts';
import { createRateLimit } from './rate-limit/rate-limit.ts';
import { screenshotUploadRoutes } from './screens/screenshot-upload.ts';
import { createPasswords, type PasswordCost } from './sessions/password.ts';
import { createSessionLookup } from './authentication/session-lookup.ts';
import { PAGES, V1_ROUTES } from './routes.ts';
import type { Api } from './wire/fastify.ts';
import type { OidcProvider } from './oidc/provider.ts';
import type { MapArchive } from './pages/map-archive.ts';
import type { PaymentProvider } from './payments/provider.ts';

/** Engines and settings that the app is built with. The caller opened them, and closes them after the app. */
export type ApiDependencies = {
  sql: Postgres;
  /** For reads that may be a few seconds old (`#sql/read-replica.ts`); absent: those of the primary. */
  reads?: () => Postgres;
  clickhouse: Clickhouse;
  /** A connection of role `commands`. */
  redis: Redis;
  authority: Authority;
  playQueue: PlayQueue;
  playGroups: PlayGroups;
  storage: ObjectStorage;
  /** The folder where scans are stored while Redis is down; created when it is needed. */
  scansFolder: string;
  signingKeys: SigningKeys;
  /** Keys of upload addresses: the first signs, all verify. */
  uploadKeys: readonly Uint8Array[];
  /** Encrypts secrets that are needed again later. */
  sealer: Sealer;
  /**
   * `holdDays`: how long earnings are held; `accountPauseMs`: how long withdrawals wait after the payout account was
   * changed.
   */
  withdrawals: { holdDays: number; accountPauseMs: Milliseconds };
  /** The provider that takes payments; absent: the operator books incoming money. */
  payments?: PaymentProvider;
  /**
   * Whether webhooks and buckets may have private addresses, plain http and any port (development and tests); absent:
   * no.
   */
  allowPrivate?: boolean;
  /**
   * Base URLs of links, without a slash at the end: `public` for this API, `hub` for the claim page. `delivery` is the
   * whole URL of the socket.
   */
  urls: { public: string; hub: string; delivery: string };
  log: Log;
  /** Milliseconds since 1970. */
  now: () => Milliseconds;
  /** Origins whose pages may call; absent: none. */
  corsOrigins?: ReadonlySet<string>;
  /** Who may sign up without the operator; absent: nobody. */
  signUpKinds?: ReadonlySet<SignUpKind>;
  /** The OpenID provider that signs people in; absent: there is none. */
  oidc?: OidcProvider;
  /** Sends invitations by mail; absent: nothing is sent. */
  mailer?: Mailer;
  /** The street tiles that the operator has mounted; absent: maps show countries alone. */
  mapArchive?: MapArchive;
  /** Whether links of the demo sign in; absent: no. */
  takesSignInLinks?: boolean;
  /** Proxies whose X-Forwarded-For is believed; absent: none. */
  trustProxy?: TrustProxy;
  /** How long a call may wait for Redis to count it against its rate limit, in ms; absent: the limiter's own bound. */
  redisMsMax?: Milliseconds;
  /**
   * How long a body may take, and over which time the rate of an upload is measured, in ms; absent: the API's own
   * bound.
   */
  bodyMsMax?: Milliseconds;
  /** How long the head of a request may take, in ms; absent: the API's own bound. */
  headMsMax?: Milliseconds;
  /** The cost of a password hash; absent: as OWASP recommends. Tests sign many people in. */
  passwordCost?: PasswordCost;
  /** The compilers of route schemas; absent: Fastify's own compilers, all before the first call. */
  schemaController?: NonNullable<FastifyServerOptions['schemaController']>;
};

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
  // After a change of a workspace that affects everyone in it
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
  const dependencies = {
    ...given,
    ...createParts(given),
    identify: authentication.identify,
    identifyCaller: (request: FastifyRequest) => identifyCaller(admission, request),
    forgetKey,
    forgetWorkspaces,
    keyGuesses,
  };
  const app = createServer(given, admission);
  const routes = watchRoutes(app);
  addHooks(app, dependencies, admission);
  await registerOpenapi(app, { publicUrl: given.urls.public });
  await app.register(
    async v1 => {
      await v1.register(accepts);
      await v1.register(etag, { hashFn: hashOf }); // and 304 where `If-None-Match` names what would be answered
      for (const declare of V1_ROUTES) declare(v1, dependencies);
    },
    { prefix: '/v1' },
  );
  await app.register(async open => uploadRoutes(open as Api, dependencies));
  await app.register(async open => screenshotUploadRoutes(open as Api, dependencies));
  for (const declare of PAGES) declare(app, dependencies);
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

/** Creates what routes share besides the inputs. This opens no connection and sends no query. */
function createParts(given: ApiDependencies) {
  return {
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
