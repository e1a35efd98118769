/** The environment of an ingest process: the addresses of the engines, and the signing keys of play ids. */
import { parseSigningKeys, SIGNING_KEYS_FORM } from '#domain/plays/play.ts';
import { flag, parsed, readConfig, withDefault, type Config } from '#runtime/config.ts';
import { processVariables } from '#runtime/lifecycle.ts';
import { authorityVariables } from '#authority/connection.ts';
import { clickhouseVariables, postgresVariables } from '#sql/engine-variables.ts';

const FIELDS = {
  ...postgresVariables(),
  ...authorityVariables(),
  ...clickhouseVariables(),
  SIGNING_KEYS: parsed(SIGNING_KEYS_FORM, parseSigningKeys),
  /** Only for load tests, whose screens report more than they could show. */
  SCREEN_PLAYS_OVERLAP: withDefault(flag(), false),
  ...processVariables(),
};

export type Configuration = Config<typeof FIELDS>;

/** @throws ConfigError naming every missing or malformed variable at once. */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  return readConfig(FIELDS, environment);
}
