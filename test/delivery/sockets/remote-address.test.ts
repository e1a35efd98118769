/** Which address or network a socket is counted for. */
import { expect, test } from 'vitest';
import { addressOf, bytesOfAddress, callerAddressOf } from '../../../delivery/sockets/remote-address.ts';

test.each([
  ['four bytes', [203, 0, 113, 7], '203.0.113.7'],
  ['an IPv4 address in an IPv6 one', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 203, 0, 113, 7], '203.0.113.7'],
  ['an IPv6 address', [0x20, 1, 13, 184, 0, 1, 0, 2, 9, 9, 9, 9, 9, 9, 9, 9], '20010db800010002'],
  ['the loopback of IPv6', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], '0000000000000000'],
])('%s is counted as its address or network', (_, bytes, address) => {
  expect(addressOf(Uint8Array.from(bytes).buffer)).toBe(address);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:909:909:909:909', '20010db800010002'],
  ['fe80::1%br-6f2c.100', 'fe80000000000000'],
])('the address %s of a socket is counted as %s', (text, address) => {
  expect(addressOf(bytesOfAddress(text))).toBe(address);
});

test.each(['', '198.51.100.2'])('a peer that is gone has no address, with %j in X-Forwarded-For', forwardedFor => {
  const gone = { bytes: bytesOfAddress(undefined), forwardedFor };
  expect(callerAddressOf({ ...gone, trustProxy: () => true })).toBeUndefined();
  expect(callerAddressOf({ ...gone, trustProxy: undefined })).toBeUndefined();
});
