/**
 * The receivers of both sides of the webhook benchmark, each on a port of its own, answering 204 to whatever has come in full.
 * Their CPU time counts for neither side.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Ask = { listen: number } | 'count' | 'time' | 'waits';

let count = 0;
/** Milliseconds from each event to its arrival, once it is asked to time them. */
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

process.on('message', (ask: Ask) => {
  if (ask === 'time') waits = [];
  else if (ask === 'waits') process.send!(waits);
  else if (ask === 'count') process.send!(count);
  else void Promise.all(Array.from({ length: ask.listen }, listen)).then(ports => process.send!(ports));
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');
