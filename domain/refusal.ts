/**
 * The one registry of refusals: each code that a caller of the API can meet, with its HTTP status and its title. A
 * refusal is a value: rules return it, routes turn it into `application/problem+json`. A published code keeps its
 * meaning forever; a removed one moves to the retired list and is never used again.
 */
import type { Micros } from './unit.ts';

export const REFUSALS = {
  malformed_json: { status: 400, title: 'Invalid JSON' },
  unknown_query_parameter: { status: 400, title: 'Unknown query parameter' },
  bad_query_parameter: { status: 400, title: 'Invalid query parameter' },
  repeated_header: { status: 400, title: 'Duplicate header' },
  bad_idempotency_key: { status: 400, title: 'Invalid Idempotency-Key' },
  bad_mode: { status: 400, title: 'Invalid X-Mode' },
  bad_cursor: { status: 400, title: 'Invalid cursor' },
  workspace_required: { status: 400, title: 'Workspace required' },
  bad_signature: { status: 400, title: 'Invalid signature' },
  missing_key: { status: 401, title: 'API key required' },
  invalid_key: { status: 401, title: 'Unknown API key' },
  expired_key: { status: 401, title: 'Expired API key' },
  revoked_key: { status: 401, title: 'Revoked API key' },
  wrong_sign_in: { status: 401, title: 'Incorrect email or password' },
  second_factor_required: { status: 401, title: 'Two-factor code required' },
  wrong_code: { status: 401, title: 'Incorrect code' },
  invalid_session: { status: 401, title: 'Unknown session' },
  session_ended: { status: 401, title: 'Session ended' },
  cross_site_request: { status: 403, title: 'Cross-site request blocked' },
  no_workspace: { status: 403, title: 'No workspace' },
  read_only_key: { status: 403, title: 'Read-only API key' },
  wrong_surface: { status: 403, title: 'Key cannot access this resource' },
  role_forbidden: { status: 403, title: 'Role not permitted' },
  wrong_mode: { status: 403, title: 'Live/test mode mismatch' },
  workspace_in_review: { status: 403, title: 'Workspace pending approval' },
  workspace_archived: { status: 403, title: 'Workspace archived' },
  demo_only: { status: 403, title: 'Available only in the demo' },
  sign_up_closed: { status: 403, title: 'Sign-up closed' },
  not_found: { status: 404, title: 'Not found' },
  proof_missing: { status: 404, title: 'No proof for this document' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  body_too_slow: { status: 408, title: 'Request body timeout' },
  state_conflict: { status: 409, title: 'Not allowed in current state' },
  insufficient_funds: { status: 409, title: 'Insufficient funds' },
  earnings_held: { status: 409, title: 'Earnings on hold' },
  payout_account_missing: { status: 409, title: 'Payout account required' },
  payout_account_changed: { status: 409, title: 'Payout account changed recently' },
  payments_off: { status: 409, title: 'Online payments unavailable' },
  too_many_keys: { status: 409, title: 'API key limit reached' },
  too_many_members: { status: 409, title: 'Member limit reached' },
  last_owner: { status: 409, title: 'Workspace needs an owner' },
  creative_not_ready: { status: 409, title: 'Creative not ready' },
  sensor_not_paired: { status: 409, title: 'No sensing module paired' },
  screen_offline: { status: 409, title: 'Screen offline' },
  command_unsupported: { status: 409, title: 'Command not supported by the player' },
  pairing_code_used: { status: 409, title: 'Pairing code already used' },
  idempotency_in_flight: { status: 409, title: 'Request with this Idempotency-Key in progress' },
  pairing_code_expired: { status: 410, title: 'Pairing code expired' },
  invitation_ended: { status: 410, title: 'Invitation no longer valid' },
  upload_expired: { status: 410, title: 'Upload address expired' },
  link_expired: { status: 410, title: 'Link expired' },
  body_too_large: { status: 413, title: 'Request body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'Invalid request body' },
  upload_rejected: { status: 422, title: 'File does not match its announcement' },
  idempotency_key_reused: { status: 422, title: 'Idempotency-Key used with another body' },
  payment_refused: { status: 422, title: 'Payment refused by the provider' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
  engine_unavailable: { status: 503, title: 'Service unavailable' },
  payment_provider_away: { status: 503, title: 'Payment provider unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

/** Codes that were published once and are given up. None so far. */
export const REFUSALS_RETIRED: readonly string[] = [];

export type RefusalCode = keyof typeof REFUSALS;

/** One fault of a body: an RFC 6901 pointer, a code in snake case, a sentence for people. */
export type FieldFault = { pointer: string; code: string; detail: string };

/** What a request needs, and what its account has. */
export type Funds = { neededMicros: Micros; availableMicros: Micros; currency: string };

export type Refusal = {
  readonly refused: true;
  readonly code: RefusalCode;
  readonly detail: string;
  readonly errors?: readonly FieldFault[];
  /** Of `insufficient_funds`, if both amounts are known. */
  readonly funds?: Funds;
};

/** A refusal by its code, with a sentence that says what to change. */
export function refuse(code: RefusalCode, detail: string, errors?: readonly FieldFault[]): Refusal {
  return errors === undefined ? { refused: true, code, detail } : { refused: true, code, detail, errors };
}

/** `validation_failed` for one field of a body. */
export function refuseField(pointer: string, code: string, detail: string): Refusal {
  return refuseFields([{ pointer, code, detail }]);
}

/** `validation_failed` for several fields. At least one fault. */
export function refuseFields(faults: readonly FieldFault[]): Refusal {
  const detail =
    faults.length === 1 ? `${faults[0]?.pointer}: ${faults[0]?.detail}` : `${faults.length} fields break a rule.`;
  return refuse('validation_failed', detail, faults);
}

/**
 * The refusal of every record that is not there, so that a record of another workspace is refused exactly like one that
 * does not exist.
 */
export function refuseAbsent(): Refusal {
  return refuse('not_found', 'There is no such record in this workspace.');
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refused?: unknown }).refused === true;
}
