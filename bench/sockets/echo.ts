/**
 * The parent's side of the reference server: the same build of uWebSockets.js, answering prepared bytes and nothing
 * else.
 */
import { DELIVERY_ENV, DELIVERY_NODE_OPTIONS } from '#runtime/programs/delivery-memory.ts';
import { Remote } from '../child.ts';
import type { EchoCalls } from './echo-server.ts';
import type { Target } from './load-client.ts';

/** A reference server in a process of its own: the same build of uWebSockets.js without what the product does. */
export type Server = { pid: number; target: Target };

/** Longer than a request for a slot, shorter than a report of one play. */
const ACK_FROM_BYTES = 64;

type EchoOptions = {
  /** Answers reports of plays; absent: `answer` answers everything. */
  ack?: Buffer;
  /** Added to those of both arms. */
  nodeOptions?: readonly string[];
};

/** Starts the echo server; it answers each message with `answer`. */
export async function startEcho(
  answer: Buffer,
  connections: number,
  { ack = answer, nodeOptions = [] }: EchoOptions = {},
): Promise<{ server: Server; end(): Promise<void> }> {
  // The service's own memory, so that both arms have the same heap.
  const echo = await Remote.start<EchoCalls>('sockets/echo-server.ts', {
    nodeOptions: [...DELIVERY_NODE_OPTIONS, ...nodeOptions],
    env: { ...process.env, ...DELIVERY_ENV },
  });
  const port = await echo.call('listen', {
    answer: answer.toString('base64'),
    ack: ack.toString('base64'),
    ackFromBytes: ACK_FROM_BYTES,
  });
  return { server: { pid: echo.pid, target: { port, path: '/', connections } }, end: () => echo.close() };
}
