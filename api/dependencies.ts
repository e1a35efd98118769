/**
 * What the API is built over and what its routes work with, as types: no route needs to know how the app is put together
 * (`app.ts`) to say what it uses.
 */
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { SignUpKind } from '#domain/access/workspace.ts';
import type { SigningKeys } from '#domain/plays/play.ts';
import type { Intake } from '#ingest/intake.ts';
import type { Log } from '#runtime/log.ts';
import type { Authority } from '#authority/authority.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import type { Sealer } from '#sql/sealed.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import type { Authentication } from './authentication.ts';
import type { DeliveryReads } from './campaigns/delivery.ts';
import type { ScanBatches } from './devices/scan-batches.ts';
import type { UncountedScans } from './devices/uncounted-scans.ts';
import type { ForecastDesk } from './forecasts/desk.ts';
import type { CallLog } from './http/logs/call-log.ts';
import type { PaymentProvider } from './payments/provider.ts';
import type { GuessLimit } from './rate-limit/guess-limit.ts';
import type { NotCountedReads } from './reporting/not-counted.ts';

/** The Fastify instance of the API, whose handlers are typed by their TypeBox schemas. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Engines and settings that the app is built over. The caller opened them and closes them after the app. */
export type ApiDependencies = {
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

/** What routes work with: what the app was given, and what it makes and keeps itself. */
export type RouteDependencies = Omit<ApiDependencies, 'payments'> & {
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
  deliveries: DeliveryReads;
  notCountedReads: NotCountedReads;
};
