/**
 * Whether an engine answers, asked before a command works on it. Connections to Redis wait for it for ever, and a
 * recount in ClickHouse for minutes, which services want; a person wants to be told which variable to look at. Only
 * this question has a time limit: what an engine that answers does afterwards may take hours.
 */
import { unlessAborted } from '#engines/processes/unless-aborted.ts';
import { Fault } from '#runtime/fault-error.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { openRedis } from '#sql/redis.ts';
import type { Milliseconds } from '#domain/unit.ts';

const ENGINES = { DATABASE_URL: 'Postgres', REDIS_URL: 'Redis', CLICKHOUSE_URL: 'ClickHouse' } as const;

/** An engine that is just coming back is there in seconds, and a person waits ten with the start of the command. */
const ANSWER_MS_MAX = 8_000;

type Limit = { withinMs?: Milliseconds };

/** @throws Fault `engine_unavailable` */
export function reachPostgres(sql: Postgres, limit: Limit = {}): Promise<void> {
  return answering('DATABASE_URL', limit, async () => {
    await sql`select 1`;
  });
}

/** A Redis that is loading its data answers: the command waits for it. @throws Fault `engine_unavailable` */
export async function reachRedis(url: string, limit: Limit = {}): Promise<void> {
  let last: Error | undefined;
  const note = (error: Error): void => {
    last = error;
  };
  const redis = openRedis(url, { role: 'worker', onError: note });
  try {
    await answering('REDIS_URL', { ...limit, why: () => last }, async () => {
      // The only command that is sent, and answered, while data is loaded.
      await new Promise<unknown>(resolve => {
        redis.on('connect', () => void redis.info('server').then(resolve, note));
      });
    });
  } finally {
    redis.disconnect();
  }
}

/** @throws Fault `engine_unavailable` */
export async function reachClickhouse(url: string, limit: Limit = {}): Promise<void> {
  const clickhouse = openClickhouse(url, { application: 'marquee-admin', connectionsMax: 1 });
  try {
    await answering('CLICKHOUSE_URL', limit, async () => {
      const pong = await clickhouse.ping(); // no query, so that a busy server answers it, too
      if (!pong.success) throw pong.error;
    });
  } finally {
    await clickhouse.close();
  }
}

async function answering(
  name: keyof typeof ENGINES,
  { withinMs = ANSWER_MS_MAX, why }: Limit & { why?: () => Error | undefined },
  ask: () => Promise<void>,
): Promise<void> {
  const limit = AbortSignal.timeout(withinMs);
  const asked = ask();
  asked.catch(() => undefined); // what comes of it after the time is nobody's concern
  try {
    await unlessAborted(asked, limit);
  } catch (error) {
    const cause = limit.aborted ? why?.() : error;
    const reason = cause === undefined ? `nothing came within ${withinMs / 1_000} s` : sayingOf(cause);
    throw new Fault('engine_unavailable', `${ENGINES[name]} does not answer where ${name} says: ${reason}`, {
      retryable: true,
      cause: error,
    });
  }
}

/** Several refused addresses of one name are an error without a message of its own. */
function sayingOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sayingOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
