/**
 * A fault: something outside this process went wrong (an engine is away, a file cannot be written). `retryable` says
 * whether trying the same thing again can help. Refusals are values (`#domain/refusal.ts`); bugs are assertions.
 */
export class Fault extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.retryable = options.retryable;
  }
}
