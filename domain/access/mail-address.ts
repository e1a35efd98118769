/**
 * When two texts are one mail address. The folded form is stored beside each address and is the only one that is
 * compared: in Postgres, in rate limits and in code. `lower()` of Postgres and `toLowerCase()` differ outside ASCII.
 */

/** An address in the form for comparison; never shown, and never a recipient. */
export type FoldedAddress = string & { readonly __brand: 'folded address' };

const ASCII = /^[\0-\x7f]*$/;
/** Characters that would end the host name in a URL. */
const NO_HOST_NAME = /[%/?#\\:[\]]/;

/**
 * Folds an address. ASCII is lowered, as the trigger of the migration does for processes of an older version. Other
 * letters are composed (NFC) and lowered, and an international domain becomes its `xn--` form (UTS #46).
 */
export function foldAddress(address: string): FoldedAddress {
  if (ASCII.test(address)) return address.toLowerCase() as FoldedAddress;
  const at = address.lastIndexOf('@');
  return `${foldText(address.slice(0, at))}@${foldDomain(address.slice(at + 1))}` as FoldedAddress;
}

/** Composed before and after, because lowercasing can decompose a letter. */
function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

function foldDomain(domain: string): string {
  const folded = foldText(domain);
  const url = `http://${folded}`;
  if (ASCII.test(folded) || NO_HOST_NAME.test(folded) || !URL.canParse(url)) return folded;
  return new URL(url).hostname;
}

export function isSameAddress(one: string, other: string): boolean {
  return foldAddress(one) === foldAddress(other);
}
