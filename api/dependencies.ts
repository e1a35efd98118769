/**
 * The types of the API's inputs and of the dependencies of its routes. Routes import them from here, so that none of
 * them depends on how `app.ts` puts the app together.
 */
import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import type { SignUpKind } from '#domain/access/workspace.ts';
import type { SigningKeys } from '#domain/plays/play.ts';
import type { Refusal } from '#domain/refusal.ts';
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
import type { Authentication } from './authentication/key-lookup.ts';
import type { Principal } from './authentication/principal.ts';
import type { CampaignReads, CampaignWrites } from './campaigns/new-campaign.ts';
import type { DeliveryReads } from './campaigns/delivery.ts';
import type { CampaignDetails } from './campaigns/detail.ts';
import type { CampaignRecords } from './campaigns/record-cache.ts';
import type { ScanBatches } from './scans/scan-batches.ts';
import type { UncountedScans } from './scans/uncounted-scans.ts';
import type { Forecaster } from './forecasts/forecaster.ts';
import type { CallLog } from './http/logs/call-log.ts';
import type { ReplyLookup } from './idempotency/idempotency.ts';
import type { OidcProvider } from './oidc/provider.ts';
import type { MapArchive } from './pages/map-archive.ts';
import type { PaymentProvider } from './payments/provider.ts';
import type { Places } from '#runtime/places.ts';
import type { GuessLimit } from './rate-limit/guess-limit.ts';
import type { FigureReads } from './figures/figure-reads.ts';
import type { NotCountedReads } from './reporting/not-counted.ts';
import type { PasswordCost, Passwords } from './sessions/password.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Engines and settings that the app is built with. The caller opened them, and closes them after the app. */
export type ApiDependencies = {
  sql: Postgres;
  /** For reads that may be a few seconds old (`#sql/read-replica.ts`); absent: `sql`. */
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

/** The dependencies of routes: the app's inputs, and what it creates itself. */
export type RouteDependencies = Omit<ApiDependencies, 'payments'> & {
  payments: PaymentProvider | undefined;
  reads: () => Postgres;
  forgetKey: Authentication['forget'];
  /** After a change of a workspace that affects everyone in it: this process drops all that it has cached. */
  forgetWorkspaces: () => void;
  identify: Authentication['identify'];
  /**
   * The caller of a route that is open to everyone: the principal of a key or a session, or the reason why there is
   * none.
   */
  identifyCaller: (request: FastifyRequest) => Principal | Refusal | Promise<Principal | Refusal>;
  guesses: GuessLimit;
  keyGuesses: GuessLimit;
  invitationGuesses: GuessLimit;
  sharedReportReads: GuessLimit;
  mapTileReads: GuessLimit;
  mailsOfWorkspace: GuessLimit;
  mailsToAddress: GuessLimit;
  resetMails: GuessLimit;
  resetPlaces: Places;
  signUpTries: GuessLimit;
  signInTries: GuessLimit;
  oidcReturns: GuessLimit;
  personTries: GuessLimit;
  passwords: Passwords;
  signatureGuesses: GuessLimit;
  scanBatches: ScanBatches;
  uncounted: UncountedScans;
  callLog: CallLog;
  findReply: ReplyLookup;
  campaignReads: CampaignReads;
  campaignWrites: CampaignWrites;
  forecasts: Forecaster;
  campaigns: CampaignRecords;
  deliveries: DeliveryReads;
  details: CampaignDetails;
  figures: FigureReads;
  notCountedReads: NotCountedReads;
};
