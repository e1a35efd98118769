/**
 * The address that a socket is counted for: an IPv4 address, or the first 64 bits of an IPv6 one, since whoever has one
 * address of such a network has them all.
 */
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

function ipv4([a, b, c, d]: Uint8Array): string {
  return `${a}.${b}.${c}.${d}`;
}
