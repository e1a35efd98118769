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

export function hasBit(words: Uint32Array, index: number): boolean {
  return ((words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}

export function isEmpty(words: Uint32Array): boolean {
  for (let word = 0; word < words.length; word++) if (words[word] !== 0) return false;
  return true;
}

/** Adds the members of `more` to `words`, as far as `words` reaches. */
export function addAll(words: Uint32Array, more: Bits | undefined): void {
  if (more === undefined) return;
  const length = Math.min(words.length, more.words.length);
  for (let word = 0; word < length; word++) words[word]! |= more.words[word]!;
}

/** Keeps in `words` what is also in `others`. */
export function keepOnly(words: Uint32Array, others: Uint32Array): void {
  for (let word = 0; word < words.length; word++) words[word]! &= others[word] ?? 0;
}

/** Drops from `words` what is in `others`. */
export function dropAll(words: Uint32Array, others: Bits | undefined): void {
  if (others === undefined) return;
  const length = Math.min(words.length, others.words.length);
  for (let word = 0; word < length; word++) words[word]! &= ~others.words[word]!;
}

/** The members in ascending order. */
export function membersOf(words: Uint32Array): Int32Array {
  let count = 0;
  for (let word = 0; word < words.length; word++) {
    for (let rest = words[word]!; rest !== 0; rest &= rest - 1) count++;
  }
  const members = new Int32Array(count);
  let at = 0;
  for (let word = 0; word < words.length; word++) {
    for (let rest = words[word]!; rest !== 0; rest &= rest - 1) members[at++] = word * WORD_BITS + (31 - Math.clz32(rest & -rest));
  }
  return members;
}
