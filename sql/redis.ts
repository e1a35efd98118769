import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis, type ChainableCommander } from 'ioredis';
import { Fault } from '#runtime/fault-error.ts';
import { parseRedisUrl } from './redis-url.ts';

/**
 * Redis: connections by role, and the scripts of `sql/redis/`. A script is sent as text the first time on each
 * connection and by its hash after that, so a Redis that was restarted needs nothing.
 */
export { Redis };
export { redisUrl } from './redis-url.ts';
export { createAuthority, type Amounts, type Answer, type Authority, type Grant, type PlanUse } from './authority.ts';
export type { Epochs, IssuedPlay } from './epochs.ts';
export { createPlanStore, PLAN_HEAD_BYTES, type PlanStore } from './plan-store.ts';
export type { CountedNumbers, KnownAmounts, Life } from './life.ts';

export type RedisRole = 'producer' | 'commands' | 'worker';
export type RedisTarget = Redis | ChainableCommander;
type Argument = string | number | Buffer;

/** A dead connection must be noticed before a screen's patience ends; 5 s is far above any script's time. */
const COMMAND_MS_MAX = 5_000;
const RECONNECT_MS_MAX = 500;

const folder = join(import.meta.dirname, 'redis');
const prelude = readFileSync(join(folder, 'prelude.lua'), 'utf8');
const scripts = readdirSync(folder)
  .filter(name => name.endsWith('.lua') && name !== 'prelude.lua')
  .map(name => ({ name: name.slice(0, -'.lua'.length), lua: `${prelude}\n${readFileSync(join(folder, name), 'utf8')}` }));

/**
 * Opens a connection with the scripts defined on it.
 * - `producer`: fails at once while Redis is away, so that nothing piles up in this process (BullMQ's advice for producers).
 * - `commands`: the same, for calls whose caller tries again by itself.
 * - `worker`: waits for Redis to come back; what BullMQ's workers need.
 *
 * `onError` hears of lost connections; the connection mends itself, and follows a failover to another master.
 *
 * @param url one of the forms of `redis-url.ts`
 */
export function openRedis(url: string, { role, onError }: { role: RedisRole; onError?: (error: Error) => void }): Redis {
  const patient = role === 'worker';
  const redis = new Redis({
    ...parseRedisUrl(url),
    enableOfflineQueue: patient,
    maxRetriesPerRequest: patient ? null : 1,
    ...(!patient && { commandTimeout: COMMAND_MS_MAX }),
    retryStrategy: times => Math.min(50 * times, RECONNECT_MS_MAX),
    sentinelRetryStrategy: times => Math.min(50 * times, RECONNECT_MS_MAX),
    // A master that became a replica refuses writes and keeps the connection: ask again where the master is, and repeat the
    // command there, which was not carried out.
    reconnectOnError: error => (error.message.startsWith('READONLY') ? 2 : false),
    enableReadyCheck: true,
    lazyConnect: false,
  });
  redis.on('error', error => onError?.(error));
  return defineScripts(redis);
}

/** Makes the scripts callable on a connection (and on its pipelines). */
function defineScripts(redis: Redis): Redis {
  for (const { name, lua } of scripts) redis.defineCommand(scriptCommand(name), { lua });
  return redis;
}

/** Resolves when the connection answers. @throws the connection's error when it is closed meanwhile. */
export function redisReady(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    redis.once('ready', () => resolve());
    redis.once('end', () => reject(new Error('the connection to Redis was closed before it was ready')));
  });
}

/** The name under which a script is defined on a connection, for a transaction that others have begun. */
export function scriptCommand(script: string): string {
  return `marquee:${script}`;
}

/**
 * Calls `sql/redis/<script>.lua`; on a pipeline the answer comes from its `exec`.
 * @throws Fault `authority_lost` while the authority waits to be rebuilt, `group_gone` for a group that a rebuild forgot
 */
export function callScript(target: RedisTarget, script: string, { keys, args }: { keys: readonly string[]; args: readonly Argument[] }): Promise<unknown> {
  const commands = target as unknown as Record<string, (...args: Argument[]) => Promise<unknown>>;
  const reply = commands[scriptCommand(script)]!(keys.length, ...keys, ...args);
  return target instanceof Redis ? reply.catch((error: unknown) => { throw faultOf(error); }) : reply;
}

const FAULTS = [['AUTHORITY_LOST', 'authority_lost'], ['GROUP_GONE', 'group_gone']] as const;

/** A script's own refusals as faults; other errors as they are. */
function faultOf(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  const [, code] = FAULTS.find(([prefix]) => message.startsWith(prefix)) ?? [];
  return code === undefined ? error : new Fault(code, message, { retryable: code === 'authority_lost', cause: error });
}

/** The answers of a pipeline or transaction. @throws the first error among them, as `callScript`. */
export async function execAll(pipeline: { exec(): Promise<[Error | null, unknown][] | null> }): Promise<unknown[]> {
  const results = await pipeline.exec();
  if (!results) throw new Error('the transaction was not carried out');
  return results.map(([error, value]) => {
    if (error) throw faultOf(error);
    return value;
  });
}

/** Redis time in ms, plus the offset that only tests set. */
export async function redisNow(redis: Redis): Promise<number> {
  return await callScript(redis, 'now', { keys: [], args: [] }) as number;
}
