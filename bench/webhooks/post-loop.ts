/**
 * The reference of the webhook benchmark: undici's own request in a loop, the same bytes to the same receivers over as
 * many connections. Nothing is signed, looked up or written.
 */
import { Agent } from 'undici';
import { serve } from '../serve.ts';

type Post = { headers: Record<string, string>; body: string };
type Start = Post & { urls: string[]; concurrency: number };

let running: Promise<void>;
const state = { isStopped: true };

function start({ urls, concurrency, ...post }: Start): void {
  state.isStopped = false;
  const agent = new Agent({ connections: concurrency, pipelining: 1 });
  const loops = urls.flatMap(url => Array.from({ length: concurrency }, () => postUntilStopped(agent, url, post)));
  running = Promise.all(loops).then(() => agent.close());
}

function stop(): Promise<void> {
  state.isStopped = true;
  return running;
}

async function postUntilStopped(agent: Agent, url: string, { headers, body }: Post): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  while (!state.isStopped) {
    const answer = await agent.request({ origin, path, method: 'POST', headers, body });
    await answer.body.dump();
  }
}

const calls = { start, stop };
export type LoopCalls = typeof calls;
serve(calls);
