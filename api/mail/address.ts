/** Addresses of mail, as they are taken here: none that a server could take for two, or for more than an address. */

export type MailAddress = { name: string; address: string };

const PLAIN = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/;

export function isPlainAddress(text: string): boolean {
  return PLAIN.test(text);
}

/** Parses `Marquee <ads@example.com>` or a bare address. @throws when it is neither */
export function parseMailAddress(text: string): MailAddress {
  const [, name = '', inner] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = inner ?? text;
  if (!isPlainAddress(address)) throw new Error('address');
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}
