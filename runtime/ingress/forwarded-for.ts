/**
 * The caller behind a proxy: the proxies that a service trusts (`TRUST_PROXY`), and their entries in `X-Forwarded-For`.
 * Anybody can send that header, so it is read from the right, one trusted proxy after another.
 */
import { compile } from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { type Field, parsed } from '../config.ts';

/** Whether an address is that of a trusted proxy. */
export type TrustProxy = (address: string) => boolean;

/** Azure and IIS write `198.51.100.2:1044` and `[2001:db8::1]:2000`. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/;

/** Trusts addresses and networks, separated by commas. @throws for anything else */
export function trusting(list: string): TrustProxy {
  const trusts = compile(list.split(',').map(entry => entry.trim()));
  return address => trusts(address, 0);
}

/** The variable `TRUST_PROXY`. */
export function trustProxy(): Field<TrustProxy> {
  return parsed('addresses, networks, loopback, linklocal or uniquelocal, comma-separated', trusting);
}

/**
 * The addresses of the last hops, without ports, in the order of the header. An entry that is no address ends the
 * chain: nothing before it can be attributed to a hop, and the caller is the last proxy that is known.
 */
export function hopsOf(header: string): string[] {
  const hops = header.split(',').map(addressOf);
  return hops.slice(hops.lastIndexOf(undefined) + 1) as string[]; // behind the last undefined
}

/** The address of the caller: the first from the right that is not a trusted proxy's. */
export function callerOf(peer: string, header: string, trusts: TrustProxy): string {
  const hops = [...hopsOf(header), peer];
  return hops.findLast(address => !trusts(address)) ?? hops[0]!;
}

function addressOf(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, beforePort] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? beforePort ?? text;
  // `isValid` also takes 127.1 and 0x7f000001, which name the same address in other words.
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? address : undefined;
}
