/**
 * The address of a socket for the limits: an IPv4 address, or the first 64 bits of an IPv6 one, because the owner of
 * one address of such a network has them all. Behind a trusted proxy it is the caller's, which the proxy names.
 */
import ipaddr from 'ipaddr.js';
import { callerOf, type TrustProxy } from '#runtime/ingress/forwarded-for.ts';

const IPV4_BYTES = 4;
const NETWORK_BYTES = 8;
/** Ten bytes of 0 and two of 255 before an IPv4 address (RFC 4291, section 2.5.5.2). */
const MAPPED_PREFIX = '00000000000000000000ffff';

/** @param bytes 4 or 16 of them, in the order of the network */
export function addressOf(bytes: ArrayBuffer): string {
  if (bytes.byteLength === IPV4_BYTES) return ipv4(new Uint8Array(bytes));
  const address = Buffer.from(bytes);
  const isMapped = address.toString('hex', 0, MAPPED_PREFIX.length / 2) === MAPPED_PREFIX;
  return isMapped ? ipv4(address.subarray(-IPV4_BYTES)) : address.toString('hex', 0, NETWORK_BYTES);
}

/**
 * The bytes of an address in Node's format; none without an address. Names of network interfaces, which follow a
 * link-local one, may have characters that the parser refuses.
 */
export function bytesOfAddress(text: string | undefined): ArrayBuffer {
  return Uint8Array.from(text === undefined ? [] : ipaddr.parse(text.split('%')[0]!).toByteArray()).buffer;
}

type Peer = { bytes: ArrayBuffer; forwardedFor: string; trustProxy: TrustProxy | undefined };

/** The same for the caller behind trusted proxies. Undefined without bytes: the peer has reset the connection. */
export function callerAddressOf({ bytes, forwardedFor, trustProxy }: Peer): string | undefined {
  if (bytes.byteLength === 0) return undefined;
  if (trustProxy === undefined || forwardedFor === '') return addressOf(bytes);
  const peer = ipaddr.process(ipaddr.fromByteArray([...new Uint8Array(bytes)]).toString()).toString();
  const caller = ipaddr.parse(callerOf(peer, forwardedFor, trustProxy));
  return addressOf(Uint8Array.from(caller.toByteArray()).buffer);
}

function ipv4([a, b, c, d]: Uint8Array): string {
  return `${a}.${b}.${c}.${d}`;
}
