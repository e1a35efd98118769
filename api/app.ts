import { randomUUID } from 'node:crypto';
import accepts from '@fastify/accepts';
import etag from '@fastify/etag';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { KeyMode } from '#domain/access/key.ts';
import type { SigningKeys } from '#domain/plays/play.ts';
import { isRefusal, refuse } from '#domain/refusal.ts';
import type { SignUpKind } from '#domain/access/workspace.ts';
import type { Intake } from '#ingest/intake.ts';
import type { Log } from '#runtime/log.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { listenForKeyChanges } from '#records/key-changes.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Authority } from '#authority/authority.ts';
import type { Redis } from '#sql/redis.ts';
import type { Sealer } from '#sql/sealed.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import { logAccess } from './http/access-log.ts';
import { createClientLookup } from './agency/client-lookup.ts';
import { agencyRoutes } from './agency/routes.ts';
import { playlistAssetRoutes } from './assets/routes.ts';
import { auditExportRoutes, exportFileRoutes } from './audit/export-routes.ts';
import { auditRoutes } from './audit/routes.ts';
import {
  admitRequest,
  countStray,
  createAuthentication,
  type Admission,
  type Authentication,
  type RouteAccess,
} from './authentication.ts';
import { breachOfBounds, breachOfNoBody } from './http/body-bounds.ts';
import { beginBody, endBody } from './http/body-deadline.ts';
import { createCallLog, type CallLog } from './http/call-log.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { creativeRoutes } from './creatives/routes.ts';
import { allowCrossOrigin } from './http/cross-origin.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { assetRoutes } from './devices/assets.ts';
import { claimRoutes } from './devices/claim.ts';
import { playerRoutes } from './devices/player.ts';
import { createScanBatches, type ScanBatches } from './devices/scan-batches.ts';
import { createUncountedScans, type UncountedScans } from './devices/uncounted-scans.ts';
import { scanRoutes } from './devices/scans.ts';
import { uploadRoutes } from './uploads/uploads.ts';
import { docsRoutes } from './docs.ts';
import { refuseConnection, refuseUnknownPath, replyToError, sendRefusal } from './http/error-reply.ts';
import { createForecastDesk, type ForecastDesk } from './forecasts/desk.ts';
import { forecastRoutes } from './forecasts/routes.ts';
import { createGuessLimit, GUESSES, type GuessLimit } from './rate-limit/guess-limit.ts';
import { keepOpenReply, prepareOnce } from './idempotency.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { registerOpenapi } from './openapi/openapi.ts';
import { pairingRoutes } from './pairing/routes.ts';
import { placeRoutes } from './places/routes.ts';
import { cardPageRoutes, playlistRoutes } from './playlists/routes.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { paymentRoutes } from './payments/routes.ts';
import { payoutRoutes } from './payouts/routes.ts';
import { createRateLimit } from './rate-limit/rate-limit.ts';
import { reportingRoutes } from './reporting/routes.ts';
import { createRefusalLog } from './http/refusal-log.ts';
import { refuseRepeatedHeader } from './http/repeated-header.ts';
import { beginRequest, observeRequest } from './http/request-metrics.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { screenRoutes } from './screens/routes.ts';
import { sensorRoutes } from './screens/sensor-routes.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import { strict } from './shapes.ts';
import { signUpRoutes } from './sign-up/routes.ts';
import { menuPageRoutes, menuRoutes } from './menus/routes.ts';
import { venueRoutes } from './venues/routes.ts';
import { walletRoutes } from './wallet/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Engines and settings that the app is built over. The caller opened them and closes them after the app. */
export type ApiDeps = {
  sql: Postgres;
  /** For reads that may be seconds old (`#sql/read-replica.ts`); absent: `sql`. */
  reads?: () => Postgres;
  clickhouse: Clickhouse;
  /** A connection of role `commands`. */
  redis: Redis;
  authority: Authority;
  intake: Intake;
  storage: ObjectStorage;
  /** Where scans are kept while Redis is away; made when it is needed. */
  scansFolder: string;
  signingKeys: SigningKeys;
  /** Keys of upload addresses: the first signs, all verify. */
  uploadKeys: readonly Uint8Array[];
  /** Seals secrets that are needed again. */
  sealer: Sealer;
  /** `holdDays`: for how long earnings are held; `accountPauseMs`: how long withdrawals wait after the account that they go to was changed. */
  withdrawals: { holdDays: number; accountPauseMs: number };
  /** Where top-ups are paid; absent: nowhere, the operator books what has come. */
  payments?: PaymentProvider;
  /** Webhooks and buckets may have private addresses, plain http and any port: development and tests; absent: no. */
  allowPrivate?: boolean;
  /** Bases of links, without a slash at the end: this API, the claim page; `delivery` is the whole socket address. */
  urls: { public: string; hub: string; delivery: string };
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Origins whose pages may call; absent: none. */
  corsOrigins?: ReadonlySet<string>;
  /** Who may make a workspace without the operator; absent: nobody. */
  signUpKinds?: ReadonlySet<SignUpKind>;
  /** Addresses or networks of proxies whose X-Forwarded-For is believed; absent: none. */
  trustProxy?: string;
  /** How long a call may wait for Redis to be counted against its limits, in ms; absent: the limiter's own bound. */
  redisMsMax?: number;
  /** How long a body may take, and over what time the rate of a file is looked at, in ms; absent: the API's own bound. */
  bodyMsMax?: number;
  /** How long the head of a request may take, in ms; absent: the API's own bound. */
  headMsMax?: number;
};

/** What routes work with: the dependencies, and what the app itself keeps. */
export type ApiParts = Omit<ApiDeps, 'payments'> & {
  payments: PaymentProvider | undefined;
  reads: () => Postgres;
  forgetKey: Authentication['forget'];
  identify: Authentication['identify'];
  guesses: GuessLimit;
  invitationGuesses: GuessLimit;
  signUpTries: GuessLimit;
  signatureGuesses: GuessLimit;
  scanBatches: ScanBatches;
  uncounted: UncountedScans;
  callLog: CallLog;
  forecasts: ForecastDesk;
};

export type DeclaredRoute = { method: string; url: string; access: RouteAccess; mode: KeyMode | undefined };

/** A whole request, its body included: 200 MiB over a line of 2 Mbit/s. Without it a slow sender holds a socket for ever. */
const REQUEST_MS_MAX = 15 * 60 * 1_000;
/** What comes before a body, on a connection on which nothing else is read. */
const HEADERS_MS_MAX = 15_000;
/** How often Node looks for those that are over it: every 5 s. */
const CHECKS_OF_HEAD = 1 / 3;
const BODY_BYTES_MAX = 1024 * 1024;
const PARAM_LENGTH_MAX = 200; // the longest is an asset's name of 70 characters
const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Builds the app without listening, so that tests can inject requests. `routes` lists what was declared, for the test
 * that compares every route with the permission table. `follow` begins to hear of keys that other processes change.
 */
export async function createApp(
  deps: ApiDeps,
): Promise<{ app: Api; routes: readonly DeclaredRoute[]; follow: () => Promise<void> }> {
  const { headMsMax = HEADERS_MS_MAX } = deps;
  const authentication = createAuthentication(deps);
  const admission: Admission = {
    authentication,
    clients: createClientLookup(deps),
    rateLimit: createRateLimit(deps),
    keyGuesses: createGuessLimit(deps, GUESSES.keys),
    now: deps.now,
  };
  const app: Api = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_MS_MAX,
    http: { headersTimeout: headMsMax, connectionsCheckingInterval: headMsMax * CHECKS_OF_HEAD },
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: deps.trustProxy ?? false,
    genReqId: () => `req_${randomUUID().replaceAll('-', '').slice(-24)}`, // Node draws its randomness in stock, which randomBytes does not
    requestIdHeader: false,
    return503OnClosing: false, // a request on a connection that is being drained is answered, and its connection closed
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    // All faults of a form at once; body-bounds keeps their number small. Nothing is coerced, filled in or taken away.
    ajv: { customOptions: { allErrors: true, removeAdditional: false, coerceTypes: false, useDefaults: false } },
    clientErrorHandler: (error, socket) => refuseConnection(error as NodeJS.ErrnoException, socket),
    frameworkErrors: (error, request, reply) => {
      openReply(request, reply); // no hook runs for an address that could not be read
      void replyToUnreadable(error, { admission, request, reply });
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  const scanBatches = createScanBatches({ intake: deps.intake, log: deps.log, folder: deps.scansFolder });
  const uncounted = createUncountedScans(deps);
  const callLog = createCallLog(deps);
  const forecasts = createForecastDesk(deps);
  const parts: ApiParts = {
    ...deps,
    payments: deps.payments,
    reads: deps.reads ?? (() => deps.sql),
    forgetKey: authentication.forget,
    identify: authentication.identify,
    scanBatches,
    uncounted,
    callLog,
    forecasts,
    guesses: createGuessLimit(deps, GUESSES.codes),
    invitationGuesses: createGuessLimit(deps, GUESSES.invitations),
    signUpTries: createGuessLimit(deps, GUESSES.signUps),
    signatureGuesses: createGuessLimit(deps, GUESSES.signatures),
  };
  const routes = watchRoutes(app);
  addHooks(app, parts, admission);
  await registerOpenapi(app, { publicUrl: deps.urls.public });
  await app.register(
    async v1 => {
      await v1.register(accepts);
      await v1.register(etag); // and 304 where `If-None-Match` names what would be answered
      declareV1(v1, parts);
    },
    { prefix: '/v1' },
  );
  await app.register(async open => uploadRoutes(open as Api, parts));
  healthRoutes(app);
  docsRoutes(app, { publicUrl: deps.urls.public });
  assetRoutes(app, parts);
  menuPageRoutes(app, parts);
  cardPageRoutes(app, parts);
  scanRoutes(app, parts);
  exportFileRoutes(app, parts);
  claimRoutes(app, playerRoutes(app, parts));
  const declared = [...routes];
  refuseOtherMethods(app, declared, admission);
  let unlisten: (() => Promise<void>) | undefined;
  const follow = async () => {
    unlisten = await listenForKeyChanges(deps.sql, { onKey: authentication.forget, onGap: authentication.forget });
  };
  app.addHook('onClose', async () => {
    await Promise.all([scanBatches.close(), uncounted.close(), callLog.close(), forecasts.close(), unlisten?.()]);
  });
  await app.ready();
  return { app, routes: declared, follow };
}

/** The routes under /v1. One line per surface. */
function declareV1(v1: Api, parts: ApiParts): void {
  venueRoutes(v1, parts);
  menuRoutes(v1, parts);
  playlistRoutes(v1, parts);
  pairingRoutes(v1, parts);
  screenRoutes(v1, parts);
  sensorRoutes(v1, parts);
  creativeRoutes(v1, parts);
  playlistAssetRoutes(v1, parts);
  campaignRoutes(v1, parts);
  catalogueRoutes(v1, parts);
  forecastRoutes(v1, parts);
  placeRoutes(v1, parts);
  walletRoutes(v1, parts);
  paymentRoutes(v1, parts);
  invoiceRoutes(v1, parts);
  payoutRoutes(v1, parts);
  agencyRoutes(v1, parts);
  keyRoutes(v1, parts);
  meRoutes(v1, parts);
  memberRoutes(v1, parts);
  invitationRoutes(v1, parts);
  signUpRoutes(v1, parts);
  sandboxRoutes(v1, parts);
  auditRoutes(v1, parts);
  auditExportRoutes(v1, parts);
  webhookRoutes(v1, parts);
  reportingRoutes(v1, parts);
  decisionRoutes(v1, parts);
}

/** For a load balancer on the public port. A draining app takes no connections, so whoever is answered may send more. */
function healthRoutes(app: Api): void {
  const config = { access: 'public' } as const;
  app.get('/livez', { config }, async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', { config }, async (_request, reply) => reply.type('text/plain').send('ready\n'));
}

/** What every answer carries. */
function openReply(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  setSecurityHeaders(request, reply);
}

/** An address that could not be read is a path that there is not: counted and answered as such. */
async function replyToUnreadable(
  error: FastifyError,
  { admission, request, reply }: { admission: Admission; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  try {
    const refusal = await countStray(admission, request, reply);
    if (refusal) sendRefusal(reply, refusal);
    else replyToError(error, request, reply);
  } catch (failure) {
    replyToError(failure as FastifyError, request, reply);
  }
}

function addHooks(app: Api, parts: ApiParts, admission: Admission): void {
  const origins = parts.corsOrigins ?? new Set<string>();
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('principal', null);
  app.decorateRequest('once', null);
  app.decorateRequest('bodyTimer', null);
  const refusalLog = createRefusalLog(parts);
  app.decorateRequest('isAudited', false);
  app.decorateRequest('refusalCode', null);
  app.addHook('onRequest', async (request, reply) => {
    beginRequest();
    openReply(request, reply);
    if (allowCrossOrigin(origins, request, reply)) return reply.code(204).send();
    const refusal = refuseRepeatedHeader(request.raw) ?? (await admitRequest(admission, request, reply));
    if (refusal) return sendRefusal(reply, refusal);
    if (request.is404)
      return sendRefusal(reply, (await countStray(admission, request, reply)) ?? refuseUnknownPath(request)); // before a body is read
    if (request.routeOptions.config.hasFile !== true) beginBody(request, reply, parts.bodyMsMax);
  });
  app.addHook('preValidation', async (request, reply) => {
    endBody(request);
    const takesBody = request.routeOptions.schema?.body !== undefined;
    const isKeyless = request.principal === null; // the bytes of an upload, which its route reads
    const breach = takesBody ? breachOfBounds(request.body) : isKeyless ? undefined : breachOfNoBody(request.body);
    if (breach) return sendRefusal(reply, breach);
  });
  app.addHook('preHandler', async (request, reply) => {
    const before = await prepareOnce(parts, request, reply);
    return isRefusal(before) ? sendRefusal(reply, before) : before;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    await keepOpenReply(parts, { request, reply, payload });
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    endBody(request);
    observeRequest(request, reply);
    logAccess(parts.log, request, reply);
    refusalLog.note(request, reply);
    parts.callLog.note(request, reply);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => replyToError(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => sendRefusal(reply, refuseUnknownPath(request))); // the hook above has answered
}

/**
 * Every route says who may call it and what its query may hold: one that does not is a bug, found at start. A route
 * under /v1 that names no query parameters takes none.
 */
function watchRoutes(app: Api): DeclaredRoute[] {
  const routes: DeclaredRoute[] = [];
  app.addHook('onRoute', (route: RouteOptions) => {
    const access = route.config?.access;
    if (access === undefined)
      throw new Error(`the route ${String(route.method)} ${route.url} does not say who may call it`);
    if (route.url.startsWith('/v1/')) route.schema = { querystring: strict({}), ...route.schema };
    for (const method of [route.method].flat())
      routes.push({ method, url: route.url, access, mode: route.config?.mode });
  });
  return routes;
}

/** 405 with `Allow` for every method that a known path does not have. */
function refuseOtherMethods(app: Api, routes: readonly DeclaredRoute[], admission: Admission): void {
  for (const url of new Set(routes.map(route => route.url))) {
    const allowed = routes.filter(route => route.url === url).map(route => route.method);
    app.route({
      method: METHODS.filter(method => !allowed.includes(method)),
      url,
      config: { access: 'public' },
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const refusal = await countStray(admission, request, reply);
        if (refusal) return sendRefusal(reply, refusal);
        void reply.header('allow', allowed.join(', '));
        return sendRefusal(
          reply,
          refuse('method_not_allowed', `${request.method} is not among ${allowed.join(', ')}.`),
        );
      },
      handler: async () => undefined,
    });
  }
}
