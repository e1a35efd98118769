/** Plain mail addresses. Spellings that a server could read as two addresses, or as more than one, are refused. */

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
