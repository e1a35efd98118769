/**
 * The reference of the webhook benchmark: undici's own request in a loop, the same bytes to the same receivers over as
 * many connections. Nothing is signed, looked up or written.
 */
import { Agent } from 'undici';

type Start = { urls: string[]; concurrency: number; headers: Record<string, string>; body: string };

let running: Promise<unknown> = Promise.resolve();
const state = { isStopped: true };

process.on('message', (message: Start | 'stop') => {
  if (message === 'stop') {
    state.isStopped = true;
    void running.then(() => process.send!('stopped'));
    return;
  }
  state.isStopped = false;
  const agent = new Agent({ connections: message.concurrency, pipelining: 1 });
  const loops = message.urls.flatMap(url =>
    Array.from({ length: message.concurrency }, () => postUntilStopped(agent, url, message)),
  );
  running = Promise.all(loops).then(() => agent.close());
  process.send!('started');
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');

async function postUntilStopped(agent: Agent, url: string, { headers, body }: Start): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  while (!state.isStopped) {
    const answer = await agent.request({ origin, path, method: 'POST', headers, body });
    await answer.body.dump();
  }
}
