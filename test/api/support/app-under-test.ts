/**
 * The API as the tests of this folder run it: in this process, over real engines with databases of its own, with a
 * clock that the test moves. Here are also the records that most tests need: a workspace, a key, a creative, the body
 * of a campaign. Every answer is compared with the schema of its route and with the documented error codes before a
 * test sees it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp } from '../../../api/app.ts';
import { readConfiguration, withdrawalsOf } from '../../../api/configuration.ts';
import type { DeclaredRoute } from '../../../api/http/declared-routes.ts';
import type { Api } from '../../../api/wire/fastify.ts';
import type { ApiDependencies } from '../../../api/app.ts';
import { SESSION_COOKIE } from '../../../api/authentication/cookie.ts';
import { displayKey, formatKey, formatSessionToken } from '../../../domain/access/key.ts';
import { formatId, type Handle } from '../../../domain/id.ts';
import { topUp } from '../../../domain/money/ledger.ts';
import { parseSigningKeys, type SigningKeys } from '../../../domain/plays/play.ts';
import { createPlayGroups, type PlayGroups } from '../../../ingest/queue/play-groups.ts';
import { createPlayQueue, type PlayQueue } from '../../../ingest/queue/play-queue.ts';
import { createLog } from '../../../runtime/log.ts';
import type { Clickhouse } from '../../../sql/clickhouse.ts';
import type { Postgres } from '../../../sql/postgres.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import { openRedis, redisReady, type Redis } from '../../../sql/redis.ts';
import { createSealer, type Sealer } from '../../../runtime/cryptography/sealed.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { openStorage } from '../../../storage/open.ts';
import { derivePurposeKey } from '../../../storage/signed-url.ts';
import { reviewCampaigns } from '../../../workers/campaigns/review-campaigns.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { answerFault } from './answer-schemas.ts';
import { SHARED_COMPILERS } from './shared-compilers.ts';
import { undocumented } from './openapi-codes.ts';
import type { ObjectStorage } from '../../../storage/object-storage.ts';
import type { MediaOutcome } from '../../../workers/media/render-media.ts';
import { freshClickhouse, freshPostgres, freshRedisUrl } from '../../support/engines/databases.ts';
import { PIXEL, PROGRAMS, renderWaiting } from '../../support/media.ts';
import { rowsOf, type Loose } from './answer.ts';
import { standIn } from '../../support/stand-in.ts';

/** The API over real engines, with databases of its own and a clock that the test moves. */
export type TestApi = {
  app: Api;
  routes: readonly DeclaredRoute[];
  sql: Postgres;
  clickhouse: Clickhouse;
  redis: Redis;
  authority: Authority;
  playQueue: PlayQueue;
  playGroups: PlayGroups;
  signingKeys: SigningKeys;
  queueName: string;
  /** The addresses of its engines, for another process on them. */
  engines: { databaseUrl: string; redisUrl: string; clickhouseUrl: string };
  clock: { offsetMs: number; now(): number };
  /** What jobs of the workers run on, over the same engines. */
  workers: JobContext;
  /** Lets the rules review all campaigns that wait for them. */
  review(): Promise<void>;
  storage: ObjectStorage;
  sealer: Sealer;
  /** Lets the workers check and render all uploads that have come. */
  render(): Promise<MediaOutcome[]>;
  call(method: string, url: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
};
type CallOptions = {
  key?: string;
  body?: unknown;
  payload?: string | Buffer;
  headers?: Record<string, string>;
  /** The address that it comes from. */ from?: string;
};
export type { Loose };
export type Answer = { status: number; body: Loose; headers: Record<string, string | undefined>; raw: Buffer };

/** The variables without which the API does not start. What is not among them has the product's default. */
export const REQUIRED_VARIABLES = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1/db',
  REDIS_URL: 'redis://127.0.0.1',
  CLICKHOUSE_URL: 'http://127.0.0.1',
  DELIVERY_URL: 'wss://127.0.0.1/v1/screens/socket',
  PUBLIC_URL: 'https://marquee.example.com',
  STORAGE_URL: 'file:///tmp/objects',
  SIGNING_KEYS: '1:AAECAwQFBgcICQoLDA0ODw==',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

/** The product's defaults: when venues can withdraw if the operator sets nothing. */
export const WITHDRAWALS = withdrawalsOf(readConfiguration(REQUIRED_VARIABLES));

const SIGNING_KEYS = `2:${randomBytes(16).toString('base64')},1:${randomBytes(16).toString('base64')}`;

/** What a test may give its app beside the engines. */
type Given = Partial<
  Pick<
    ApiDependencies,
    'bodyMsMax' | 'headMsMax' | 'payments' | 'log' | 'signUpKinds' | 'oidc' | 'mapArchive' | 'mailer'
  >
>;

export async function startApi({ log = createLog('api', 'error'), ...given }: Given = {}): Promise<TestApi> {
  const [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickhouse()]);
  const redisUrl = await freshRedisUrl();
  const redis = openRedis(redisUrl, { role: 'commands' });
  const producer = openRedis(redisUrl, { role: 'producer' });
  await Promise.all([redisReady(redis), redisReady(producer)]);
  const queueName = `api-test-${randomBytes(4).toString('hex')}`;
  const playQueue = createPlayQueue({ redis: producer, queueName });
  const playGroups = createPlayGroups({ redis: producer, queueName });
  const folder = await mkdtemp(join(tmpdir(), 'marquee-api-'));
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const signingKeys = parseSigningKeys(SIGNING_KEYS);
  const authority = createAuthority(redis);
  const workers: JobContext = {
    sql: postgres.sql,
    clickhouse: clickhouse.client,
    authority,
    playQueue,
    playGroups,
    plans: standIn({}),
    pool: standIn({}),
    log,
    now: () => new Date(clock.now()),
  };
  const sealer = createSealer(Buffer.alloc(32)); // the same as a second app's
  const storage = await openStorage(pathToFileURL(folder).href, { now: Date.now() });
  const { app, routes, follow } = await createApp({
    sql: postgres.sql,
    clickhouse: clickhouse.client,
    redis,
    authority,
    playQueue,
    playGroups,
    signingKeys,
    log,
    storage,
    scansFolder: join(folder, 'scans'),
    sealer,
    withdrawals: WITHDRAWALS,
    allowPrivate: true,
    uploadKeys: [derivePurposeKey(randomBytes(16), 'upload address')],
    urls: { public: 'http://api.test', hub: 'http://hub.test', delivery: 'ws://delivery.test/v1/screens/socket' },
    now: clock.now,
    ...given,
    schemaController: SHARED_COMPILERS,
    passwordCost: { ln: 10, r: 8, p: 1 }, // a hundredth of what people pay; password.test.ts has the real one
    redisMsMax: 10_000, // a slow machine must not look like a Redis that is down
  });
  await follow();
  return {
    app,
    routes,
    sql: postgres.sql,
    clickhouse: clickhouse.client,
    redis,
    authority,
    playQueue,
    playGroups,
    signingKeys,
    queueName,
    clock,
    workers,
    engines: { databaseUrl: postgres.url, redisUrl, clickhouseUrl: clickhouse.url },
    async review() {
      await reviewCampaigns(workers);
    },
    storage,
    sealer,
    render: () => renderWaiting({ ...workers, storage, programs: PROGRAMS }),
    call: (method, url, options) => callApp(app, method, url, options),
    async close() {
      await app.close();
      await playQueue.close();
      redis.disconnect();
      producer.disconnect();
      await Promise.all([postgres.drop(), clickhouse.drop(), rm(folder, { recursive: true })]);
    },
  };
}

export async function callApp(
  app: Api,
  method: string,
  url: string,
  { key, body, payload, headers = {}, from }: CallOptions = {},
): Promise<Answer> {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(from !== undefined && { remoteAddress: from }),
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(payload !== undefined && { payload }),
  });
  const isJson = /[/+]json/.test(String(response.headers['content-type'])) && response.rawPayload.length > 0;
  const gap =
    isJson && String(response.headers['content-type']).includes('problem+json')
      ? undocumented(app, { method, url, code: response.json<{ code: string }>().code })
      : undefined;
  const fault = gap ?? answerFault(String(response.headers['x-request-id']));
  if (fault !== undefined) throw new Error(fault);
  return {
    status: response.statusCode,
    body: (isJson ? response.json() : undefined) as Loose,
    headers: response.headers as Answer['headers'],
    raw: response.rawPayload,
  };
}

export type TestWorkspace = { handle: Handle<'workspace'>; user: Handle<'user'> };

export async function createWorkspace(
  api: TestApi,
  { kind = 'brand', funds = 0, role = 'owner' }: { kind?: string; funds?: number; role?: string } = {},
): Promise<TestWorkspace> {
  const now = new Date(api.clock.now());
  const [workspace] = await api.sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) values (${kind}, 'Test', 'EUR', ${now}) returning handle`;
  const handle = workspace!.handle;
  const [user] = await api.sql<
    { handle: Handle<'user'> }[]
  >`insert into users (workspace_handle, email, role, created_at) values (${handle}, 'someone@example.com', ${role}, ${now}) returning handle`;
  if (funds > 0) await fund(api, handle, funds);
  return { handle, user: user!.handle };
}

async function fund(api: TestApi, workspace: Handle<'workspace'>, units: number): Promise<void> {
  await inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: new Date(api.clock.now()) }, async unit => {
    await unit.post(
      topUp({
        book: 'live',
        currency: 'EUR',
        workspace,
        amountMicros: units * 1_000_000,
        reference: `fund ${randomBytes(6).toString('hex')}`,
      }),
    );
  });
}

type KeyOptions = {
  surface?: string;
  access?: string;
  mode?: 'live' | 'test';
  expiresAt?: Date;
  revokedAt?: Date | null;
  perMinuteMax?: number;
  perSecondMax?: number;
};

export async function createKey(api: TestApi, workspace: TestWorkspace, options: KeyOptions = {}): Promise<string> {
  const {
    surface = 'ads_manager',
    access = 'read_write',
    mode = 'live',
    expiresAt = new Date(api.clock.now() + 86_400_000),
    revokedAt = null,
  } = options;
  const { perMinuteMax = 1_000_000, perSecondMax = 1_000_000 } = options; // limits have tests of their own
  const key = formatKey(randomBytes(32), mode);
  await api.sql`
    insert into keys (workspace_handle, user_handle, surface, access, mode, hash, display, per_minute_max, per_second_max, created_at, expires_at, revoked_at, is_revoked)
    values (${workspace.handle}, ${workspace.user}, ${surface}, ${access}, ${mode}, ${createHash('sha256').update(key).digest()}, ${displayKey(key)}, ${perMinuteMax}, ${perSecondMax}, ${new Date()}, ${expiresAt}, ${revokedAt}, ${revokedAt !== null})`;
  return key;
}

/** The headers of calls that the console makes for a member, in this workspace. */
export async function createSession(
  { sql }: Pick<TestApi, 'sql'>,
  { handle, user }: TestWorkspace,
): Promise<Record<string, string>> {
  const token = formatSessionToken(randomBytes(32));
  const hash = createHash('sha256').update(token).digest();
  // Its last use lies ahead, so that no call notes its own.
  await sql`
    insert into sessions (person_handle, hash, device, created_at, last_used_at, ends_at)
    select person_handle, ${hash}, '', now(), now() + interval '10 minutes', now() + interval '1 day'
    from users where handle = ${user}`;
  return {
    cookie: `${SESSION_COOKIE}=${token}`,
    'x-requested-with': 'marquee-console',
    'x-workspace-id': formatId('workspace', handle),
  };
}

export const VENUE = {
  name: 'Corner bar',
  type: 'entertainment.bars',
  city: 'Berlin',
  lat: 52.52,
  lng: 13.4,
  timezone: 'Europe/Berlin',
  daily_visitors: 400,
  dwell_minutes: 45,
};

/** Begins like a video; no more is looked at until it is checked. */
export const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom', 'latin1'), randomBytes(5_000)]);

export async function createReadyCreative(api: TestApi, key: string, name = 'Spot'): Promise<string> {
  const created = await api.call('POST', '/v1/creatives', {
    key,
    body: { name, orientation: 'landscape', duration_ms: 10_000, filename: 'spot.png' },
  });
  const uploaded = await upload(api, created.body['upload_url']!, PIXEL, 'image/png');
  if (uploaded.status !== 200) throw new Error(`the upload was answered ${uploaded.status}`);
  await api.render();
  return created.body['id']!;
}

export function upload(
  api: TestApi,
  uploadUrl: string,
  payload: Buffer,
  contentType: string | undefined,
): Promise<Answer> {
  const { pathname, search } = new URL(uploadUrl);
  return api.call('PUT', pathname + search, {
    payload,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });
}

export function dateFromNow(api: TestApi, days: number): string {
  return new Date(api.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
}

export function campaignBody(
  api: TestApi,
  creatives: string[],
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    name: 'Autumn',
    category: 'travel',
    budget: { amount: 100, currency: 'EUR' },
    creatives,
    schedule: { starts: dateFromNow(api, 0), ends: dateFromNow(api, 7) },
    landing_url: 'https://example.com/autumn',
    ...changes,
  };
}

/** What settlement does with one counted play, in short. */
export async function chargePlay(api: TestApi, campaign: number, micros: number): Promise<void> {
  await api.sql.begin(async tx => {
    await tx`update campaigns set charged_micros = charged_micros + ${micros}, charged_plays = charged_plays + 1 where handle = ${campaign}`;
    const [transaction] = await tx<
      { handle: number }[]
    >`insert into ledger_transactions (kind, reference, posted_at) values ('charge', ${`charge ${Math.random()}`}, now()) returning handle`;
    const [from] = await tx<
      { handle: number }[]
    >`select handle from ledger_accounts where kind = 'reservation' and campaign_handle = ${campaign}`;
    const [to] = await tx<{ handle: number }[]>`
      insert into ledger_accounts (kind, book, currency) values ('revenue', 'live', 'EUR') on conflict (name) do update set kind = 'revenue' returning handle`;
    await tx`insert into ledger_postings ${tx([
      { transaction_handle: transaction!.handle, account_handle: from!.handle, amount_micros: -micros },
      { transaction_handle: transaction!.handle, account_handle: to!.handle, amount_micros: micros },
    ])}`;
  });
}

/** The records of a list answer. */
export function dataOf(answer: Pick<Answer, 'body'>): Loose[] {
  return rowsOf<Loose>(answer.body['data']);
}
