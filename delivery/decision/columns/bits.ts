/** Sets of small integers, one bit each, in words of 32. A set may be shorter than another: what is absent is 0. */
export type Bits = { words: Uint32Array };

const WORD_BITS = 32;

export function emptyBits(): Bits {
  return { words: new Uint32Array(4) };
}

export function setBit(bits: Bits, index: number): void {
  const word = index >>> 5;
  if (word >= bits.words.length) {
    const grown = new Uint32Array(Math.max(word + 1, bits.words.length * 2));
    grown.set(bits.words);
    bits.words = grown;
  }
  bits.words[word]! |= 1 << (index & 31);
}

export function clearBit(bits: Bits, index: number): void {
  const word = index >>> 5;
  if (word < bits.words.length) bits.words[word]! &= ~(1 << (index & 31));
}

/** Sets or clears. */
export function putBit(bits: Bits, index: number, isMember: boolean): void {
  if (isMember) setBit(bits, index);
  else clearBit(bits, index);
}

export function hasBit(words: Uint32Array, index: number): boolean {
  const word = index >>> 5;
  return word < words.length && (words[word]! & (1 << (index & 31))) !== 0;
}

export function isEmpty(words: Uint32Array): boolean {
  for (let word = 0; word < words.length; word++) if (words[word] !== 0) return false;
  return true;
}

/** The lowest member of a word that is not 0. */
export function lowestOf(word: number, bits: number): number {
  return word * WORD_BITS + (31 - Math.clz32(bits & -bits));
}

/** The lowest member from `from` on, or -1. */
export function nextMember(words: Uint32Array, from: number): number {
  let word = from >>> 5;
  if (word >= words.length) return -1;
  let bits = words[word]! & (-1 << (from & 31));
  while (bits === 0) {
    word++;
    if (word >= words.length) return -1;
    bits = words[word]!;
  }
  return lowestOf(word, bits);
}

/** The number of common members, counted up to `most`. */
export function countCommon(words: Uint32Array, others: Uint32Array, most: number): number {
  const length = Math.min(words.length, others.length);
  let count = 0;
  for (let word = 0; word < length && count < most; word++) {
    for (let bits = words[word]! & others[word]!; bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}

/** Adds the members of `more` to `words`, within the length of `words`. */
export function addAll(words: Uint32Array, more: Bits | undefined): void {
  if (more === undefined) return;
  const length = Math.min(words.length, more.words.length);
  for (let word = 0; word < length; word++) words[word]! |= more.words[word]!;
}

/** Keeps in `words` only members of `others`. */
export function keepOnly(words: Uint32Array, others: Uint32Array): void {
  for (let word = 0; word < words.length; word++) words[word]! &= others[word] ?? 0;
}

/** Removes the members of `others` from `words`. */
export function dropAll(words: Uint32Array, others: Bits | undefined): void {
  if (others === undefined) return;
  const length = Math.min(words.length, others.words.length);
  for (let word = 0; word < length; word++) words[word]! &= ~others.words[word]!;
}
