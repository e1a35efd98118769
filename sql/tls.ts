/**
 * The TLS verification of connections to engines, from their URLs. A certificate and its name are verified unless the
 * URL explicitly disables that, about which the start of a process warns.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigError } from '#runtime/config.ts';

/** Options of Node's TLS. `ca` replaces the authorities that Node trusts. */
export type Tls = { ca?: string; rejectUnauthorized?: false; host?: string; checkServerIdentity?: () => undefined };

/** Option of a URL of Redis or ClickHouse, and its only value: certificates are not verified. */
export const VERIFY = 'verify';
const NONE = 'none';

/** Whether a URL turns the verification of certificates off. */
export const isUnverified = (url: string): boolean => {
  const options = new URLSearchParams(url.split('?')[1]);
  return options.get(VERIFY) === NONE || ['no-verify', 'prefer', 'allow'].includes(options.get('sslmode') ?? '');
};

/** Options of TLS of a URL of Redis or ClickHouse. @throws ConfigError naming the option */
export function tlsOf(options: URLSearchParams): Tls {
  const [ca, verify] = [options.get('ca'), options.get(VERIFY)];
  if (verify !== null && verify !== NONE) throw new ConfigError([`${VERIFY} has one value, ${NONE}`]);
  return { ...(ca !== null && { ca: readAuthority(ca, 'ca') }), ...(verify === NONE && { rejectUnauthorized: false }) };
}

/** @param option of the URL that names the file */
function readAuthority(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`${option} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
}

/** `ssl` as the library takes it; `url` is without what this file has read of it. */
export type PostgresAddress = { url: string; ssl: Tls | 'prefer' | false };

/** Options of libpq that say what is done here anyway, or nothing to a server; the library would send them to it. */
const READ_HERE = ['sslmode', 'sslrootcert', 'channel_binding'];

/**
 * A URL of Postgres with libpq's options. `require` verifies as `verify-full` does, because encryption alone does not
 * stop a man in the middle. `verify-ca` leaves out the name; `no-verify` leaves out all.
 * @throws ConfigError naming the option
 */
export function parsePostgresUrl(text: string): PostgresAddress {
  const [address = '', query = ''] = text.split(/\?(.*)/s, 2);
  const options = new URLSearchParams(query);
  const [mode, ca] = [options.get('sslmode') ?? 'disable', options.get('sslrootcert')];
  for (const name of READ_HERE) options.delete(name);
  const url = options.size === 0 ? address : `${address}?${options}`;
  if (mode === 'disable' || mode === 'prefer' || mode === 'allow') {
    if (ca !== null) throw new ConfigError(['sslrootcert needs sslmode=verify-full, verify-ca or require']);
    return { url, ssl: mode === 'disable' ? false : 'prefer' };
  }
  const trusted = ca === null || ca === 'system' ? {} : { ca: readAuthority(ca, 'sslrootcert') };
  // Node verifies the name that it asked for. It asks for none where the host is an address, and would verify
  // `localhost`.
  const named = { ...trusted, ...hostOf(address) };
  if (mode === 'require' || mode === 'verify-full') return { url, ssl: named };
  if (mode === 'verify-ca') return { url, ssl: { ...trusted, checkServerIdentity: () => undefined } };
  if (mode === 'no-verify') return { url, ssl: { rejectUnauthorized: false } };
  throw new ConfigError(['sslmode is one of disable, prefer, require, verify-ca, verify-full, no-verify']);
}

/** The host, if it is an address. @throws ConfigError for one of several addresses, which have no name to verify */
function hostOf(address: string): { host?: string } {
  const [, hosts = ''] = /^[^:]+:\/\/(?:[^@/]*@)?([^/]*)/.exec(address) ?? [];
  const names = hosts.split(',').map(each => each.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  const host = names.find(name => isIP(name) !== 0);
  if (host === undefined) return {};
  if (names.length > 1) throw new ConfigError(['over TLS, several hosts must be given by their names']);
  return { host };
}
