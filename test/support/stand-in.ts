/**
 * Stand-ins for parts of the product of which a test needs a few members. Those that are given are checked against the
 * type; what the code under test asks for besides is not there, and fails the test.
 */
export function standIn<T extends object>(members: Partial<T>): T {
  return members as T;
}
