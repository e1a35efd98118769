/** Clients that reset their connection, or keep a refused one: each costs its own socket alone. Real sockets. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '#runtime/log.ts';
import type { Conversation } from '../../../delivery/conversation/conversation.ts';
import type { Session } from '../../../delivery/screens/session.ts';
import { startServer } from '../../../delivery/sockets/server.ts';
import { SOCKET_LIBRARIES } from '../../../delivery/sockets/socket-library.ts';
import type { Server } from '../../../delivery/sockets/socket-server.ts';
import { findFreePort } from '../../../engines/processes/free-port.ts';
import { standIn } from '../../support/stand-in.ts';

const RESETS = 20;
const conversation = standIn<Conversation>({ opened: () => standIn<Session>({}), closed: () => undefined });

function upgrade(protocol: string): string {
  return [
    'GET /v1/screens/socket HTTP/1.1',
    'Host: x',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Protocol: ${protocol}`,
    'X-Forwarded-For: 203.0.113.7',
    '',
    '',
  ].join('\r\n');
}

describe.each(SOCKET_LIBRARIES)('by %s,', library => {
  let server: Server;
  let port: number;
  beforeEach(async () => {
    port = await findFreePort();
    server = await startServer(
      { host: '127.0.0.1', port, isShared: false, trustProxy: () => true, conversation },
      { library, log: createLog('test', 'silent') },
    );
  });
  afterEach(() => server.stopListening());

  async function open(): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return socket;
  }
  async function answerTo(socket: Socket, head: string): Promise<string> {
    socket.write(head);
    return String(((await once(socket, 'data')) as [Buffer])[0]);
  }

  test('a connection that is reset right behind its upgrade is dropped alone', async () => {
    const uncaught = vi.fn<(error: unknown) => void>();
    process.on('uncaughtException', uncaught);
    for (let reset = 0; reset < RESETS; reset++) {
      const socket = await open();
      socket.write(upgrade('marquee.v1.json'));
      socket.resetAndDestroy();
    }
    const next = await open();
    expect(await answerTo(next, upgrade('marquee.v1.json'))).toMatch(/^HTTP\/1.1 101/);
    next.destroy();
    await vi.waitUntil(() => server.sockets() === 0, { timeout: 5_000 });
    process.off('uncaughtException', uncaught);
    expect(uncaught).not.toHaveBeenCalled();
  });

  test('a refused upgrade is gone within a second, even if its client neither sends nor closes', async () => {
    const socket = await open();
    expect(await answerTo(socket, upgrade('another'))).toMatch(/^HTTP\/1.1 400/);
    await wait(500);
    // A socket that is gone answers bytes with a reset, which the next write sees; one that was only ended takes them.
    const reset = once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code);
    for (let write = 0; write < 5; write++) {
      if (!socket.destroyed) socket.write('x');
      await wait(50);
    }
    expect(await Promise.race([reset, wait(0, 'still open')])).toMatch(/^(ECONNRESET|EPIPE)$/);
    socket.destroy();
  });
});
