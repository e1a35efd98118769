/**
 * The one registry of refusals: each code that a caller of the API can meet, with its HTTP status and its title. A
 * refusal is a value: rules return it, routes turn it into `application/problem+json`. A published code keeps its
 * meaning forever; a removed one moves to the retired list and is never used again.
 */
export const REFUSALS = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  unknown_query_parameter: { status: 400, title: 'Unknown query parameter' },
  bad_query_parameter: { status: 400, title: 'Query parameter with a wrong value' },
  repeated_header: { status: 400, title: 'A header is there twice' },
  bad_idempotency_key: { status: 400, title: 'The Idempotency-Key is not one' },
  bad_cursor: { status: 400, title: 'The cursor is not one of this list' },
  workspace_required: { status: 400, title: 'It is not said which workspace is meant' },
  bad_signature: { status: 400, title: 'The signature is not right' },
  missing_key: { status: 401, title: 'No API key' },
  invalid_key: { status: 401, title: 'Unknown API key' },
  expired_key: { status: 401, title: 'Expired API key' },
  revoked_key: { status: 401, title: 'Revoked API key' },
  wrong_sign_in: { status: 401, title: 'Address and password do not belong together' },
  second_factor_required: { status: 401, title: 'A code of the second factor is needed' },
  wrong_code: { status: 401, title: 'The code is not right' },
  invalid_session: { status: 401, title: 'Unknown session' },
  session_ended: { status: 401, title: 'The session has ended' },
  cross_site_request: { status: 403, title: 'The call may come from another site' },
  no_workspace: { status: 403, title: 'The person has no workspace' },
  read_only_key: { status: 403, title: 'The key may only read' },
  wrong_surface: { status: 403, title: 'The key is for another surface' },
  role_forbidden: { status: 403, title: 'The role does not allow this' },
  wrong_mode: { status: 403, title: 'The key is of the other mode' },
  workspace_in_review: { status: 403, title: 'The workspace waits for the operator' },
  workspace_archived: { status: 403, title: 'The workspace is archived' },
  demo_only: { status: 403, title: 'Only the demo does this' },
  sign_up_closed: { status: 403, title: 'Sign-up is not open' },
  not_found: { status: 404, title: 'Not found' },
  proof_missing: { status: 404, title: 'The document has no proof' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  body_too_slow: { status: 408, title: 'The body came too slowly' },
  state_conflict: { status: 409, title: 'The state does not allow this' },
  insufficient_funds: { status: 409, title: 'The balance does not cover the amount' },
  earnings_held: { status: 409, title: 'The earnings are still held' },
  payout_account_missing: { status: 409, title: 'No account to pay to' },
  payout_account_changed: { status: 409, title: 'The account to pay to was changed a moment ago' },
  payments_off: { status: 409, title: 'No payment provider is set up' },
  too_many_keys: { status: 409, title: 'The workspace has as many keys as it may have' },
  too_many_members: { status: 409, title: 'The workspace has as many members as it may have' },
  last_owner: { status: 409, title: 'The workspace would have no owner' },
  creative_not_ready: { status: 409, title: 'A creative is not ready' },
  sensor_not_paired: { status: 409, title: 'No sensing module is paired' },
  screen_offline: { status: 409, title: 'The screen is offline' },
  command_unsupported: { status: 409, title: 'The player does not know the command' },
  pairing_code_used: { status: 409, title: 'The pairing code was used' },
  idempotency_in_flight: { status: 409, title: 'A request with this idempotency key is in flight' },
  pairing_code_expired: { status: 410, title: 'The pairing code has expired' },
  invitation_ended: { status: 410, title: 'The invitation is no longer open' },
  upload_expired: { status: 410, title: 'The upload address has expired' },
  link_expired: { status: 410, title: 'The address has expired' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'The body breaks a rule' },
  upload_rejected: { status: 422, title: 'The file is not what was announced' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used with another body' },
  payment_refused: { status: 422, title: 'The payment provider refused the payment' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
  engine_unavailable: { status: 503, title: 'A part of the service is down' },
  payment_provider_away: { status: 503, title: 'The payment provider is down' },
} as const satisfies Record<string, { status: number; title: string }>;

/** Codes that were published once and are given up. None so far. */
export const REFUSALS_RETIRED: readonly string[] = [];

export type RefusalCode = keyof typeof REFUSALS;

/** One fault of a body: an RFC 6901 pointer, a code in snake case, a sentence for people. */
export type FieldFault = { pointer: string; code: string; detail: string };

export type Refusal = {
  readonly refused: true;
  readonly code: RefusalCode;
  readonly detail: string;
  readonly errors?: readonly FieldFault[];
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
