/**
 * Repeats a call until it is answered, as docs/api/retries.md says what to repeat: no answer, 502, 503 and 504 after
 * waits that double, 429 after its `Retry-After`, `idempotency_in_flight` after a second. A repeated POST or PATCH
 * carries the `Idempotency-Key` of its first attempt, so that its effect happens once.
 */

export type Fetch = (request: Request) => Promise<Response>;

export type RetryOptions = {
  /** How often a call is sent, the first time included; 6 unless told. 1: never again. */
  attemptsMax?: number;
  /** How long one attempt may take with its whole answer; 30,000 unless told. */
  timeoutMs?: number;
  /** 0 to 1: the position of a wait within its spread. */
  random?: () => number;
  /** Waits, and rejects as soon as the signal is aborted. */
  sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>;
};

/** With waits of 1, 2, 4, 8 and 16 s a call is given up after half a minute of waiting. */
const ATTEMPTS_MAX = 6;
/** The server itself answers within seconds, exports within half a minute. */
const TIMEOUT_MS = 30_000;
const WAIT_MS_FIRST = 1_000;
const WAIT_MS_MAX = 60_000;
const IN_FLIGHT_MS = 1_000;
/** Statuses after which a repeat with the same key is safe. */
const WORTH_A_REPEAT: ReadonlySet<number> = new Set([502, 503, 504]);
/** Answers to which no body belongs (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A fetch with retries. It resolves with the last answer, even a retryable one when no attempt is left. */
export function withRetries(fetch: Fetch, options: RetryOptions = {}): Fetch {
  const { attemptsMax = ATTEMPTS_MAX, timeoutMs = TIMEOUT_MS, random = Math.random, sleep = sleepFor } = options;
  return async request => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOf(fetch, request, timeoutMs);
      const waitMs = await waitMsAfter(outcome, attempt, random());
      if (waitMs === undefined || attempt >= attemptsMax || request.signal.aborted) {
        if (outcome instanceof Response) return outcome;
        throw outcome.error;
      }
      await sleep(waitMs, request.signal);
    }
  };
}

type Outcome = Response | { error: unknown };

/**
 * One attempt with its whole answer: a connection that breaks in the middle of a body is no answer. It ends with its
 * time or with the caller's signal, even when `fetch` takes no notice. The timer holds all that the attempt needs:
 * `AbortSignal.timeout` within `AbortSignal.any` may be collected before its time and then never ends anything
 * (https://github.com/nodejs/node/issues/57736).
 */
async function attemptOf(fetch: Fetch, request: Request, timeoutMs: number): Promise<Outcome> {
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort(new DOMException(`No whole answer within ${timeoutMs} ms.`, 'TimeoutError'));
  }, timeoutMs);
  const giveUp = (): void => ending.abort(request.signal.reason);
  request.signal.addEventListener('abort', giveUp, { once: true });
  if (request.signal.aborted) giveUp();
  try {
    return await Promise.race([answerOf(fetch, request, ending.signal), rejectionOf(ending.signal)]);
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', giveUp);
  }
}

async function answerOf(fetch: Fetch, request: Request, signal: AbortSignal): Promise<Response> {
  const response = await fetch(new Request(request.clone(), { signal }));
  const { status, statusText, headers } = response;
  const body = WITHOUT_BODY.has(status) ? null : await response.arrayBuffer();
  return new Response(body, { status, statusText, headers });
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** How long to wait before the next attempt; undefined: the outcome stands. */
async function waitMsAfter(outcome: Outcome, attempt: number, random: number): Promise<number | undefined> {
  if (!(outcome instanceof Response) || WORTH_A_REPEAT.has(outcome.status)) return backOffMs(attempt, random);
  if (outcome.status === 429) {
    const header = outcome.headers.get('retry-after');
    const seconds = header === null ? Number.NaN : Number(header);
    if (!Number.isFinite(seconds)) return backOffMs(attempt, random);
    return seconds * 1_000 <= WAIT_MS_MAX ? seconds * 1_000 : undefined;
  }
  return outcome.status === 409 && (await codeOf(outcome)) === 'idempotency_in_flight' ? IN_FLIGHT_MS : undefined;
}

/**
 * Waits double and are spread over half to one and a half times their length, so that many clients do not return at
 * once.
 */
function backOffMs(attempt: number, random: number): number {
  return Math.min(WAIT_MS_MAX, WAIT_MS_FIRST * 2 ** (attempt - 1)) * (0.5 + random);
}

async function codeOf(response: Response): Promise<unknown> {
  const text = await response.clone().text();
  try {
    return (JSON.parse(text) as { code?: unknown } | null)?.code;
  } catch {
    return undefined; // not from the API: nothing says that a repeat is safe
  }
}

function sleepFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, delayMs);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
