/** Where all choices of a run come from: one seeded generator, so that a seed is a run. */
export type Choose = (below: number) => number;

let source: Choose = () => 0;

export function chooseBy(choose: Choose): void {
  source = choose;
}

/** One of 0 .. below - 1. */
export function pick(below: number): number {
  return below <= 1 ? 0 : source(below);
}

export function one<T>(list: readonly T[]): T {
  return list[pick(list.length)]!;
}

/** sfc32, a small fast counting generator (Chris Doty-Humphrey, PractRand). */
export function generator(seed: number): Choose {
  let a = seed | 0;
  let b = 0x9e3779b9 | 0;
  let c = 0x243f6a88 | 0;
  let d = 1;
  const next = (): number => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let round = 0; round < 15; round++) next();
  return below => next() % below;
}
