/**
 * The error of a failed call. The codes are those of the OpenAPI document, where each is described; a server may be
 * newer than this package and send others.
 */
import type { components } from './generated/openapi.d.ts';

type Problem = components['schemas']['Problem'];

/** The codes that this version of the interface knows. */
export type ErrorCode = Problem['code'];
/** One fault of a body or a query: where it is, a code in snake case, a sentence for people. */
export type FieldError = NonNullable<Problem['errors']>[number];
/** What a call needed, and what its account had. */
export type Funds = NonNullable<Problem['funds']>;

/**
 * `no_answer`: nothing came, or not in time; the call may have been carried out. `unreadable_answer`: what came is not
 * from the API, as the page of a proxy.
 */
export type LocalCode = 'no_answer' | 'unreadable_answer';

export type MarqueeErrorFields = {
  code: string;
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  detail: string;
  errors?: readonly FieldError[];
  funds?: Funds | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/** A call that did not succeed. Decide by `code`, with `is`; `message` is for people. */
export class MarqueeError extends Error {
  override readonly name = 'MarqueeError';
  readonly code: string;
  readonly status: number;
  readonly errors: readonly FieldError[];
  /** Of `insufficient_funds`, if both amounts are known. */
  readonly funds: Funds | undefined;
  /** The `X-Request-Id` of the answer: name it when you ask for help. */
  readonly requestId: string | undefined;
  /** The `Retry-After` of a 429. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, status, detail, errors = [], funds, requestId, retryAfterSeconds, cause }: MarqueeErrorFields) {
    super(`${code}: ${detail}`, { cause });
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.funds = funds;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether it is one of these codes; the compiler knows them. */
  is(...codes: (ErrorCode | LocalCode)[]): boolean {
    return codes.some(code => code === this.code);
  }
}

/**
 * The error of an answer that is not a success.
 *
 * @param body the answer as JSON, or as text if it is not JSON
 */
export function errorOfAnswer(response: Response, body: unknown): MarqueeError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const { status } = response;
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
  if (!isProblem(body))
    return new MarqueeError({
      code: 'unreadable_answer',
      status,
      detail: `HTTP ${status}`,
      requestId,
      retryAfterSeconds,
    });
  const { code, detail, errors = [], funds, request_id: id = requestId } = body;
  return new MarqueeError({ code, status, detail, errors, funds, requestId: id, retryAfterSeconds });
}

/** The error of a call that was not answered. */
export function errorOfSilence(cause: unknown): MarqueeError {
  return new MarqueeError({ code: 'no_answer', status: 0, detail: String(cause), cause });
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
}
