/**
 * A port that is free now. Services tell each other their addresses before they listen, so it is chosen ahead, and
 * below the range from which systems give out ports of their own (32768 up on Linux, 49152 up on macOS): an outgoing
 * connection cannot take it in between.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { UsageError } from '../arguments.ts';

const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES_MAX = 50; // of 12,000 ports; a machine on which fifty random ones are taken has another problem

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port, '0.0.0.0')) return port; // services listen on all addresses
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`);
}

/** @throws UsageError when something listens on the port, or this user may not. `flag`: where another one is given. */
export async function assertFree(port: number, { host, flag }: { host: string; flag: string }): Promise<void> {
  if (!(await isFree(port, host)))
    throw new UsageError(
      `Port ${port} cannot be used: something listens there, or it is not for this user. Give ${flag} another one; 0 takes any that is free.`,
    );
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
