/**
 * Rows of numbers in one buffer. What a decision reads of one campaign or one screen stands side by side, in one or two
 * cache lines; as many columns of their own would be as many lines, and as many headers of arrays. Row `r` of a table
 * that is `width` wide has its field `f` at `values[r * width + f]`, with constants for both where the table is
 * declared.
 */
import { grownFloats } from './growth.ts';

const ROWS_FIRST = 256;

export class Rows {
  values: Float64Array;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
    this.values = new Float64Array(ROWS_FIRST * width);
  }

  /** Makes room for rows 0 .. count - 1; new ones are all zero. */
  reserve(count: number): void {
    if (count * this.#width > this.values.length)
      this.values = grownFloats(this.values, Math.max(count * this.#width, this.values.length * 2));
  }

  /** Sets one field of all rows. */
  fill(field: number, value: number): void {
    for (let at = field; at < this.values.length; at += this.#width) this.values[at] = value;
  }
}
