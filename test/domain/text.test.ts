/** Which texts are plain: short, not empty, without control characters. A pure rule, by examples. */
import { expect, test } from 'vitest';
import { isPlainText } from '#domain/text.ts';

test.each(['a', ' a ', 'Müller & Söhne', '日本', '🎬', '👩\u200d🚀', 'x'.repeat(10)])('%j is a plain text', text =>
  expect(isPlainText(text, 10 + 10)).toBe(true),
);
test.each([
  ['', 10],
  ['   ', 10],
  ['\u200b\u00ad\u3164', 10],
  ['x'.repeat(11), 10],
  ['a\u0000b', 10],
  ['a\nb', 10],
  ['a\u007f', 10],
  ['a\u0085', 10],
  ['a\u2028b', 10],
  [5, 10],
  [null, 10],
  [undefined, 10],
  [['a'], 10],
])('%j is not a plain text of at most %i characters', (value, max) => expect(isPlainText(value, max)).toBe(false));
