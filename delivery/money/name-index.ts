/**
 * The plays of one report by their issue numbers, for as long as the report is read. Each issued play of a screen is
 * looked up here, thousands of them after an outage, so it is a few integers in arrays and not a map of keys.
 */
const NONE = -1;

export class NameIndex {
  readonly #mask: number;
  /** By issue number, modulo their length: the last play with it. */
  readonly #first: Int32Array;
  /** By play: the previous entry in its bucket. */
  readonly #next: Int32Array;

  constructor(names: readonly { issueNumber: number }[]) {
    // Numbers of a campaign are consecutive, so twice as many buckets keep most plays apart.
    const size = 2 ** Math.ceil(Math.log2(names.length * 2 + 1));
    this.#mask = size - 1;
    this.#first = new Int32Array(size).fill(NONE);
    this.#next = new Int32Array(names.length);
    for (let at = 0; at < names.length; at++) {
      const place = names[at]!.issueNumber & this.#mask;
      this.#next[at] = this.#first[place]!;
      this.#first[place] = at;
    }
  }

  /** A play that may have this number, or -1. */
  first(issueNumber: number): number {
    return this.#first[issueNumber & this.#mask]!;
  }

  /** The next one after it. */
  next(at: number): number {
    return this.#next[at]!;
  }
}
