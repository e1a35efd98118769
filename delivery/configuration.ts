import { parseSigningKeys, type SigningKeys } from '#domain/play.ts';
import { flag, integer, oneOf, parsed, port, readConfig, text, url, withDefault } from '#runtime/config.ts';
import { LOG_LEVELS } from '#runtime/log.ts';

/** The name of a node is a folder and a field of the issue log's header. */
const NODE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/;

function signingKeys(value: string): SigningKeys {
  const keys = parseSigningKeys(value);
  if (typeof keys === 'string') throw new Error(keys);
  return keys;
}

function nodeName(value: string): string {
  if (!NODE_NAME.test(value)) throw new Error('bad name');
  return value;
}

const SPEC = {
  DELIVERY_HOST: withDefault(text(), '0.0.0.0'),
  DELIVERY_PORT: withDefault(port(), 8081),
  /** Several processes of this instance listen on the port. */
  DELIVERY_SHARED_PORT: withDefault(flag(), false),
  DELIVERY_NODE: withDefault(parsed('a name of letters, digits, - and _, at most 64', nodeName), 'node-1'),
  DATA_DIR: withDefault(text(), '.data'),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  REDIS_URL: url('redis:', 'rediss:'),
  PUBLIC_URL: url('http:', 'https:'),
  SIGNING_KEYS: parsed('number:base64 pairs of 16 bytes, the current key first', signingKeys),
  SCREEN_MESSAGES_PER_SECOND_MAX: withDefault(integer({ min: 1, max: 1_000_000 }), 10),
  OPS_PORT: withDefault(port(), 0),
  LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
};

/** @throws ConfigError naming every fault. */
export function readConfiguration(environment: NodeJS.ProcessEnv) {
  return readConfig(SPEC, environment);
}

export type Configuration = ReturnType<typeof readConfiguration>;
