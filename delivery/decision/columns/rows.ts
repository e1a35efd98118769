/**
 * Rows of numbers in one buffer. The fields that a decision reads of one campaign or screen are adjacent, in one or two
 * cache lines; separate columns would take one line and one array header each. Row `r` of a table of width `width` has
 * its field `f` at `values[r * width + f]`; the declaration of the table has constants for both.
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
