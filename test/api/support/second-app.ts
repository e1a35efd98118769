/**
 * A second API on the engines of a first one, with connections and memory of its own, as another process would have
 * them. Tests use it to see when a change reaches other processes, or to set options that the first one lacks.
 */
import { createApp } from '../../../api/app.ts';
import type { Api } from '../../../api/wire/fastify.ts';
import type { ApiDependencies } from '../../../api/app.ts';
import { createLog } from '../../../runtime/log.ts';
import { openPostgres, type Postgres } from '../../../sql/postgres.ts';
import { createAuthority } from '#authority/authority.ts';
import { openRedis, redisReady, type Redis } from '../../../sql/redis.ts';
import { createSealer } from '../../../runtime/cryptography/sealed.ts';
import { callApp, WITHDRAWALS, type Answer, type TestApi } from './app-under-test.ts';
import { SHARED_COMPILERS } from './shared-compilers.ts';
import { standIn } from '../../support/stand-in.ts';

/** Another API on the engines of a first one, with connections and memory of its own: as a second process has them. */
export type SecondApi = {
  sql: Postgres;
  redis: Redis;
  /** `stoppedAtMs`: it stands, so that nothing that the app keeps grows old. */
  clock: { offsetMs: number; stoppedAtMs?: number | undefined; now(): number };
  call: TestApi['call'];
  inject: Api['inject'];
  listen(port: number): Promise<void>;
  close(): Promise<void>;
};

export async function startSecondApi(
  first: TestApi,
  options: Pick<ApiDependencies, 'payments' | 'trustProxy' | 'corsOrigins' | 'takesSignInLinks' | 'oidc'> &
    Partial<Pick<ApiDependencies, 'storage'>> = {},
): Promise<SecondApi> {
  const sql = openPostgres(first.engines.databaseUrl, { connectionsMax: 4, applicationName: 'marquee-test' });
  const redis = openRedis(first.engines.redisUrl, { role: 'commands' });
  await redisReady(redis);
  const clock: SecondApi['clock'] = { offsetMs: 0, now: () => clock.stoppedAtMs ?? Date.now() + clock.offsetMs };
  const { app, follow } = await createApp({
    sql,
    redis,
    clickhouse: first.clickhouse,
    authority: createAuthority(redis),
    playQueue: first.playQueue,
    playGroups: first.playGroups,
    signingKeys: first.signingKeys,
    storage: standIn({}), // few tests upload here
    scansFolder: 'no-such-folder',
    uploadKeys: [Buffer.alloc(32)],
    sealer: createSealer(Buffer.alloc(32)),
    withdrawals: WITHDRAWALS,
    urls: { public: 'http://api.test', hub: 'http://hub.test', delivery: 'ws://delivery.test/v1/screens/socket' },
    log: createLog('api', 'silent'),
    now: clock.now,
    schemaController: SHARED_COMPILERS,
    redisMsMax: 10_000, // a slow machine must not look like a Redis that is down
    ...options,
  });
  await follow();
  return {
    sql,
    redis,
    clock,
    inject: app.inject.bind(app) as Api['inject'],
    async listen(port) {
      await app.listen({ host: '127.0.0.1', port });
    },
    call: (method, url, options): Promise<Answer> => callApp(app, method, url, options),
    async close() {
      await app.close();
      redis.disconnect();
      await sql.end({ timeout: 5 });
    },
  };
}
