/**
 * Normalizes `X-Forwarded-For`, whose entries Fastify takes for addresses as they are. Some proxies append the port
 * (Azure and IIS write `198.51.100.2:1044` and `[2001:db8::1]:2000`), so that each connection of a caller would have
 * limits of its own.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/;

/**
 * Leaves the addresses of the last hops, without ports. An entry that is no address ends the chain: nothing before it
 * can be attributed to a hop, and the caller is the last proxy that is known.
 */
export function normalizeForwardedFor({ headers }: IncomingMessage): void {
  const header = headers['x-forwarded-for'];
  if (header === undefined) return;
  const hops = String(header).split(',').map(addressOf);
  const known = hops.slice(hops.lastIndexOf(undefined) + 1);
  if (known.length === 0) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = known.join(', ');
}

function addressOf(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, beforePort] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? beforePort ?? text;
  // `isValid` also takes 127.1 and 0x7f000001, which name the same address in other words.
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? address : undefined;
}
