/** The port on which an operator and an orchestrator watch a process. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectProcessMetrics, registry } from './metrics.ts';

export type OpsServer = { port: number; close(): Promise<void> };
export type OpsServerOptions = { port: number; host: string; isReady: () => boolean };

/**
 * `/livez` (the process runs), `/readyz` (it can serve; 503 while starting or draining) and `/metrics` (Prometheus
 * text) on a port of their own, so that an operator's scrape never meets a user's request.
 */
export async function startOpsServer({ port, host, isReady }: OpsServerOptions): Promise<OpsServer> {
  collectProcessMetrics();
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/livez') return response.end('ok\n');
    if (path === '/readyz') return response.writeHead(isReady() ? 200 : 503).end(isReady() ? 'ready\n' : 'not ready\n');
    if (path === '/metrics') return void sendMetrics(response);
    return response.writeHead(404).end();
  });
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A metric that cannot be read fails the scrape and not the process. */
async function sendMetrics(response: ServerResponse): Promise<void> {
  try {
    response.setHeader('content-type', registry.contentType).end(await registry.metrics());
  } catch (error) {
    response.writeHead(500).end(`${String(error)}\n`);
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
