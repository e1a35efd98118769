/**
 * The environment of a workers process: the addresses of the engines and ffmpeg, and its signing and encryption keys.
 */
import { parseSigningKeys, SIGNING_KEYS_FORM } from '#domain/plays/play.ts';
import {
  ConfigError,
  flag,
  optional,
  origin,
  parsed,
  readConfig,
  text,
  url,
  withDefault,
  type Config,
} from '#runtime/config.ts';
import { processVariables } from '#runtime/lifecycle.ts';
import { parseMailAddress } from '#runtime/mail/mail-from.ts';
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
  /** Without keys the clocks of sandboxes do not advance; nothing else here signs. */
  SIGNING_KEYS: optional(parsed(SIGNING_KEYS_FORM, parseSigningKeys)),
  ENCRYPTION_KEY: parsed('32 bytes in base64', parseEncryptionKey),
  WEBHOOK_ALLOW_PRIVATE: withDefault(flag(), false),
  /** A mail server for alerts, whose links lead to `PUBLIC_URL`; without it none is sent. */
  SMTP_URL: optional(url('smtp:', 'smtps:')),
  MAIL_FROM: optional(parsed('an address such as Marquee <ads@example.com>', parseMailAddress)),
  PUBLIC_URL: optional(origin('http:', 'https:')),
  ...processVariables(),
};

export type Configuration = Config<typeof FIELDS>;

/** @throws ConfigError naming every missing or malformed variable at once. */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  const config = readConfig(FIELDS, environment);
  const { SMTP_URL: smtp, MAIL_FROM: from, PUBLIC_URL: base } = config;
  if ((smtp === undefined) !== (from === undefined)) throw new ConfigError(['SMTP_URL and MAIL_FROM go together']);
  if (smtp !== undefined && base === undefined)
    throw new ConfigError(['SMTP_URL needs PUBLIC_URL: links in mails lead there']);
  return config;
}
