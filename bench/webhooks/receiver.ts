import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receivers of both arms: each on a port of its own, answering 204 to whatever has come in full. Its CPU time is the client's and counts for neither. */
type Ask = { listen: number } | 'count';

let count = 0;

async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

process.on('message', (ask: Ask) => {
  if (ask === 'count') process.send!(count);
  else void Promise.all(Array.from({ length: ask.listen }, listen)).then(ports => process.send!(ports));
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');
