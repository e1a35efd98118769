/** What the environment of a workers process says: where the engines and ffmpeg are, and the keys that it signs and seals with. */
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
import { parseEncryptionKey } from '#sql/sealed.ts';

const FIELDS = {
  DATABASE_URL: url('postgres:', 'postgresql:'),
  ...authorityVariables(),
  CLICKHOUSE_URL: url('http:', 'https:'),
  CLICKHOUSE_CLUSTER: optional(parsed('the name of a cluster', parseClusterName)),
  STORAGE_URL: url('file:', 's3:'),
  FFMPEG: withDefault(text(), 'ffmpeg'),
  FFPROBE: withDefault(text(), 'ffprobe'),
  /** Without keys the clocks of sandboxes stand still; nothing else here signs. */
  SIGNING_KEYS: optional(parsed('a list of number:base64 keys of 16 bytes, the current first', parseKeys)),
  ENCRYPTION_KEY: parsed('32 bytes in base64', parseEncryptionKey),
  WEBHOOK_ALLOW_PRIVATE: withDefault(flag(), false),
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
  if (typeof keys === 'string') throw new Error(keys);
  return keys;
}
