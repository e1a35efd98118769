/** The variables of the API: their values, and rules for their combinations. */
import { HOLD_DAYS_MAX } from '#domain/money/earnings-hold.ts';
import { parseSigningKeys, SIGNING_KEYS_FORM } from '#domain/plays/play.ts';
import { SIGN_UP_KINDS, type SignUpKind } from '#domain/access/workspace.ts';
import {
  ConfigError,
  flag,
  integer,
  optional,
  origin,
  parsed,
  port,
  readConfig,
  secret,
  text,
  url,
  withDefault,
} from '#runtime/config.ts';
import { trustProxy } from '#runtime/ingress/forwarded-for.ts';
import { processVariables } from '#runtime/lifecycle.ts';
import { parseMailAddress } from '#runtime/mail/mail-from.ts';
import { authorityVariables } from '#authority/connection.ts';
import { clickhouseVariables, postgresUrl, postgresVariables } from '#sql/engine-variables.ts';
import { parseEncryptionKey } from '#runtime/cryptography/sealed.ts';
import { derivePurposeKey } from '#storage/signed-url.ts';
import { parseOrigins } from './http/cross-origin.ts';

const CONFIG = {
  PORT: withDefault(port(), 8080),
  HOST: withDefault(text(), '127.0.0.1'),
  ...processVariables(),
  ...postgresVariables(),
  DATABASE_REPLICA_URL: optional(postgresUrl()),
  ...authorityVariables(),
  ...clickhouseVariables(),
  PUBLIC_URL: origin('http:', 'https:'),
  HUB_URL: optional(origin('http:', 'https:')),
  DELIVERY_URL: url('ws:', 'wss:'),
  SIGNING_KEYS: parsed(SIGNING_KEYS_FORM, parseKeys),
  STORAGE_URL: url('file:', 's3:'),
  DATA_DIR: withDefault(text(), '.data'),
  TRUST_PROXY: optional(trustProxy()),
  CORS_ORIGINS: optional(parsed('origins such as https://app.example.com, comma-separated, or *', parseOrigins)),
  ENCRYPTION_KEY: parsed('32 bytes in base64', parseEncryptionKey),
  EARNINGS_HOLD_DAYS: withDefault(integer({ min: 0, max: HOLD_DAYS_MAX }), 0), // withdrawable on demand
  PAYOUT_ACCOUNT_PAUSE_HOURS: withDefault(integer({ min: 0, max: 720 }), 24),
  STRIPE_SECRET_KEY: optional(secret()),
  STRIPE_WEBHOOK_SECRET: optional(secret()),
  STRIPE_API_BASE: optional(url('http:', 'https:')),
  SIGN_UP: optional(parsed(`of ${SIGN_UP_KINDS.join(', ')}, comma-separated`, parseSignUp)),
  WEBHOOK_ALLOW_PRIVATE: withDefault(flag(), false),
  DEMO_SIGN_IN: withDefault(flag(), false),
  MAP_TILES: optional(text()),
  SMTP_URL: optional(url('smtp:', 'smtps:')),
  MAIL_FROM: optional(parsed('an address such as Marquee <ads@example.com>', parseMailAddress)),
  OIDC_ISSUER: optional(url('http:', 'https:')),
  OIDC_CLIENT_ID: optional(text()),
  OIDC_CLIENT_SECRET: optional(secret()),
};

function parseSignUp(value: string): ReadonlySet<SignUpKind> {
  return new Set(
    value.split(',').map(text => {
      const kind = SIGN_UP_KINDS.find(candidate => candidate === text.trim());
      if (kind === undefined) throw new Error('kind');
      return kind;
    }),
  );
}

function parseKeys(value: string) {
  const keys = parseSigningKeys(value);
  // Upload addresses have a key of their own, derived, so that one signature is never good for the other purpose.
  const uploadKeys = value
    .split(',')
    .map(pair => derivePurposeKey(Buffer.from(pair.slice(pair.indexOf(':') + 1), 'base64'), 'upload address'));
  return { keys, uploadKeys };
}

export type Configuration = ReturnType<typeof readConfiguration>;

/** @throws ConfigError that names every variable that is missing or wrong */
export function readConfiguration(environment: NodeJS.ProcessEnv) {
  const config = readConfig(CONFIG, environment);
  if ((config.STRIPE_SECRET_KEY === undefined) !== (config.STRIPE_WEBHOOK_SECRET === undefined))
    throw new ConfigError([
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: without the second nothing that is paid would be booked',
    ]);
  const { OIDC_ISSUER: issuer } = config;
  if (new Set([issuer, config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET].map(value => value === undefined)).size > 1)
    throw new ConfigError(['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together']);
  if (issuer !== undefined && issuer.startsWith('http:') && !isLoopback(new URL(issuer).hostname))
    throw new ConfigError(['OIDC_ISSUER must be https: otherwise anybody on the way could sign in as anybody']);
  if ((config.SMTP_URL === undefined) !== (config.MAIL_FROM === undefined))
    throw new ConfigError(['SMTP_URL and MAIL_FROM go together']);
  if (config.DEMO_SIGN_IN && !(isLoopback(config.HOST) && isLoopback(new URL(config.PUBLIC_URL).hostname)))
    throw new ConfigError([
      'DEMO_SIGN_IN is for the demo on this machine alone, since its links sign in without a password: unset it, or let HOST and PUBLIC_URL be 127.0.0.1 or localhost',
    ]);
  return config;
}

/** When venues can withdraw what they earned. */
export function withdrawalsOf(config: Pick<Configuration, 'EARNINGS_HOLD_DAYS' | 'PAYOUT_ACCOUNT_PAUSE_HOURS'>) {
  return { holdDays: config.EARNINGS_HOLD_DAYS, accountPauseMs: config.PAYOUT_ACCOUNT_PAUSE_HOURS * 3_600_000 };
}

function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host);
}
