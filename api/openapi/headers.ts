/** Headers that many operations share: those of requests as parameters, those of answers as components. */
import type { Components, Operation, Parameter, Reference, Response } from './document.ts';
import { refTo } from './document.ts';

export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      "A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused.",
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '5f0c2c1e-6f0f-4f2a-9a55-0d1c9d2f7a10',
  },
  WorkspaceId: {
    name: 'X-Workspace-Id',
    in: 'header',
    required: false,
    description:
      'For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is.',
    schema: { type: 'string', maxLength: 40 },
    example: 'ws_5ybzq0c7h2m4k',
  },
  Mode: {
    name: 'X-Mode',
    in: 'header',
    required: false,
    description:
      'For a session: `test` acts on the sandbox of the workspace, `live` or absent on live records. A key has its own mode, and another one is refused.',
    schema: { type: 'string', enum: ['live', 'test'] },
    example: 'live',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier answer. If nothing has changed, the answer is 304 without a body.',
    schema: { type: 'string', maxLength: 200 },
    example: '"tJdnLl3ZRXkVs7wkeZTKHcQyhMg="',
  },
  ServiceSdk: {
    name: 'X-Service-Sdk',
    in: 'header',
    required: false,
    description: 'Name and version of the calling software, app/version; only counted.',
    schema: { type: 'string', maxLength: 100 },
    example: 'my-planner/2.4.0',
  },
} satisfies Record<string, Parameter>;

export const RESPONSE_HEADERS: Components['headers'] = {
  'X-Request-Id': {
    description: "Id of this request in the service's log; name it when you ask for help.",
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Ceiling of the bucket of this key, in calls per minute.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Calls left in the current minute, as this process knew a second ago at most.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Workspace-Limit': {
    description:
      "What the keys of the workspace that have this key's limit may call together per minute: five times as often as one.",
    schema: { type: 'integer' },
  },
  'X-RateLimit-Workspace-Remaining': {
    description: 'Calls of those keys together that are left in the current minute.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': { description: 'Seconds until the bucket refills.', schema: { type: 'integer' } },
  'X-Key-Expires-At': {
    description: 'When the key of this call ends; sent in its last seven days. ISO 8601, UTC.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Names this content; send it as `If-None-Match` to be told whether it has changed.',
    schema: { type: 'string' },
  },
  Warning: {
    description: 'The same for people (RFC 9111, code 299); sent in the last seven days of a key.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate: `Bearer`, with `error="invalid_token"` where a key was sent (RFC 6750). Sent with 401.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Bucket': {
    description:
      'Of a 429: which window has no calls left. `requests/second` and `requests/minute` of the key, a narrower one such as `forecasts/minute`, or `workspace_requests/second` and `workspace_requests/minute`. The other headers of the key are then of that window.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait. Sent with 429 only.', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored answer of an earlier request with the same key; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const KEY_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Workspace-Limit',
  'X-RateLimit-Workspace-Remaining',
  'X-Key-Expires-At',
  'Warning',
];

/**
 * Properties of an operation besides its schemas: whether it needs a key, takes an idempotency key, and is a read with
 * a key.
 */
export type Traits = { isPublic: boolean; isIdempotent: boolean; isRead: boolean };

export function headerParameters({ isPublic, isIdempotent, isRead }: Traits): Reference[] {
  if (isPublic) return [];
  const names = [
    ...(isIdempotent ? ['IdempotencyKey'] : []),
    'WorkspaceId',
    'Mode',
    ...(isRead ? ['IfNoneMatch'] : []),
    'ServiceSdk',
  ];
  return names.map(name => refTo('parameters', name));
}

/** Headers of an answer of this status. */
export function responseHeaders(status: number, { isPublic, isIdempotent, isRead }: Traits): Record<string, Reference> {
  const names = ['X-Request-Id'];
  if (!isPublic && status !== 401) names.push(...KEY_HEADERS); // an unknown caller has no bucket
  if (isRead && status < 400) names.push('ETag');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429) names.push('Retry-After');
  if (status === 429 && !isPublic) names.push('X-RateLimit-Bucket');
  if (isIdempotent && status < 500) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map(name => [name, refTo('headers', name)]));
}

/** Adds the headers to the answers that an operation declared itself. */
export function addResponseHeaders(operation: Operation, traits: Traits): void {
  if (traits.isRead) operation.responses['304'] = { description: 'What `If-None-Match` names has not changed.' };
  for (const [status, response] of Object.entries(operation.responses) as [string, Response][])
    response.headers = responseHeaders(Number(status), traits);
}
