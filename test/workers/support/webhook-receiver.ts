/** A receiver of webhooks: an HTTP server that keeps what it was sent and answers as the test says. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
  event: {
    id: string;
    type: string;
    created_at: string;
    workspace_id: string;
    data: { object: Record<string, unknown> };
  };
};

export type Receiver = {
  url: string;
  received: Received[];
  /** The status of the next answers; a promise is waited for before answering. */
  answer: (received: Received) => number | Promise<number>;
  /** Resolves when so many have come. */
  count(least: number): Promise<void>;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  let wake: () => void = () => undefined;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const one = {
          path: request.url!,
          headers: request.headers,
          body,
          at: Date.now(),
          event: JSON.parse(body) as Received['event'],
        };
        receiver.received.push(one);
        wake();
        void Promise.resolve(receiver.answer(one)).then(status => response.writeHead(status).end());
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: () => 204,
    async count(least) {
      while (receiver.received.length < least)
        await new Promise<void>(resolve => {
          wake = resolve;
        });
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
