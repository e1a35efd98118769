/** Typed arrays that grow: a longer copy, with zeros at its end. Columns by campaign or screen use these. */

export function grownFloats(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(length);
  grown.set(values);
  return grown;
}

export function grownIntegers(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(values);
  return grown;
}
