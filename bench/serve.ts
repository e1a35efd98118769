/** The child's side of `Remote` (`child.ts`). */
import type { Call, Calls, Reply } from './child.ts';

/** Takes calls of these functions until the parent has ended. */
export function serve(calls: Calls): void {
  process.on('message', message => void answer(calls, message as Call).then(reply => process.send?.(reply)));
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

async function answer(calls: Calls, { id, name, args }: Call): Promise<Reply> {
  try {
    return { id, answer: await calls[name]!(...args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
