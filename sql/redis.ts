/**
 * Redis: connections by role, and the scripts of `authority/scripts/`. A script is sent as text the first time on
 * each connection and by its hash after that, so a Redis that was restarted needs nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Cluster, Redis as Server, ReplyError, type ChainableCommander, type Result } from 'ioredis';
import { Fault } from '#runtime/fault-error.ts';
import { parseRedisUrl, type ClusterAddress, type ServerAddress } from './redis-url.ts';
import { tagOf, type Sharded } from './redis-shards.ts';

/**
 * A connection to one server, or to all masters of a cluster. `shards`: into how many its plays and money are divided.
 */
export type Redis = (Server | Cluster) & Sharded;
export type RedisRole = 'producer' | 'commands' | 'worker';
export type { ChainableCommander as Pipeline } from 'ioredis';

type RedisOptions = { role: RedisRole; shards?: number; onError?: (error: Error) => void };

/** The name of a script on a connection. */
type ScriptCommand = `marquee:${string}`;
type Argument = string | number | Buffer;
declare module 'ioredis' {
  // As the library asks for: a script that was defined on a connection is a method of it.
  interface RedisCommander<Context> {
    [command: ScriptCommand]: (keyCount: number, ...keysAndArguments: Argument[]) => Result<unknown, Context>;
  }
}

/** A dead connection must be noticed before a screen gives up waiting; 5 s is far longer than any script runs. */
const COMMAND_MS_MAX = 5_000;
const RECONNECT_MS_MAX = 500;

const folder = join(import.meta.dirname, '../authority/scripts');
const prelude = readFileSync(join(folder, 'prelude.lua'), 'utf8');
const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.lua') && name !== 'prelude.lua')
  .map(name => ({ name: basename(name, '.lua'), lua: `${prelude}\n${readFileSync(join(folder, name), 'utf8')}` }));

/**
 * Opens a connection with the scripts defined on it.
 * - `producer`: fails at once while Redis is not reachable, so that no calls pile up in this process, as BullMQ
 *   advises.
 * - `commands`: the same, for calls whose caller tries again by itself.
 * - `worker`: waits for Redis to come back; what BullMQ's workers need.
 *
 * `onError` is called when a connection is lost. It is opened again automatically, and follows a failover to another
 * master.
 *
 * @param url one of the forms of `redis-url.ts`
 * @param options.shards the same in all processes of a deployment (`authority/connection.ts`)
 */
export function openRedis(url: string, { role, shards = 1, onError }: RedisOptions): Redis {
  const address = parseRedisUrl(url);
  const patient = role === 'worker';
  const redis = 'nodes' in address ? openCluster(address, patient) : openServer(address, patient);
  redis.on('error', (error: Error) => onError?.(error));
  redis.on('node error', (error: Error) => onError?.(error));
  for (const { name, lua } of scripts) redis.defineCommand(scriptCommand(name), { lua });
  return Object.assign(redis, { shards });
}

const reconnectMs = (times: number): number => Math.min(50 * times, RECONNECT_MS_MAX);
const patienceOf = (patient: boolean) => ({
  maxRetriesPerRequest: patient ? null : 1,
  ...(!patient && { commandTimeout: COMMAND_MS_MAX }),
  enableReadyCheck: true,
});

function openServer(address: ServerAddress, patient: boolean): Server {
  return new Server({
    ...address,
    ...patienceOf(patient),
    enableOfflineQueue: patient,
    retryStrategy: reconnectMs,
    sentinelRetryStrategy: reconnectMs,
    // A master that became a replica refuses writes and keeps the connection: ask again where the master is, and repeat
    // the command there, which was not carried out.
    reconnectOnError: error => (error.message.startsWith('READONLY') ? 2 : false),
    lazyConnect: false,
  });
}

/** A lost node is left out until the cluster lists it again; commands for its slots are tried again meanwhile. */
function openCluster({ nodes, server }: ClusterAddress, patient: boolean): Cluster {
  return new Cluster(nodes, {
    redisOptions: { ...server, ...patienceOf(patient) },
    // Names are resolved by the connection, which verifies them; the library would ask for their addresses first.
    ...(server.tls && { dnsLookup: (name: string, found: NamedHost) => found(null, name) }),
    enableOfflineQueue: patient,
    // A check that fails while a master is down would leave `connect` unanswered forever, and BullMQ waits for it; a
    // command is refused by the nodes themselves, and tried again.
    enableReadyCheck: false,
    // Tries 100 ms apart: about a second and a half, as long as one server's two tries may take.
    maxRedirections: patient ? Infinity : CLUSTER_TRIES_MAX,
    clusterRetryStrategy: reconnectMs,
    slotsRefreshTimeout: COMMAND_MS_MAX,
    slotsRefreshInterval: SLOTS_MS,
  });
}

type NamedHost = (error: null, host: string) => void;

const CLUSTER_TRIES_MAX = 16;
/** After this time a master that returned or took over is known, even if no command was sent to it. */
const SLOTS_MS = 2_000;
const CLUSTER_SLOTS = 16_384;

/**
 * Every server that holds keys: itself, or all masters of a cluster.
 * @throws Fault `redis_unavailable` if one of them is not connected, because the result would be incomplete
 */
function mastersOf(redis: Redis): Server[] {
  if (!(redis instanceof Cluster)) return [redis];
  const owners = new Set(Array.from({ length: CLUSTER_SLOTS }, (_, slot) => redis.slots[slot]?.[0]));
  const masters = redis.nodes('master').filter(({ status }) => status !== 'close' && status !== 'end');
  const known = new Set(masters.map(({ options: { host, port } }) => `${host}:${port}`));
  if ([...owners].some(owner => owner === undefined || !known.has(owner)))
    throw new Fault('redis_unavailable', 'a master of the cluster is down', { retryable: true });
  return masters;
}

/** `INFO`, or a section of it, of every master. @throws Fault `redis_unavailable` */
export const infoOfAll = (redis: Redis, section = 'default'): Promise<string[]> =>
  Promise.all(mastersOf(redis).map(master => master.info(section)));

/**
 * A setting of every master; undefined if the server refuses to tell, as managed ones do (`CONFIG` renamed or
 * denied).
 * @throws Fault `redis_unavailable`
 */
export async function settingOfAll(redis: Redis, name: string): Promise<(string | undefined)[]> {
  return Promise.all(
    mastersOf(redis).map(async master => {
      try {
        return ((await master.config('GET', name)) as [string, string?])[1];
      } catch (error) {
        if (error instanceof ReplyError && /^(ERR unknown command|NOPERM)/.test((error as Error).message))
          return undefined;
        throw error;
      }
    }),
  );
}

/**
 * The keys of that pattern, of all masters one after the other; a key may come twice.
 * @throws Fault `redis_unavailable`
 */
export async function* scanKeys(
  redis: Redis,
  match: string,
  { type, count = SCANNED_AT_ONCE }: { type?: 'string' | 'hash'; count?: number } = {},
): AsyncGenerator<string[]> {
  for (const master of mastersOf(redis)) {
    for await (const keys of master.scanStream({ match, count, ...(type && { type }) }) as AsyncIterable<string[]>) {
      if (keys.length > 0) yield keys;
    }
  }
}

const SCANNED_AT_ONCE = 1_000;

/** Deletes the keys of that pattern. */
export async function unlinkAll(redis: Redis, match: string): Promise<void> {
  for await (const keys of scanKeys(redis, match, { count: UNLINKED_AT_ONCE })) {
    // One command per shard: a cluster refuses a command whose keys lie in several slots.
    const tags = new Set(keys.map(tagOf));
    await Promise.all([...tags].map(tag => redis.unlink(...keys.filter(key => tagOf(key) === tag))));
  }
}

const UNLINKED_AT_ONCE = 5_000;

/** Resolves when the connection answers. @throws the connection's error when it is closed meanwhile. */
export function redisReady(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    redis.once('ready', () => resolve());
    redis.once('end', () => reject(new Error('the connection to Redis was closed before it was ready')));
  });
}

/** The name under which a script is defined on a connection, for a transaction that others have begun. */
export function scriptCommand(script: string): ScriptCommand {
  return `marquee:${script}`;
}

type ScriptCall = { keys: readonly string[]; args: readonly Argument[] };

/**
 * Calls a script by the name of its file.
 * @throws Fault `authority_lost` while the authority waits to be rebuilt, `group_gone` for a group that a rebuild
 *   forgot
 */
export async function callScript(redis: Redis, script: string, { keys, args }: ScriptCall): Promise<unknown> {
  try {
    return await redis[scriptCommand(script)]!(keys.length, ...keys, ...args);
  } catch (error) {
    throw faultOf(error);
  }
}

/** Adds a call to a pipeline or a transaction; `execAll` returns its answer. */
export function queueScript(pipeline: ChainableCommander, script: string, { keys, args }: ScriptCall): void {
  pipeline[scriptCommand(script)]!(keys.length, ...keys, ...args);
}

const FAULTS = [
  ['AUTHORITY_LOST', 'authority_lost'],
  ['GROUP_GONE', 'group_gone'],
] as const;

/** A script's own refusals as faults; other errors as they are. */
function faultOf(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  const [prefix, code] = FAULTS.find(([each]) => message.startsWith(each)) ?? [];
  if (code === undefined) return error;
  const detail = message
    .slice(prefix.length)
    .replace(/ script: [0-9a-f]{40}, on @user_script:.*$/s, '') // Redis adds the place in the script
    .trim();
  return new Fault(code, detail, { retryable: code === 'authority_lost', cause: error });
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

/** The scripts sent in transactions: BullMQ's scripts that add jobs, and ours. */
const IN_TRANSACTIONS = /^(add|marquee:intake-stamp)/;

/**
 * Loads missing scripts after a transaction that failed with NOSCRIPT; the caller then tries again. This is needed
 * because a master that has just returned refuses transactions for two seconds while they are queued. The text of a
 * script that was sent in such a transaction is not loaded, but ioredis sends only its hash from then on.
 */
export async function loadMissingScripts(redis: Redis, error: unknown): Promise<void> {
  if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) return;
  const texts = Object.entries<{ lua: string }>(redis.scriptsSet)
    .filter(([name]) => IN_TRANSACTIONS.test(name))
    .map(([, { lua }]) => lua);
  await Promise.all(mastersOf(redis).flatMap(master => texts.map(lua => master.script('LOAD', lua))));
}
