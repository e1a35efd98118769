/**
 * Ends a query whose client has gone. A query of the embedded engine has no id that we could give it, so its text ends
 * with a comment of its own, by which it is found among the running ones.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { quoteString } from './parameters.ts';
import type { Pool } from '../pool.ts';
import { QueryFault, readEngineFault } from './query-fault.ts';

const AGAIN_MS = 500;
const CANCELLED = 394;

export type Cancellable = { mark: string; run<T>(use: () => Promise<T>): Promise<T> };

/** @param control connections that run nothing else; @param gone aborts when the client has gone. */
export function createCancellable(control: Pool, gone: AbortSignal): Cancellable {
  const mark = ` /* ${randomUUID()} */`;
  return {
    mark,
    /** Runs `use`, whose statement ends with the mark; ends it when the client goes. */
    async run(use) {
      if (gone.aborted)
        throw new QueryFault(CANCELLED, 'QUERY_WAS_CANCELLED', 'Query was cancelled: the client has gone');
      const state = { ended: false };
      const kill = () => void killUntilEnded(control, mark, state);
      gone.addEventListener('abort', kill, { once: true });
      try {
        return await use();
      } catch (error) {
        const fault = readEngineFault(error);
        throw new QueryFault(fault.code, fault.type, fault.message.replaceAll(mark, '')); // the engine quotes the query
      } finally {
        state.ended = true;
        gone.removeEventListener('abort', kill);
      }
    },
  };
}

/** Again and again: a query may be between two statements of its connection, and is not seen before it has begun. */
async function killUntilEnded(control: Pool, mark: string, state: { ended: boolean }): Promise<void> {
  while (!state.ended) {
    try {
      await control.run(connection =>
        connection.execute({
          sql: `KILL QUERY WHERE endsWith(query, ${quoteString(mark)}) ASYNC`,
          database: 'default',
          settings: [],
          format: 'Null',
        }),
      );
    } catch {
      // The query has ended on its own, or will be canceled again.
    }
    await wait(AGAIN_MS, undefined, { ref: false });
  }
}
