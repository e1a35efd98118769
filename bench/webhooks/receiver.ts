/**
 * The receivers of both sides of the webhook benchmark, each on a port of its own, answering 204 to whatever has come
 * in full. Their CPU time counts for neither side.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../serve.ts';

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

/** From now on arrivals are timed. */
function time(): void {
  waits = [];
}

const calls = {
  /** Returns the ports of so many receivers. */
  listen: (count: number) => Promise.all(Array.from({ length: count }, listen)),
  count: () => count,
  time,
  waits: () => waits!,
};
export type ReceiverCalls = typeof calls;
serve(calls);
