/**
 * The receivers of both sides of the webhook benchmark, each on a port of its own, answering 204 to whatever has come
 * in full. Their CPU time counts for neither side.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `time` begins to time the arrivals of events, `waits` answers their times. An answer repeats the id of its question.
 */
export type ReceiverQuestion =
  { id: number; ask: 'listen'; ports: number } | { id: number; ask: 'count' | 'time' | 'waits' };
export type ReceiverAnswer = { id: number; answer: number | number[] };

let count = 0;
/** Milliseconds from each event to its arrival, once timing was requested. */
let waits: number[] | undefined;

async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    if (waits) request.on('data', (chunk: Buffer) => noteWait(chunk));
    request.resume().on('end', () => {
      count += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A body of the benchmark is one chunk. */
function noteWait(chunk: Buffer): void {
  const at = /"created_at":"([^"]+)"/.exec(chunk.toString())?.[1];
  if (at !== undefined) waits!.push(Date.now() - Date.parse(at));
}

async function answer(question: ReceiverQuestion): Promise<number | number[]> {
  switch (question.ask) {
    case 'listen':
      return Promise.all(Array.from({ length: question.ports }, listen));
    case 'time':
      return (waits = []);
    case 'waits':
      return waits!;
    case 'count':
      return count;
  }
}

process.on('message', (question: ReceiverQuestion) => {
  void answer(question).then(value => process.send!({ id: question.id, answer: value } satisfies ReceiverAnswer));
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');
