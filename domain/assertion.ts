/** Thrown where the program contradicts itself. Never caught to carry on: the process ends. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/**
 * States what must be true here whatever the input was.
 * @throws Bug with the message when the condition is false.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}
