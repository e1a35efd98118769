/** The endpoints with deliveries in memory or due rows. One with neither is forgotten. */
import type { Handle } from '#domain/id.ts';
import type { ClientErrorCount } from '#sql/webhooks/sending.ts';
import type { Endpoint } from './endpoint.ts';
import { EndpointQueue } from './endpoint-queue.ts';

export class EndpointQueues {
  readonly #queues = new Map<Handle<'webhook'>, EndpointQueue>();

  /** The queue of an endpoint, created if missing. */
  of(endpoint: Endpoint): EndpointQueue {
    const known = this.#queues.get(endpoint.webhook);
    if (known) return known;
    const queue = new EndpointQueue(endpoint);
    this.#queues.set(endpoint.webhook, queue);
    return queue;
  }

  get(webhook: Handle<'webhook'>): EndpointQueue | undefined {
    return this.#queues.get(webhook);
  }

  all(): EndpointQueue[] {
    return [...this.#queues.values()];
  }

  forgetIfIdle(queue: EndpointQueue): void {
    if (queue.isIdle() && !queue.isDisabling) this.#queues.delete(queue.webhook);
  }
}

/** The unrecorded counts, which are recorded now. */
export function takeCounts(queues: Iterable<EndpointQueue>): ClientErrorCount[] {
  const changed = [...queues].filter(queue => queue.clientErrors !== queue.clientErrorsRecorded);
  return changed.map(queue => {
    queue.clientErrorsRecorded = queue.clientErrors;
    return { webhook: queue.webhook, clientErrors: queue.clientErrors };
  });
}
