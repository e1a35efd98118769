/** Calls of the product's own functions, which the demo makes itself. */
import { isRefusal, type Refusal } from '#domain/refusal.ts';

/** @throws if the product refused what the demo does */
export function accepted<T extends object>(answer: T | Refusal): T {
  if (isRefusal(answer)) throw new Error(`the demo was refused: ${answer.detail}`);
  return answer;
}
