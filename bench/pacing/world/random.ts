/**
 * A seeded source of numbers (sfc32, seeded by a splitmix step), the same on every machine: equal seeds give equal
 * worlds.
 */
export type Random = {
  /** 0 <= u < 1. */
  unit: () => number;
  /** An integer 0..below - 1. */
  integer: (below: number) => number;
  /** Standard normal. */
  normal: () => number;
  /** Log-normal with median 1. */
  logNormal: (sigma: number) => number;
  /** An index, each as likely as its weight. */
  weighted: (weights: readonly number[]) => number;
};

export function createRandom(seed: number): Random {
  const word = sfc32(seed);
  const unit = () => word() / 4_294_967_296;
  const normal = () => {
    let first = unit();
    while (first === 0) first = unit();
    return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * unit());
  };
  return {
    unit,
    integer: below => Math.floor(unit() * below),
    normal,
    logNormal: sigma => Math.exp(sigma * normal()),
    weighted: weights => {
      let rest = unit() * weights.reduce((sum, weight) => sum + weight, 0);
      for (let index = 0; index < weights.length; index++) {
        rest -= weights[index]!;
        if (rest < 0) return index;
      }
      return weights.length - 1;
    },
  };
}

/** How many numbers are drawn and not used until the state is mixed. */
const WARM_UP = 12;

function sfc32(seed: number): () => number {
  let state = seed >>> 0;
  const split = () => {
    state = (state + 0x9e37_79b9) >>> 0;
    let word = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a_2d97);
    return (word ^ (word >>> 15)) >>> 0;
  };
  let a = split();
  let b = split();
  let c = split();
  let d = split();
  const next = () => {
    const word = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    return word >>> 0;
  };
  for (let word = 0; word < WARM_UP; word++) next();
  return next;
}
