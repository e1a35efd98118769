/** A seeded generator (sfc32): the same seed makes the same choices. */
export type Random = {
  /** An integer from 0 to n - 1. */
  pick(n: number): number;
  one<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
};

export function createRandom(seed: number): Random {
  let [a, b, c, d] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const next = (): number => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let round = 0; round < 15; round++) next();
  const pick = (n: number): number => (n <= 1 ? 0 : next() % n);
  return { pick, one: list => list[pick(list.length)]!, chance: probability => next() / 2 ** 32 < probability };
}
