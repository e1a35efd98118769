/**
 * The client: autocannon in a process of its own, one pending request per connection. Requests for reading are
 * prepared; those for creating are made one by one, each with a new name and idempotency key.
 */
import autocannon from 'autocannon';
import { serve } from '../serve.ts';

export type Target = { path: string; authorization: string };
export type Shot = {
  url: string;
  connections: number;
  seconds: number;
  /** Each connection begins with another target and goes through all of them in turn. */
  targets: readonly Target[];
  /** Absent: GET. Else the body of a POST to each target's path; `name` is added. */
  bodies?: readonly Record<string, unknown>[];
};
export type Hits = {
  answers: number;
  refused: number;
  failed: number;
  errors: number;
  timeouts: number;
  seconds: number;
  msP50: number;
  msP99: number;
};

let created = 0;
const run = `${Date.now().toString(36)}-${process.pid}`;

function requestsOf({ targets, bodies }: Shot): autocannon.Request[] {
  return targets.map((target, index) => {
    const headers = { authorization: target.authorization, ...(bodies && { 'content-type': 'application/json' }) };
    const fixed = { method: bodies ? ('POST' as const) : ('GET' as const), path: target.path, headers };
    if (!bodies) return fixed;
    const body = bodies[index % bodies.length]!;
    return {
      ...fixed,
      setupRequest: request => {
        const name = `${run}-${(created += 1)}`;
        return {
          ...request,
          headers: { ...headers, 'idempotency-key': name },
          body: JSON.stringify({ ...body, name }),
        };
      },
    };
  });
}

async function shoot(shot: Shot): Promise<Hits> {
  const requests = requestsOf(shot);
  let turn = 0;
  const result = await autocannon({
    url: shot.url,
    connections: shot.connections,
    duration: shot.seconds,
    pipelining: 1,
    requests,
    setupClient: client => {
      const from = (turn += 1) % requests.length;
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
    },
  });
  return {
    answers: result['2xx'],
    refused: result['4xx'] + result['3xx'],
    failed: result['5xx'],
    errors: result.errors,
    timeouts: result.timeouts,
    seconds: result.duration,
    msP50: result.latency.p50,
    msP99: result.latency.p99,
  };
}

const calls = { shoot };
export type CannonCalls = typeof calls;
serve(calls);
