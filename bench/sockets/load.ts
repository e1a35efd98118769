/** Starts `load-client.ts`, a process that holds many screens. */
import { Remote } from '../child.ts';
import { pinTo } from '../pinning.ts';
import type { LoadCalls, Target } from './load-client.ts';

export type LoadClient = Remote<LoadCalls>;

/** Starts a client, on one core if told so, and connects its screens. */
export async function startLoad(target: Target, { core }: { core?: number } = {}): Promise<LoadClient> {
  const client = await Remote.start<LoadCalls>('sockets/load-client.ts');
  if (core !== undefined) pinTo(core, [client.pid]);
  try {
    await client.call('connect', target);
  } catch (error) {
    await client.close();
    throw error;
  }
  return client;
}
