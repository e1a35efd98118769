/** The range of a chart's axis, and the labels of its marks. */

/** Above the largest figure, so that no line touches the edge. */
const HEADROOM = 1.1;

/** The end of the axis; a chart that is 0 throughout, or empty, has one unit. */
export function topOf(largest: number | null): number {
  return largest !== null && largest > 0 ? largest * HEADROOM : 1;
}

/** The texts of the marks. Of marks with the same text only the first is labeled. */
export function marksOf(values: readonly number[], format: (value: number) => string): string[] {
  const texts = values.map(format);
  return texts.map((text, at) => (text === texts[at - 1] ? '' : text));
}
