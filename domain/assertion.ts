/** Thrown where the program contradicts itself. Never caught to carry on: the process ends. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/**
 * Asserts a condition that must hold here for any input.
 * @throws Bug with the message if the condition is false.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}
