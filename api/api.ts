/** Assembles the API: the engines, the app over them, and the port; and shuts it down in reverse order. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createPlayGroups } from '#ingest/queue/play-groups.ts';
import { createPlayQueue, type PlayQueue } from '#ingest/queue/play-queue.ts';
import { assertWritable } from '#runtime/durable-file.ts';
import type { Running } from '#runtime/lifecycle.ts';
import type { Log } from '#runtime/log.ts';
import { createAuthority } from '#authority/authority.ts';
import { createSealer } from '#runtime/cryptography/sealed.ts';
import { openStorage } from '#storage/open.ts';
import { createApp } from './app.ts';
import { withdrawalsOf, type Configuration } from './configuration.ts';
import { CALLBACK_PATH } from './oidc/routes.ts';
import { closeEngines, openEngines, type Engines } from './engines.ts';
import { drainApp } from './http/drain.ts';
import { openMapArchive, type MapArchive } from './pages/map-archive.ts';
import type { ApiDependencies } from './app.ts';

/** Starts the API; resolves when it answers calls. @throws the fault that prevents the start. */
export async function startApi(config: Configuration, log: Log): Promise<Running> {
  assertWritable(config.DATA_DIR, 'DATA_DIR');
  const engines = await openEngines(config, log);
  const playQueue = createPlayQueue({ redis: engines.producer });
  const mapArchive = config.MAP_TILES === undefined ? undefined : await openMapArchive(config.MAP_TILES, log);
  const { app, follow } = await createApp(await dependenciesOf(config, { engines, playQueue, mapArchive, log }));
  await follow();
  await app.listen({ port: config.PORT, host: config.HOST });
  return {
    port: (app.server.address() as AddressInfo).port,
    async close() {
      await drainApp(app);
      await Promise.all([playQueue.close(), mapArchive?.close()]);
      await closeEngines(engines);
    },
  };
}

type Opened = { engines: Engines; playQueue: PlayQueue; mapArchive: MapArchive | undefined; log: Log };

async function dependenciesOf(config: Configuration, opened: Opened): Promise<ApiDependencies> {
  const { engines, playQueue, mapArchive, log } = opened;
  const { sql, reads, clickhouse, redis, producer } = engines;
  return {
    sql,
    reads: reads.sql,
    clickhouse,
    redis,
    playQueue,
    playGroups: createPlayGroups({ redis: producer }),
    log,
    authority: createAuthority(redis),
    scansFolder: join(config.DATA_DIR, 'scans'),
    storage: await openStorage(config.STORAGE_URL, { now: Date.now() }),
    signingKeys: config.SIGNING_KEYS.keys,
    uploadKeys: config.SIGNING_KEYS.uploadKeys,
    sealer: createSealer(config.ENCRYPTION_KEY),
    withdrawals: withdrawalsOf(config),
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    urls: { public: config.PUBLIC_URL, hub: config.HUB_URL ?? config.PUBLIC_URL, delivery: config.DELIVERY_URL },
    now: Date.now,
    ...(config.CORS_ORIGINS !== undefined && { corsOrigins: config.CORS_ORIGINS }),
    ...(await openPayments(config)),
    ...(config.SIGN_UP !== undefined && { signUpKinds: config.SIGN_UP }),
    ...(await openMailer(config, log)),
    ...(mapArchive && { mapArchive }),
    takesSignInLinks: config.DEMO_SIGN_IN,
    ...(await openOidc(config)),
    ...(config.TRUST_PROXY !== undefined && { trustProxy: config.TRUST_PROXY }),
  };
}

/** Opens the OpenID provider, if one is configured. */
async function openOidc(config: Configuration): Promise<Pick<ApiDependencies, 'oidc'>> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL: base } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return {};
  const { createOidcProvider } = await import('./oidc/provider.ts');
  const uris = { redirectUri: `${base}${CALLBACK_PATH}`, signedOutUri: `${base}/console` };
  return { oidc: createOidcProvider({ issuer, clientId, clientSecret, ...uris }) };
}

/** Opens the mailer, if a mail server is configured. It connects for each mail. */
async function openMailer(config: Configuration, log: Log): Promise<Pick<ApiDependencies, 'mailer'>> {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined || from === undefined) return {};
  const { createMailer } = await import('#runtime/mail/mailer.ts');
  return { mailer: createMailer({ url, from, log }) };
}

/** Opens the payment provider, if one is configured. Its library is large, so it is loaded only then. */
async function openPayments(config: Configuration): Promise<Pick<ApiDependencies, 'payments'>> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = config;
  if (secretKey === undefined || webhookSecret === undefined) return {};
  const { createStripe } = await import('./payments/stripe.ts');
  return { payments: createStripe({ secretKey, webhookSecret, apiBase }) };
}
