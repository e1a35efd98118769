import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port that is free now. Services tell each other their addresses before they listen, so it is chosen ahead, and below
 * the range from which systems give out ports of their own (32768 up on Linux, 49152 up on macOS): an outgoing
 * connection cannot take it in between.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES_MAX = 50; // of 12,000 ports; a machine on which fifty random ones are taken has another problem

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
