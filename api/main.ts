/**
 * The API as a process: it reads its configuration, opens its engines, builds the app, listens, and closes everything
 * in order.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { HOLD_DAYS_DEFAULT, HOLD_DAYS_MAX } from '#domain/money/earnings-hold.ts';
import { parseSigningKeys } from '#domain/plays/play.ts';
import { SIGN_UP_KINDS, type SignUpKind } from '#domain/access/workspace.ts';
import { createPlayGroups } from '#ingest/queue/play-groups.ts';
import { createPlayQueue } from '#ingest/queue/play-queue.ts';
import {
  ConfigError,
  flag,
  integer,
  oneOf,
  optional,
  parsed,
  port,
  readConfig,
  secret,
  text,
  url,
  withDefault,
} from '#runtime/config.ts';
import { configOrExit, runService, type Running } from '#runtime/lifecycle.ts';
import { createLog, LOG_LEVELS, type Log } from '#runtime/log.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { parseClusterName } from '#sql/clickhouse-cluster.ts';
import { CONNECTIONS, openPostgres } from '#sql/postgres.ts';
import { createReads } from '#sql/read-replica.ts';
import { joinAuthority, authorityVariables, openAuthorityRedis } from '#authority/connection.ts';
import { createAuthority } from '#authority/authority.ts';
import { createSealer, parseEncryptionKey } from '#sql/sealed.ts';
import { openStorage } from '#storage/open.ts';
import { derivePurposeKey } from '#storage/signed-url.ts';
import { createApp } from './app.ts';
import type { ApiDependencies } from './dependencies.ts';
import { parseOrigins } from './http/cross-origin.ts';
import { drainApp } from './http/drain.ts';

const CONFIG = {
  PORT: withDefault(port(), 8080),
  HOST: withDefault(text(), '127.0.0.1'),
  OPS_PORT: withDefault(port(), 0),
  OPS_HOST: withDefault(text(), '127.0.0.1'),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_REPLICA_URL: optional(url('postgres:', 'postgresql:')),
  ...authorityVariables(),
  CLICKHOUSE_URL: url('http:', 'https:'),
  CLICKHOUSE_CLUSTER: optional(parsed('the name of a cluster', parseClusterName)),
  PUBLIC_URL: url('http:', 'https:'),
  HUB_URL: optional(url('http:', 'https:')),
  DELIVERY_URL: url('ws:', 'wss:'),
  SIGNING_KEYS: parsed('a list of number:base64 keys of 16 bytes, the current first', parseKeys),
  STORAGE_URL: url('file:', 's3:'),
  DATA_DIR: withDefault(text(), '.data'),
  LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
  TRUST_PROXY: optional(text()),
  CORS_ORIGINS: optional(parsed('origins such as https://app.example.com, comma-separated, or *', parseOrigins)),
  ENCRYPTION_KEY: parsed('32 bytes in base64', parseEncryptionKey),
  EARNINGS_HOLD_DAYS: withDefault(integer({ min: 0, max: HOLD_DAYS_MAX }), HOLD_DAYS_DEFAULT),
  PAYOUT_ACCOUNT_PAUSE_HOURS: withDefault(integer({ min: 0, max: 720 }), 24),
  STRIPE_SECRET_KEY: optional(secret()),
  STRIPE_WEBHOOK_SECRET: optional(secret()),
  STRIPE_API_BASE: optional(url('http:', 'https:')),
  SIGN_UP: optional(parsed(`of ${SIGN_UP_KINDS.join(', ')}, comma-separated`, parseSignUp)),
  WEBHOOK_ALLOW_PRIVATE: withDefault(flag(), false),
};

function parseSignUp(value: string): ReadonlySet<SignUpKind> {
  return new Set(
    value.split(',').map(text => {
      const kind = SIGN_UP_KINDS.find(candidate => candidate === text.trim());
      if (kind === undefined) throw new Error('kind');
      return kind;
    }),
  );
}

function parseKeys(value: string) {
  const keys = parseSigningKeys(value);
  if (typeof keys === 'string') throw new Error(keys);
  // Upload addresses have a key of their own, derived, so that one signature is never good for the other purpose.
  const uploadKeys = value
    .split(',')
    .map(pair => derivePurposeKey(Buffer.from(pair.slice(pair.indexOf(':') + 1), 'base64'), 'upload address'));
  return { keys, uploadKeys };
}

const config = configOrExit(() => {
  const read = readConfig(CONFIG, process.env);
  if ((read.STRIPE_SECRET_KEY === undefined) !== (read.STRIPE_WEBHOOK_SECRET === undefined))
    throw new ConfigError([
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: without the second nothing that is paid would be booked',
    ]);
  return read;
});
const log = createLog('api', config.LOG_LEVEL);
await runService({ name: 'api', log, opsPort: config.OPS_PORT, opsHost: config.OPS_HOST, start: () => start(log) });

/** Opens the payment provider, if one is configured. Its library is large, so it is loaded only then. */
async function openPayments(): Promise<Pick<ApiDependencies, 'payments'>> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = config;
  if (secretKey === undefined || webhookSecret === undefined) return {};
  const { createStripe } = await import('./payments/stripe.ts');
  return { payments: createStripe({ secretKey, webhookSecret, apiBase }) };
}

async function start(log: Log): Promise<Running> {
  const sql = openPostgres(config.DATABASE_URL, {
    connectionsMax: CONNECTIONS.api.postgres - 1,
    applicationName: 'marquee-api',
  });
  const replica =
    config.DATABASE_REPLICA_URL === undefined
      ? undefined
      : openPostgres(config.DATABASE_REPLICA_URL, {
          connectionsMax: CONNECTIONS.api.postgres,
          applicationName: 'marquee-api',
        });
  const reads = createReads({ primary: sql, replica });
  const clickhouse = openClickhouse(config.CLICKHOUSE_URL, {
    application: 'marquee-api',
    connectionsMax: CONNECTIONS.api.clickhouse,
    cluster: config.CLICKHOUSE_CLUSTER,
  });
  const onError = (error: Error) => log.warn({ err: error }, 'the connection to Redis was lost');
  const redis = openAuthorityRedis(config, { role: 'commands', onError });
  const producer = openAuthorityRedis(config, { role: 'producer', onError });
  await joinAuthority(sql, config);
  const intake = createPlayQueue({ redis: producer });
  const { app, follow } = await createApp({
    sql,
    reads: reads.sql,
    clickhouse,
    redis,
    intake,
    playGroups: createPlayGroups({ redis: producer }),
    log,
    authority: createAuthority(redis),
    scansFolder: join(config.DATA_DIR, 'scans'),
    storage: await openStorage(config.STORAGE_URL, { now: Date.now() }),
    signingKeys: config.SIGNING_KEYS.keys,
    uploadKeys: config.SIGNING_KEYS.uploadKeys,
    sealer: createSealer(config.ENCRYPTION_KEY),
    withdrawals: { holdDays: config.EARNINGS_HOLD_DAYS, accountPauseMs: config.PAYOUT_ACCOUNT_PAUSE_HOURS * 3_600_000 },
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    urls: { public: config.PUBLIC_URL, hub: config.HUB_URL ?? config.PUBLIC_URL, delivery: config.DELIVERY_URL },
    now: Date.now,
    ...(config.CORS_ORIGINS !== undefined && { corsOrigins: config.CORS_ORIGINS }),
    ...(await openPayments()),
    ...(config.SIGN_UP !== undefined && { signUpKinds: config.SIGN_UP }),
    ...(config.TRUST_PROXY !== undefined && { trustProxy: config.TRUST_PROXY }),
  });
  await follow();
  await app.listen({ port: config.PORT, host: config.HOST });
  return {
    port: (app.server.address() as AddressInfo).port,
    async close() {
      await drainApp(app);
      await intake.close();
      redis.disconnect();
      producer.disconnect();
      await reads.close();
      await Promise.all([sql.end({ timeout: 5 }), replica?.end({ timeout: 5 }), clickhouse.close()]);
    },
  };
}
