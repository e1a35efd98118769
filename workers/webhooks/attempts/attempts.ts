/**
 * The running attempts. Each has its own socket while it runs; endpoints without a free socket wait for one, the
 * longest wait first. The sender decides what may begin and records the outcome: nothing is written here.
 */
import { isSuccess, nextAttemptAt } from '#domain/webhook.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import type { Exchange } from '#runtime/egress/exchange.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { Attempt, Delivery } from '#sql/webhooks/sending.ts';
import type { EndpointQueue } from '../endpoint-queue.ts';
import { signedHeaders } from './signature.ts';

/** Exchanges of all endpoints together, each with its own socket. One endpoint has at most 8. */
const IN_FLIGHT_MAX = 1_024;

type AttemptsOptions = {
  egress: Egress;
  now: () => Date;
  /** Whether any attempt may begin. */
  mayBegin: () => boolean;
  /** A delivery was taken from its queue; its attempt begins. */
  begun: (delivery: Delivery) => void;
  /** An attempt has ended, and its socket is free. The listener lets the next ones begin. */
  ended: (queue: EndpointQueue, delivery: Delivery, attempt: Attempt) => void;
};

export class Attempts {
  readonly #options: AttemptsOptions;
  #inFlight = 0;
  /** Endpoints that wait for a socket, the longest wait first. */
  readonly #waitingForSocket = new Set<EndpointQueue>();

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Begins as many attempts of the endpoint as may run at once. */
  begin(queue: EndpointQueue): void {
    while (this.#options.mayBegin() && queue.mayBegin()) {
      if (this.#inFlight >= IN_FLIGHT_MAX) {
        if (queue.waiting > 0) this.#waitingForSocket.add(queue);
        return;
      }
      const delivery = queue.takeNext();
      if (!delivery) return;
      this.#inFlight += 1;
      this.#options.begun(delivery);
      void this.#attempt(queue, delivery);
    }
  }

  /** Gives free sockets to waiting endpoints. */
  beginWaiting(): void {
    for (const next of this.#waitingForSocket) {
      if (this.#inFlight >= IN_FLIGHT_MAX) return;
      this.#waitingForSocket.delete(next);
      this.begin(next);
    }
  }

  async #attempt(queue: EndpointQueue, delivery: Delivery): Promise<void> {
    const at = this.#options.now().getTime();
    const { id, body } = delivery.event;
    const headers = signedHeaders({ id, body, secrets: queue.secrets, at: Math.floor(at / 1_000) });
    const exchange = await this.#options.egress.post(queue.url, { headers, body });
    faultPoint('webhooks.after_post');
    this.#inFlight -= 1;
    this.#options.ended(queue, delivery, attemptOf(delivery, at, exchange));
  }
}

function attemptOf(delivery: Delivery, at: number, { ms, ...outcome }: Exchange): Attempt {
  const delivered = isSuccess(outcome);
  const failed = { attempts: delivery.attempts + 1, first: delivery.firstAt ?? at, last: at };
  return { at, ms, outcome, delivered, nextAt: delivered ? undefined : nextAttemptAt(failed) };
}
