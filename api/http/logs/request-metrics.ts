/**
 * Metrics of requests: how long they took by route, method and status class, and how many are in flight. The hooks of
 * every request call them.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { gauge, histogram } from '#runtime/metrics.ts';

const seconds = histogram({
  name: 'api_request_seconds',
  help: 'Time from the request to the end of its answer, by route, method and status class',
  labels: ['route', 'method', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

const inFlight = gauge({ name: 'api_requests_in_flight', help: 'Requests that are not answered yet' });

/** Notes the start of a request; `observeRequest` notes its end, even if its caller disconnected. */
export function beginRequest(): void {
  inFlight.inc();
}

/** Counts one answered request. Paths are counted by their pattern, so that labels stay few. */
export function observeRequest(request: FastifyRequest, reply: FastifyReply): void {
  inFlight.dec();
  seconds.observe(
    {
      route: request.routeOptions.url ?? 'unknown',
      method: request.method,
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    },
    reply.elapsedTime / 1_000,
  );
}
