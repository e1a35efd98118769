/** Refusals that more than one route answers, in one wording. */
import { refuse, type Refusal } from '#domain/refusal.ts';

/** The one body of every 404, so that a record of another workspace answers exactly as one that does not exist. */
export function refuseAbsent(): Refusal {
  return refuse('not_found', 'There is no such record in this workspace.');
}

/** The path is none of ours, or what it names is not told apart from that. */
export function refuseUnknownPath(request: { method: string }): Refusal {
  return refuse('not_found', `There is nothing at this path for ${request.method}.`);
}
