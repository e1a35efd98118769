/**
 * The parent's side of the reference server: the same build of uWebSockets.js, answering prepared bytes and nothing
 * else.
 */
import { endChild, messageOf, startChild } from '../child.ts';
import type { Target } from './load.ts';

/** A reference server in a process of its own: the same build of uWebSockets.js without what the product does. */
export type Server = { pid: number; target: Target };

/** The service's own flag, so that both arms have the same heap. */
const NODE_OPTIONS = ['--max-semi-space-size=32'];

/** Starts the echo server; it answers each message with `answer`. `nodeOptions` are added to those of both arms. */
export async function startEcho(
  answer: Buffer,
  connections: number,
  nodeOptions: readonly string[] = [],
): Promise<{ server: Server; end(): Promise<void> }> {
  const child = startChild('sockets/echo-server.ts', { nodeOptions: [...NODE_OPTIONS, ...nodeOptions] });
  child.send({ answer: answer.toString('base64') });
  const { port } = await messageOf<{ port: number }>(child);
  return { server: { pid: child.pid!, target: { port, path: '/', connections } }, end: () => endChild(child) };
}
