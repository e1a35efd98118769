/** Refusals that several routes answer, each in one wording. */
import { refuse, type Refusal } from '#domain/refusal.ts';

/**
 * The body of every 404 of a record, so that a record of another workspace is answered exactly like one that does not
 * exist.
 */
export function refuseAbsent(): Refusal {
  return refuse('not_found', 'There is no such record in this workspace.');
}

/** The path does not exist, or its target must be indistinguishable from that. */
export function refuseUnknownPath(request: { method: string }): Refusal {
  return refuse('not_found', `There is nothing at this path for ${request.method}.`);
}
