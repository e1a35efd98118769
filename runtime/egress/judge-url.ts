/**
 * Whether a URL or an address that a stranger named may be connected to. The api judges the URLs of webhooks and
 * buckets as they are registered; the egress judges them again, with the addresses of their names, before each
 * connection.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const PORTS = new Set(['', '443', '8443']);
/** Names with a meaning only inside a network (RFC 6761, RFC 8375, and those of clouds). */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'localdomain', 'lan', 'home.arpa', 'onion'];
const URL_LENGTH_MAX = 2_048;
/** Public addresses behind which a cloud answers its own machines. */
const METADATA = new Set(['168.63.129.16']);

/** Whether the whole world may use this address: global unicast, and no IPv4 address hidden in an IPv6 one. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  if (parsed.kind() === 'ipv4') return true;
  const parts = (parsed as ipaddr.IPv6).parts;
  // 2000::/3; the rest is unassigned, or an embedding such as ::a.b.c.d.
  const isGlobal = (parts[0]! & 0xe000) === 0x2000;
  const isIsatap = (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe; // an IPv4 address in the last 32 bits, RFC 5214
  return isGlobal && !isIsatap;
}

/**
 * The fault of a URL itself, as a sentence without its subject, or undefined. Its addresses are checked at connection
 * time.
 */
export function judgeUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): string | undefined {
  if (text.length > URL_LENGTH_MAX) return `must have at most ${URL_LENGTH_MAX} characters`;
  const url = URL.parse(text);
  if (!url) return 'must be a URL';
  if (url.username !== '' || url.password !== '') return 'must not carry a user or a password';
  if (url.hash !== '') return 'must not carry a fragment';
  if (allowPrivate)
    return ['https:', 'http:'].includes(url.protocol) ? undefined : 'must begin with https:// or http://';
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (!PORTS.has(url.port)) return 'must use port 443 or 8443';
  return judgeHost(url.hostname);
}

function judgeHost(hostname: string): string | undefined {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must not be a private, reserved or local address';
  const name = host.replace(/\.$/, '');
  const isPrivate =
    !name.includes('.') || PRIVATE_SUFFIXES.some(suffix => name === suffix || name.endsWith(`.${suffix}`));
  return isPrivate ? 'must be a public name' : undefined;
}

/** The host of a URL as an address or a name: a URL has IPv6 addresses in brackets. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
