/**
 * The problem of an engine, in one line for the person who configured it: the engine, the variable to change, and the
 * engine's own message. Never a password, and no stack.
 */
import { Fault, isEngineAway } from '#runtime/fault-error.ts';

type EngineName = 'Postgres' | 'Redis' | 'ClickHouse';
/** An engine, and the variable whose URL names it. */
export type Named = { engine: EngineName; variable: string; url: string };

type Kind = 'user' | 'database' | 'right' | 'disk' | 'certificate' | 'name' | 'tls';

/** Codes of Postgres (SQLSTATE), ClickHouse and Node's TLS, and the beginnings of Redis's errors. */
const KINDS: Readonly<Record<Kind, readonly string[]>> = {
  user: ['28P01', '28000', '516', '192', '194', 'WRONGPASS', 'NOAUTH'],
  database: ['3D000', '81', 'ERR DB index is out of range'],
  right: ['42501', '497', 'NOPERM'],
  disk: ['53100', '243', 'MISCONF'],
  certificate: [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_SIGNATURE_FAILURE',
  ],
  name: ['ERR_TLS_CERT_ALTNAME_INVALID'],
  tls: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
};

/** How a private authority is named, and how verification is turned off. */
const TLS_OPTIONS: Readonly<Record<EngineName, { authority: string; off: string }>> = {
  Postgres: { authority: 'sslrootcert=/path/ca.pem', off: 'sslmode=no-verify' },
  Redis: { authority: 'ca=/path/ca.pem', off: 'verify=none' },
  ClickHouse: { authority: 'ca=/path/ca.pem', off: 'verify=none' },
};

/** An engine's own words may be a page long. */
const REASON_LENGTH_MAX = 300;

/** Any error as a fault with one line. */
export function faultOf(error: unknown, named: Named): Fault {
  if (error instanceof Fault) return error;
  const cause = rootOf(error);
  const kind = kindOf(cause);
  return new Fault('engine_unavailable', oneLine(sentenceOf(kind, reasonOf(cause), named), named.url), {
    retryable: kind === undefined && cause instanceof Error && isEngineAway(cause),
    cause: error,
  });
}

/** The error as a fault if it is of a kind that a setting mends; otherwise as it is. */
export const faultIfKnown = (error: unknown, named: Named): unknown =>
  kindOf(rootOf(error)) === undefined ? error : faultOf(error, named);

/** No time was left, and nothing that the engine said. */
export const silenceFault = ({ engine, variable }: Named, seconds: number): Fault =>
  new Fault(
    'engine_unavailable',
    `${engine} does not answer where ${variable} says: nothing came within ${seconds} s`,
    { retryable: true },
  );

function sentenceOf(kind: Kind | undefined, reason: string, { engine, variable }: Named): string {
  const { authority, off } = TLS_OPTIONS[engine];
  switch (kind) {
    case 'user':
      return /no encryption|SSL off/.test(reason)
        ? `${engine} takes connections over TLS alone: add sslmode=verify-full to ${variable}: ${reason}`
        : `${engine} refuses the user or the password of ${variable}: ${reason}`;
    case 'database':
      return `${engine} has no database of the name in ${variable}: ${reason}`;
    case 'right':
      return `The user of ${variable} lacks a right in ${engine}: ${reason}`;
    case 'disk':
      return `${engine} (${variable}) has no disk space left: ${reason}`;
    case 'certificate':
      return `The certificate of ${engine} is not trusted: ${reason}. Add ${authority} to ${variable}, or ${off} to verify nothing`;
    case 'name':
      return `The certificate of ${engine} is for another host than ${variable} names: ${reason}`;
    case 'tls':
      return `${engine} does not speak TLS where ${variable} says: ${reason}`;
    case undefined:
      return `${engine} does not answer where ${variable} says: ${reason}`;
  }
}

/** A client of many servers has the error of the last one inside its own. */
function rootOf(error: unknown): unknown {
  const { lastNodeError } = error as { lastNodeError?: unknown };
  return lastNodeError ?? error;
}

/** Whether a setting must fix the error, so that waiting does not help. */
export const isKnown = (error: unknown): boolean => kindOf(rootOf(error)) !== undefined;

function kindOf(error: unknown): Kind | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as Error & { code?: unknown };
  const fits = (sign: string): boolean => code === sign || (/^[A-Z]+( |$)/.test(sign) && message.includes(sign));
  return (Object.keys(KINDS) as Kind[]).find(kind => KINDS[kind].some(fits));
}

/** Several refused addresses of one name are an error without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

function oneLine(sentence: string, url: string): string {
  const line = sentence.replace(/\s+/g, ' ').trim();
  const open = secretsOf(url).reduce((text, secret) => text.replaceAll(secret, '***'), line);
  return open.length > REASON_LENGTH_MAX ? `${open.slice(0, REASON_LENGTH_MAX)}...` : open;
}

/** A shorter password protects nothing, and its letters are in many words. */
const SECRET_LENGTH_MIN = 4;

/** The passwords in a URL, as they are written and as they are meant. */
function secretsOf(url: string): string[] {
  const written = [/:\/\/[^@/]*?:([^@/]+)@/.exec(url)?.[1], /[?&]sentinel_password=([^&]+)/.exec(url)?.[1]];
  return written.flatMap(secret =>
    secret === undefined || secret.length < SECRET_LENGTH_MIN ? [] : [secret, decodeURIComponent(secret)],
  );
}
