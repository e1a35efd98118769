/**
 * Which refusals an operation can answer. Most follow from its shape (body, query, id, key); those of its own rules are
 * declared by the route (`config.refusals`). Operations with the same refusals share a response component.
 */
import { REFUSALS, type RefusalCode } from '#domain/refusal.ts';
import { refTo, type Components, type Operation, type Response, type Schema } from './document.ts';
import { responseHeaders, type Traits } from './headers.ts';

export type Refusable = {
  traits: Traits;
  verb: 'read' | 'write';
  hasBody: boolean;
  hasQuery: boolean;
  hasCursor: boolean;
  hasParameters: boolean;
  own: readonly RefusalCode[];
};

export function codesOf({ traits, verb, hasBody, hasQuery, hasCursor, hasParameters, own }: Refusable): RefusalCode[] {
  const { isPublic, isIdempotent } = traits;
  const codes: RefusalCode[] = [...own, 'repeated_header', 'internal_error', 'engine_unavailable'];
  if (hasBody)
    codes.push('malformed_json', 'body_too_slow', 'body_too_large', 'unsupported_media_type', 'validation_failed');
  if (hasQuery) codes.push('unknown_query_parameter', 'bad_query_parameter');
  if (hasCursor) codes.push('bad_cursor');
  if (hasParameters || !isPublic) codes.push('not_found');
  if (!isPublic)
    codes.push(
      'missing_key',
      'invalid_key',
      'expired_key',
      'revoked_key',
      'invalid_session',
      'session_ended',
      'no_workspace',
      'workspace_required',
      'bad_mode',
      'wrong_mode',
      'wrong_surface',
      'role_forbidden',
      'rate_limited',
    );
  if (!isPublic && verb === 'write')
    codes.push('cross_site_request', 'read_only_key', 'workspace_in_review', 'workspace_archived');
  if (isIdempotent) codes.push('bad_idempotency_key', 'idempotency_in_flight', 'idempotency_key_reused');
  return [...new Set(codes)];
}

/** Adds an answer for every status of these codes to the operation, and the answers themselves to the components. */
export function addProblems(
  operation: Operation,
  components: Components,
  { codes, traits }: { codes: readonly RefusalCode[]; traits: Traits },
): void {
  const statuses = [...new Set(codes.map(code => REFUSALS[code].status))].sort((a, b) => a - b);
  for (const status of statuses) {
    const ofStatus = codes.filter(code => REFUSALS[code].status === status).sort();
    const kind = traits.isPublic ? 'public' : traits.isIdempotent ? 'idempotent' : 'keyed';
    const name = [status, kind, ...ofStatus].join('.');
    components.responses[name] ??= problemResponse(status, ofStatus, responseHeaders(status, traits));
    operation.responses[status] = refTo('responses', name);
  }
}

function problemResponse(status: number, codes: readonly RefusalCode[], headers: Response['headers']): Response {
  const schema: Schema = {
    allOf: [
      refTo('schemas', 'Problem'),
      { type: 'object', properties: { status: { const: status }, code: { type: 'string', enum: codes } } },
    ],
  };
  return {
    description: codes.map(code => `\`${code}\`: ${REFUSALS[code].title}.`).join(' '),
    ...(headers && { headers }),
    content: { 'application/problem+json': { schema, example: exampleOf(codes[0]!) } },
  };
}

const DETAILS: Partial<Record<RefusalCode, string>> = {
  validation_failed: '/budget/amount must be >= 0.',
  missing_key: 'Send Authorization: Bearer <API_KEY>.',
  not_found: 'There is no such record in this workspace.',
  insufficient_funds: 'Needs 5000.00 EUR; the wallet has 1200.50 EUR. Add money or lower the budget.',
  payout_account_missing: 'Set the account that payouts go to with PUT /v1/payouts/account first.',
};

function exampleOf(code: RefusalCode): Record<string, unknown> {
  const { status, title } = REFUSALS[code];
  return {
    type: `urn:marquee:problem:${code}`,
    title,
    status,
    detail: DETAILS[code] ?? `${title}.`,
    code,
    request_id: 'req_3f9a1c5d7e2b4f6081a3c5d7',
    ...(code === 'validation_failed' && {
      errors: [{ pointer: '/budget/amount', code: 'out_of_range', detail: 'must be >= 0' }],
    }),
  };
}

export const PROBLEM: Schema = {
  type: 'object',
  description: 'Why a request was refused, as RFC 9457 has it. Programs decide by `code`.',
  properties: {
    type: { type: 'string', description: '`urn:marquee:problem:` and the code.' },
    title: { type: 'string', description: 'What the code means, for people.' },
    status: { type: 'integer', description: 'HTTP status code.' },
    detail: { type: 'string', description: 'What to change in this request, for people.' },
    code: {
      type: 'string',
      enum: Object.keys(REFUSALS),
      description: 'Code of the refusal. New ones may come; a known one keeps its meaning.',
    },
    request_id: { type: 'string', description: 'The `X-Request-Id` of this answer, req_...' },
    errors: {
      type: 'array',
      description: 'The faults of a body or a query, up to 20.',
      items: {
        type: 'object',
        description: 'One fault.',
        properties: {
          pointer: { type: 'string', description: 'JSON pointer (RFC 6901) to the field; empty for the whole body.' },
          code: { type: 'string', description: 'What is wrong with the field, in snake case.' },
          detail: { type: 'string', description: 'The same for people.' },
        },
        required: ['pointer', 'code', 'detail'],
      },
    },
    funds: {
      type: 'object',
      description: 'With `insufficient_funds`, if both amounts are known.',
      properties: {
        needed: { ...refTo('schemas', 'Money'), description: 'What the request needs.' },
        available: { ...refTo('schemas', 'Money'), description: 'What the wallet has, or what can be withdrawn.' },
      },
      required: ['needed', 'available'],
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
};
