/**
 * The address of Redis, in one line of text:
 *
 * redis://[user][:password@]host[:port][/database]              one server
 * rediss://...?ca=/path/of/ca.pem                               the same over TLS; `ca` trusts a private authority,
 *                                                               `verify=none` any certificate
 * redis+unix:///path/of.sock[?db=n]                             one server on this machine, without the network
 * redis+sentinel://[user][:password@]host[:port],.../name[/database]   the master that the Sentinels call by that name
 * rediss+sentinel://...                                         the same, Sentinels and server over TLS
 * redis+cluster://[user][:password@]host[:port],...             a cluster of which these are some nodes
 * rediss+cluster://...?ca=...                                   the same over TLS
 *
 * `sentinel_password` (and `sentinel_user`) in the query are for the Sentinels themselves.
 */
import { ConfigError, parsed, type Field } from '#runtime/config.ts';
import { tlsOf, VERIFY, type Tls } from './tls.ts';

type Host = { host: string; port: number };
type Server = { username?: string; password?: string; tls?: Tls };
export type RedisAddress = ClusterAddress | ServerAddress;
export type ClusterAddress = { nodes: Host[]; server: Server };
export type ServerAddress = Server & { db: number } & (
    | Host
    | { path: string }
    | {
        sentinels: Host[];
        name: string;
        sentinelUsername?: string;
        sentinelPassword?: string;
        sentinelTLS?: Tls;
        enableTLSForSentinelMode?: boolean;
      }
  );

const SCHEME = /^(rediss?)(\+sentinel|\+cluster)?:\/\/(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;
const UNIX = /^redis\+unix:\/\/(?:([^@/]*)@)?(\/[^?]+)(?:\?db=(\d+))?$/;
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const QUERY = new Set(['ca', VERIFY, 'sentinel_user', 'sentinel_password']);
const OF_TLS = ['ca', VERIFY];

/** A field of the configuration: the URL as text, once it is known to be one. */
export const redisUrl = (): Field<string> =>
  parsed(
    'a URL of Redis (redis:, rediss:, redis+unix:, redis+sentinel:, rediss+sentinel:, redis+cluster:, rediss+cluster:)',
    value => {
      parseRedisUrl(value);
      return value;
    },
  );

/** @throws RangeError for what is no such URL, and ConfigError for its options of TLS */
export function parseRedisUrl(text: string): RedisAddress {
  const [, socketUser, socket, socketDb = ''] = UNIX.exec(text) ?? [];
  if (socket !== undefined)
    return { ...credentialsOf(socketUser), path: decodeURIComponent(socket), db: databaseOf(socketDb) };
  const [, scheme, many, user, hosts = '', path = '', query = ''] = SCHEME.exec(text) ?? [];
  if (scheme === undefined)
    throw new RangeError(
      'it does not begin with redis://, rediss://, redis+unix:///, redis+sentinel://, rediss+sentinel://, redis+cluster:// or rediss+cluster://',
    );
  const options = new URLSearchParams(query);
  for (const name of options.keys()) if (!QUERY.has(name)) throw new RangeError(`unknown option ${name}`);
  const tls = scheme === 'rediss' ? tlsOf(options) : undefined;
  for (const name of OF_TLS)
    if (tls === undefined && options.has(name)) throw new ConfigError([`${name} is for rediss:// alone`]);
  const server = { ...credentialsOf(user), ...(tls && { tls }) };
  if (many === '+cluster') {
    if (path !== '') throw new RangeError('a cluster has one database and no name');
    return { nodes: hostsOf(hosts, REDIS_PORT), server };
  }
  if (many === undefined) {
    const all = hostsOf(hosts || 'localhost', REDIS_PORT);
    if (all.length !== 1)
      throw new RangeError('several hosts are Sentinels or a cluster: redis+sentinel:// or redis+cluster://');
    return { ...server, ...all[0]!, db: databaseOf(path) };
  }
  const [name = '', database = ''] = path.split('/', 2).map(decodeURIComponent);
  if (name === '') throw new RangeError('the name of the master is missing: redis+sentinel://host/name');
  const [sentinelUsername, sentinelPassword] = [options.get('sentinel_user'), options.get('sentinel_password')];
  return {
    ...server,
    db: databaseOf(database),
    name,
    sentinels: hostsOf(hosts, SENTINEL_PORT),
    ...(sentinelUsername !== null && { sentinelUsername }),
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

function credentialsOf(user: string | undefined): { username?: string; password?: string } {
  if (user === undefined || user === '') return {};
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user) ?? [];
  return {
    ...(name !== '' && { username: decodeURIComponent(name) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}

function hostsOf(text: string, port: number): Host[] {
  return text.split(',').map(each => {
    const [, bracketed, plain, number] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(each.trim()) ?? [];
    const host = bracketed ?? plain;
    const at = number === undefined ? port : Number(number);
    if (host === undefined || at < 1 || at > 65_535)
      throw new RangeError('a host is host, host:port or [address]:port');
    return { host, port: at };
  });
}

function databaseOf(path: string): number {
  const database = path === '' ? 0 : Number(path);
  if (!Number.isInteger(database) || database < 0) throw new RangeError('the database is a number');
  return database;
}
