/** A result of a review: a rule, the screen or venue, its strength, and the evidence. */
import type { Handle } from '../../id.ts';
import { ruleInForce } from './invalid-traffic.ts';

/** `screen` is undefined where the whole venue is meant. `score` orders suspicions of one rule, the strongest first. */
export type Suspicion = {
  rule: string;
  version: number;
  workspace: Handle<'workspace'>;
  venue: Handle<'venue'>;
  screen?: Handle<'screen'>;
  score: number;
  evidence: Record<string, number>;
};

type FindingSubject = { workspace: Handle<'workspace'>; venue: Handle<'venue'>; screen?: Handle<'screen'> };

export function suspicion(
  name: string,
  { workspace, venue, screen }: FindingSubject,
  score: number,
  evidence: Record<string, number>,
): Suspicion {
  const { version } = ruleInForce(name);
  return {
    rule: name,
    version,
    workspace,
    venue,
    ...(screen !== undefined && { screen }),
    score,
    evidence: Object.fromEntries(Object.entries(evidence).map(([key, value]) => [key, shorten(value)])),
  };
}

/** Rounds to four significant digits. */
function shorten(value: number): number {
  return Number(value.toPrecision(4));
}
