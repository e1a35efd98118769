/**
 * The only path to addresses given by strangers: webhooks and buckets. A URL is checked before any use; a name is
 * looked up once, all its addresses are checked, and the connection goes to a checked address, so that a name whose
 * answer changes between two look-ups gains nothing. Redirects are not followed.
 */
import { lookup as systemLookup, promises as dns } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, Pool } from 'undici';
import {
  EgressRefusal,
  EXCHANGE_MS_MAX,
  exchange,
  type EgressRequest,
  type Exchange,
  type Target,
} from './exchange.ts';
import { bareHost, isPublicAddress, judgeUrl } from './judge-url.ts';

/** Both look-ups (A and AAAA) run at once, each tried twice at most, well inside the 5 s of an exchange. */
const RESOLVE_OPTIONS = { timeout: 1_500, tries: 2 };
/** Receivers are few and called often: their judged URLs are cached, at some 200 bytes each. */
const TARGETS_MAX = 10_000;
/** An idle connection is kept this long for the next event of the same receiver. */
const IDLE_MS_MAX = 10_000;

/** All addresses of a name. @throws if it has none. */
export type Resolver = (name: string) => Promise<string[]>;
export type Egress = {
  /** Sends one POST. Never throws: a failure is part of the answer. */
  post(url: string, request: EgressRequest): Promise<Exchange>;
  /**
   * For a client that speaks HTTP itself: connections to judged addresses only. Judge the URL with `judgeUrl` before.
   */
  agents: { http: HttpAgent; https: HttpsAgent };
  close(): Promise<void>;
};

type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => void;
export type EgressOptions = {
  /** Development and tests: also http, any port and private addresses. */
  allowPrivate: boolean;
  resolve?: Resolver;
  /** Opens the socket to a checked address; replaced in tests. */
  connectTo?: Connect;
};

export function createEgress({
  allowPrivate,
  resolve = allowPrivate ? resolveBySystem : resolveByDns(),
  connectTo = buildConnector({ timeout: EXCHANGE_MS_MAX, allowH2: false }),
}: EgressOptions): Egress {
  const judged = async (host: string): Promise<string[]> => {
    const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
    // One error for both: the reader of a webhook's log must not learn which names exist inside the operator's network.
    if (addresses.length === 0 || (!allowPrivate && !addresses.every(isPublicAddress)))
      throw new EgressRefusal('address_forbidden', 'the name has no address, or one that is not public');
    // IPv4 first: not every network that has an IPv6 address routes it.
    return addresses.toSorted((a, b) => isIP(a) - isIP(b));
  };
  const dial = async (options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> => {
    const found = await judged(bareHost(options.hostname)).catch((error: Error) => error);
    // The name stays in `host`, which the certificate is checked against; the socket is given an address and looks
    // nothing up.
    if (Array.isArray(found)) connectTo({ ...options, hostname: found[0]! }, callback);
    else callback(found, null);
  };
  const connect: Connect = (options, callback) => void dial(options, callback);
  const pools = createPools(connect);
  const lookup = lookupOf(judged);
  const targets = new Map<string, Target | undefined>();
  const targetOf = (url: string): Target | undefined => {
    if (targets.has(url)) return targets.get(url);
    if (targets.size >= TARGETS_MAX) targets.clear();
    const target = judgeUrl(url, { allowPrivate }) === undefined ? splitUrl(url) : undefined;
    targets.set(url, target);
    return target;
  };
  const agents = {
    http: new HttpAgent({ lookup, keepAlive: true }),
    https: new HttpsAgent({ lookup, keepAlive: true }),
  };
  return {
    post(url, request) {
      const target = targetOf(url);
      return exchange(target && pools.of(target.origin), target?.path ?? '', request);
    },
    agents,
    async close() {
      agents.http.destroy();
      agents.https.destroy();
      await pools.destroy();
    },
  };
}

/**
 * A pool of connections for each origin. An `Agent` of undici has the same pools and takes a third longer for a small
 * POST. A pool whose last connection has closed is dropped; what it still has in line is finished.
 */
function createPools(connect: Connect): { of(origin: string): Pool; destroy(): Promise<void> } {
  const pools = new Map<string, Pool>();
  const dropIdle = (origin: string, pool: Pool): void => {
    if (pool.stats.connected > 0 || pool.stats.size > 0 || pools.get(origin) !== pool) return;
    pools.delete(origin);
    void pool.close();
  };
  const openPool = (origin: string): Pool => {
    const pool = new Pool(origin, {
      connect,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS_MAX,
      keepAliveMaxTimeout: IDLE_MS_MAX,
    });
    const onEnd = () => dropIdle(origin, pool);
    pool.on('disconnect', onEnd).on('connectionError', onEnd);
    pools.set(origin, pool);
    return pool;
  };
  return {
    of: origin => pools.get(origin) ?? openPool(origin),
    async destroy() {
      const open = [...pools.values()];
      pools.clear(); // a pool that is destroyed loses its connections, and is not to be dropped as idle
      await Promise.all(open.map(pool => pool.destroy()));
    },
  };
}

/**
 * Not the system's own look-up: that one runs on Node's four threads, which four names that never answer would hold.
 */
function resolveByDns(): Resolver {
  const resolver = new dns.Resolver(RESOLVE_OPTIONS);
  return async name =>
    (await Promise.all([resolver.resolve4(name).catch(() => []), resolver.resolve6(name).catch(() => [])])).flat();
}

function resolveBySystem(name: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });
}

function lookupOf(judged: (host: string) => Promise<string[]>): LookupFunction {
  const look = async (...[host, options, callback]: Parameters<LookupFunction>): Promise<void> => {
    const found = await judged(host).catch((error: Error) => error);
    if (!Array.isArray(found)) callback(found, '');
    else if (options.all)
      callback(
        null,
        found.map(address => ({ address, family: isIP(address) })),
      );
    else callback(null, found[0]!, isIP(found[0]!));
  };
  return (host, options, callback) => void look(host, options, callback);
}

function splitUrl(url: string): Target {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}
