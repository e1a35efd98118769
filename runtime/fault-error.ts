/**
 * A fault: something outside this process went wrong (an engine is down, a file cannot be written). `retryable` says
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

// How postgres.js, Node's sockets, ioredis and the servers each say that the other side is down.
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);
const AWAY_NAMES = new Set(['MaxRetriesPerRequestError', 'AbortError', 'ClusterAllFailedError']);
const AWAY_MESSAGES = [
  'Connection is closed.',
  'All sentinels are unreachable',
  "Stream isn't writeable",
  'Timeout error.',
  'socket hang up',
  'Command timed out',
  'LOADING ',
  'CLUSTERDOWN ',
];

/**
 * Whether an error says that an engine is down, starts, or asks to be tried again: expected in operation, and no bug.
 */
export function isEngineAway(error: Error & { code?: unknown }): boolean {
  if (error instanceof Fault) return error.retryable;
  if (typeof error.code === 'string' && AWAY_CODES.has(error.code)) return true;
  return AWAY_NAMES.has(error.name) || AWAY_MESSAGES.some(message => error.message.startsWith(message));
}
