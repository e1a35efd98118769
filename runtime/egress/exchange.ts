/**
 * One POST over a connection of the egress, with its bounds: one time limit from the look-up of the name to the status.
 * The status is the answer. Of the body a bounded head is read and dropped, so that the connection can be used again; a
 * larger or slower body only costs its connection. A failure is one word of a closed list, because a stranger reads it
 * in the log of a webhook.
 */
import type { Dispatcher } from 'undici';

export const EXCHANGE_MS_MAX = 5_000;
const BODY_BYTES_MAX = 64 * 1024;
/** A page of an error handler comes within this time. The attempt holds its place in the queue meanwhile. */
const BODY_MS_MAX = 500;

export type EgressError =
  | 'url_forbidden'
  | 'address_forbidden'
  | 'connection_failed'
  | 'connection_reset'
  | 'certificate_refused'
  | 'timeout'
  | 'answer_too_large'
  | 'malformed_answer';
/** The status of the answer, or the reason why there was none. */
type Outcome = { status: number } | { error: EgressError };
/** `ms` is the time that it took. */
export type Exchange = Outcome & { ms: number };

export class EgressRefusal extends Error {
  readonly code: EgressError;
  constructor(code: EgressError, message: string) {
    super(message);
    this.name = 'EgressRefusal';
    this.code = code;
  }
}

export type Target = { origin: string; path: string };

/** The request. */
export type EgressRequest = { headers: Record<string, string>; body: string };

/** Sends one POST; an undefined dispatcher stands for a URL that was refused. Never throws. */
export function exchange(
  dispatcher: Dispatcher | undefined,
  path: string,
  { headers, body }: EgressRequest,
): Promise<Exchange> {
  const startedAt = performance.now();
  return new Promise(resolve => {
    // The time of a look-up would tell a stranger what its answer was.
    const end = (outcome: Outcome) =>
      resolve({
        ...outcome,
        ms: 'error' in outcome && outcome.error === 'address_forbidden' ? 0 : Math.round(performance.now() - startedAt),
      });
    if (dispatcher) dispatcher.dispatch({ path, method: 'POST', headers, body }, new AnswerReader(end));
    else end({ error: 'url_forbidden' });
  });
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #end: (outcome: Outcome) => void;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #bytes = 0;
  #isOver = false;

  constructor(end: (outcome: Outcome) => void) {
    this.#end = end;
    this.#timer = setTimeout(() => this.#giveUp('timeout'), EXCHANGE_MS_MAX);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new EgressRefusal('timeout', 'the connection came too late'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200 || this.#isOver) return; // 1xx comes before the answer itself
    this.#status = status;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp('timeout'), BODY_MS_MAX);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > BODY_BYTES_MAX) this.#giveUp('answer_too_large');
  }

  onResponseEnd(): void {
    this.#finish({ status: this.#status });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(this.#outcome(codeOf(error)));
  }

  /** An error after the status changes nothing: the receiver has answered. */
  #outcome(error: EgressError): Outcome {
    return this.#status > 0 ? { status: this.#status } : { error };
  }

  #giveUp(error: EgressError): void {
    this.#finish(this.#outcome(error));
    this.#controller?.abort(new EgressRefusal(error, 'the exchange was given up'));
  }

  #finish(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#end(outcome);
  }
}

const CODES: Record<string, EgressError> = {
  ECONNREFUSED: 'connection_failed',
  EHOSTUNREACH: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  EADDRNOTAVAIL: 'connection_failed',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_HEADERS_OVERFLOW: 'answer_too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'answer_too_large',
};

/** The word for a connection error. */
export function codeOf(error: Error & { code?: string }): EgressError {
  if (error instanceof EgressRefusal) return error.code;
  const code = error.code ?? '';
  if (error.name === 'HTTPParserError' || code.startsWith('UND_ERR_RES')) return CODES[code] ?? 'malformed_answer';
  if (/^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'certificate_refused';
  return CODES[code] ?? 'connection_failed';
}
