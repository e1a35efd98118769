/**
 * A flood that does one thing to the API or to delivery as often as it can, until this process ends. The process gives
 * way to all others, because it stands for machines elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pack } from 'msgpackr';
import { formatDeviceToken } from '#domain/access/key.ts';
import { yieldToOthers } from '#engines/clickhouse/reading/priority.ts';
import type { FloodOf } from './floods.ts';
import { maskedFrame, OPCODE } from '../sockets/frames.ts';
import { LoadConnection } from '../sockets/load-connection.ts';

yieldToOthers();

const HELLOS_AT_ONCE = 64;
/** The most connections that delivery allows from one address before they have said hello. */
const SILENT_SOCKETS = 1_000;
const CALLS_AT_ONCE = 64;
const BODY = Buffer.alloc(1_000_000, ' ');
const FILE = Buffer.alloc(10_000_000);
/** A flood that is refused tries again after this time. */
const AGAIN_MS = 5;

type Endpoint = FloodOf['delivery'];
const frameOf = (message: object): Buffer => maskedFrame(pack(message), OPCODE.binary);
const helloOf = (token: string): Buffer =>
  frameOf({ t: 'hello', token, platform: 'linux', player: 'flood/1', time: Date.now(), recent: [] });
const open = (endpoint: Endpoint): Promise<LoadConnection> =>
  LoadConnection.open({ ...endpoint, protocol: 'marquee.v1.msgpack' });
const ended = (connection: LoadConnection): Promise<void> =>
  new Promise(resolve => {
    if (connection.closed !== undefined) resolve();
    else connection.onClose = () => resolve();
  });

const ACTS: Record<FloodOf['what'], (flood: FloodOf) => Promise<void>> = {
  'hellos with tokens that are made up': async ({ delivery }) => {
    const connection = await open(delivery);
    connection.send(helloOf(formatDeviceToken(randomBytes(32))));
    await ended(connection);
  },
  'hellos of one screen': async ({ delivery, token }) => {
    const connection = await open(delivery);
    connection.send(helloOf(token));
    await Promise.race([ended(connection), wait(1_000)]);
    connection.close();
  },
  pings: async ({ delivery }) => {
    const connection = await open(delivery);
    const pings = Buffer.concat(Array.from({ length: 1_000 }, () => maskedFrame(randomBytes(125), OPCODE.ping)));
    connection.send(pings);
    await ended(connection);
  },
  'sockets that say nothing': async ({ delivery }) => {
    await ended(await open(delivery));
  },
  'connections that do not upgrade': ({ delivery }) =>
    new Promise(resolve => {
      const socket = connect(delivery.port, '127.0.0.1');
      socket.on('error', () => undefined); // its close follows
      socket.once('close', () => resolve());
      socket.write('GET / HTTP/1.1\r\nHost: ');
    }),
  'scans of one code': flood => call(flood, { method: 'GET', path: flood.scanPath }),
  'bodies of a megabyte': flood => call(flood, { method: 'POST', path: '/v1/pairing/000000/confirm', body: BODY }),
  'uploads to addresses that are made up': flood =>
    call(flood, {
      method: 'PUT',
      path: `/uploads/cre_${randomBytes(6).toString('hex')}?expires=4102444800000&signature=x`,
      body: FILE,
    }),
};
const AT_ONCE: Partial<Record<FloodOf['what'], number>> = {
  'hellos with tokens that are made up': HELLOS_AT_ONCE,
  'hellos of one screen': HELLOS_AT_ONCE,
  pings: HELLOS_AT_ONCE,
  'sockets that say nothing': SILENT_SOCKETS,
  'connections that do not upgrade': SILENT_SOCKETS,
};

const agent = new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE });

type CallOptions = { method: string; path: string; body?: Buffer };

function call({ apiUrl }: FloodOf, { method, path, body }: CallOptions): Promise<void> {
  return new Promise(resolve => {
    const headers = body && {
      'content-type': method === 'PUT' ? 'video/mp4' : 'application/json',
      'content-length': body.length,
    };
    const sent = request(apiUrl + path, { method, agent, ...(headers && { headers }) }, reply => {
      reply.resume();
      reply.once('close', resolve);
    });
    sent.once('error', () => setTimeout(resolve, AGAIN_MS)); // refused before all of it was sent
    sent.end(body);
  });
}

async function repeat(flood: FloodOf): Promise<void> {
  for (;;) await ACTS[flood.what](flood).catch(() => wait(AGAIN_MS)); // until this process ends
}

process.once('message', (flood: FloodOf) => {
  for (let each = AT_ONCE[flood.what] ?? CALLS_AT_ONCE; each > 0; each -= 1) void repeat(flood);
  process.send!('begun');
});
process.once('disconnect', () => process.exit(0));
