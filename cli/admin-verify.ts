import { formatId, parseId } from '#domain/id.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { openRedis, redisReady, shardsNoted } from '#sql/redis.ts';
import { verify } from '#sql/verify.ts';
import { createIntake, QUEUE_NAME, streamsOf } from '../ingest/intake.ts';

/** A recount of a hundred million rows takes tens of seconds. */
const QUERY_MS_MAX = 600_000;

/** `admin verify`: every invariant on live data. `unchecked` is there only when something could not be looked at. */
export async function verifyInstance(sql: Postgres, { redisUrl, clickhouseUrl, cluster }: { redisUrl: string; clickhouseUrl: string; cluster?: string | undefined }): Promise<{ ok: boolean } & Record<string, unknown>> {
  const redis = openRedis(redisUrl, { role: 'worker', shards: await shardsNoted(sql) }); // waits for a Redis that is just coming back
  const clickhouse = openClickhouse(clickhouseUrl, { application: 'marquee-admin', connectionsMax: 1, requestTimeoutMs: QUERY_MS_MAX, cluster });
  const intake = createIntake({ redis });
  try {
    await redisReady(redis);
    const { ok, breaches, unchecked } = await verify({ sql, clickhouse, redis, streams: streamsOf(QUEUE_NAME, redis), asOf: () => intake.asOf(), handleOf: id => parseId('campaign', id) });
    const shown = breaches.map(({ invariant, campaign, workspace, detail }) => ({
      invariant,
      ...(campaign !== undefined && { campaign_id: formatId('campaign', campaign) }),
      ...(workspace !== undefined && workspace > 0 && { workspace_id: formatId('workspace', workspace) }),
      detail,
    }));
    return { ok, breaches: shown, ...(unchecked.length > 0 && { unchecked }) };
  } finally {
    await intake.close();
    redis.disconnect();
    await clickhouse.close();
  }
}
