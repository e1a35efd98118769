/**
 * An API and a delivery process that trust the proxy on 127.0.0.1, and callers from other addresses of this machine.
 * The API notes a wrong key under its caller's address, and delivery lets one address have a single socket before a
 * hello, so both show whom they take a caller for.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, fetch, type Response } from 'undici';
import { trusting } from '#runtime/ingress/forwarded-for.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { startApi } from '../../api/support/app-under-test.ts';
import { startSecondApi } from '../../api/support/second-app.ts';
import { addCampaign, addScreen, createWorld } from '../../delivery/delivery-under-test.ts';
import { ScreenClient } from '../../support/screen-client.ts';

const PROXY = '127.0.0.1';
const CALL_KEYS = 'guess:key:';

export type Caller = {
  /** Where the connection comes from. */
  from: string;
  headers?: Record<string, string>;
  /** What is sent before all else, as a TCP balancer does. */
  preamble?: string;
  /** The certificate of `localhost` that is trusted. */
  certificate?: string;
};

export type ProxiedServices = Awaited<ReturnType<typeof startProxiedServices>>;

export async function startProxiedServices() {
  const [first, world, apiPort] = await Promise.all([startApi(), createWorld(), freePort()]);
  const api = await startSecondApi(first, { trustProxy: trusting(PROXY) });
  await api.listen(apiPort);
  await addCampaign(world);
  const delivery = await world.start({ TRUST_PROXY: PROXY, SOCKETS_BEFORE_HELLO_PER_ADDRESS_MAX: '1' });
  const ready = createServer((_request, response) => void response.end('ready')).listen(0, PROXY);
  await once(ready, 'listening');
  return {
    world,
    apiPort,
    socketPort: Number(new URL(delivery.url).port),
    /** Where `/readyz` answers 200. */
    opsPort: (ready.address() as AddressInfo).port,

    /** The addresses that the API has taken these calls for. */
    async addressesOf(calls: () => Promise<unknown>): Promise<string[]> {
      await forget();
      await calls();
      return (await api.redis.keys(`${CALL_KEYS}*`)).map(key => key.slice(CALL_KEYS.length)).toSorted();
    },

    async close(): Promise<void> {
      ready.close();
      await api.close();
      await Promise.all([first.close(), world.close()]);
    },
  };

  async function forget(): Promise<void> {
    const keys = await api.redis.keys(`${CALL_KEYS}*`);
    if (keys.length > 0) await api.redis.del(keys);
  }
}

/** A way to make connections as this caller does. Of several requests all go over one connection. */
export function wayOf({ from, headers = {}, preamble, certificate }: Caller) {
  const dispatcher = new Agent({
    connections: 1,
    connect({ port, protocol }, done) {
      const socket = connect({ host: PROXY, port: Number(port), localAddress: from });
      socket.once('error', error => done(error, null));
      socket.once('connect', () => {
        if (preamble !== undefined) socket.write(preamble);
        if (!/^(https|wss):/.test(protocol)) return done(null, socket);
        const secure = connectTls({ socket, servername: 'localhost', ...(certificate && { ca: certificate }) });
        secure.once('error', error => done(error, null)).once('secureConnect', () => done(null, secure));
      });
    },
  });
  return { dispatcher, headers };
}

/** A call with a wrong key. */
export function callBy(caller: Caller, url: string): Promise<Response> {
  const { dispatcher, headers } = wayOf(caller);
  return fetch(url, { dispatcher, headers: { authorization: 'Bearer hello', ...headers }, redirect: 'manual' });
}

/** A socket that says nothing for now. */
export const socketBy = (caller: Caller, url: string): Promise<ScreenClient> => ScreenClient.open(url, wayOf(caller));

/** Lets a screen connect over an open socket: it was not closed. */
export async function letIn(services: ProxiedServices, client: ScreenClient): Promise<void> {
  const { token } = await addScreen(services.world);
  client.send({ t: 'hello', token, platform: 'linux', player: 'test/1', time: Date.now(), recent: [] });
  await client.next('welcome');
}
