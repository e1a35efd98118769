/**
 * What the environment of a workers process says: where the engines and ffmpeg are, and the keys that it signs and
 * seals with.
 */
import { parseSigningKeys, SIGNING_KEYS_FORM } from '#domain/plays/play.ts';
import { flag, optional, parsed, readConfig, text, url, withDefault, type Config } from '#runtime/config.ts';
import { processVariables } from '#runtime/lifecycle.ts';
import { authorityVariables } from '#authority/connection.ts';
import { clickhouseVariables, postgresVariables } from '#sql/engine-variables.ts';
import { parseEncryptionKey } from '#runtime/cryptography/sealed.ts';

const FIELDS = {
  ...postgresVariables(),
  ...authorityVariables(),
  ...clickhouseVariables(),
  STORAGE_URL: url('file:', 's3:'),
  FFMPEG: withDefault(text(), 'ffmpeg'),
  FFPROBE: withDefault(text(), 'ffprobe'),
  /** Without keys the clocks of sandboxes stand still; nothing else here signs. */
  SIGNING_KEYS: optional(parsed(SIGNING_KEYS_FORM, parseSigningKeys)),
  ENCRYPTION_KEY: parsed('32 bytes in base64', parseEncryptionKey),
  WEBHOOK_ALLOW_PRIVATE: withDefault(flag(), false),
  ...processVariables(),
};

export type Configuration = Config<typeof FIELDS>;

/** @throws ConfigError naming every missing or malformed variable at once. */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  return readConfig(FIELDS, environment);
}
