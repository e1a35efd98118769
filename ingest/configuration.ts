/** What the environment of an ingest process says: where the engines are, and the keys that play ids are signed with. */
import { parseSigningKeys, type SigningKeys } from '#domain/plays/play.ts';
import {
  flag,
  oneOf,
  optional,
  parsed,
  port,
  readConfig,
  text,
  url,
  withDefault,
  type Config,
} from '#runtime/config.ts';
import { LOG_LEVELS } from '#runtime/log.ts';
import { authorityVariables } from '#authority/connection.ts';
import { parseClusterName } from '#sql/clickhouse-cluster.ts';

const FIELDS = {
  DATABASE_URL: url('postgres:', 'postgresql:'),
  ...authorityVariables(),
  CLICKHOUSE_URL: url('http:', 'https:'),
  CLICKHOUSE_CLUSTER: optional(parsed('the name of a cluster', parseClusterName)),
  SIGNING_KEYS: parsed<SigningKeys>('number:base64 pairs separated by commas', parseKeys),
  /** For load tests alone, whose screens report more than they could show. */
  SCREEN_PLAYS_OVERLAP: withDefault(flag(), false),
  OPS_PORT: withDefault(port(), 0),
  OPS_HOST: withDefault(text(), '127.0.0.1'),
  LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
};

export type Configuration = Config<typeof FIELDS>;

/** @throws ConfigError naming every missing or malformed variable at once. */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  return readConfig(FIELDS, environment);
}

function parseKeys(value: string): SigningKeys {
  const keys = parseSigningKeys(value);
  if (typeof keys === 'string') throw new RangeError(keys);
  return keys;
}
