/** Refusals that several routes answer, each in one wording. */
import { refuse, type Refusal } from '#domain/refusal.ts';

export { refuseAbsent } from '#domain/refusal.ts';

/** The path does not exist, or its target must be indistinguishable from that. */
export function refuseUnknownPath(request: { method: string }): Refusal {
  return refuse('not_found', `There is nothing at this path for ${request.method}.`);
}
