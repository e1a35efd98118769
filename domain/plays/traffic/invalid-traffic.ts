/** Finds the rules about invalid traffic by name and version. The rules themselves are in `data/traffic-rules.ts`. */
import { assert } from '../../assertion.ts';
import { TRAFFIC_RULE_ROWS, type TrafficRule } from '../../data/traffic-rules.ts';

export type { TrafficRule } from '../../data/traffic-rules.ts';

const newestByName = new Map<string, TrafficRule>();
const byLabel = new Map<string, TrafficRule>();
for (const rule of TRAFFIC_RULE_ROWS) {
  const newest = newestByName.get(rule.name);
  assert(
    newest === undefined || newest.version > rule.version,
    `${rule.name} has its versions in another order than newest first`,
  );
  if (newest === undefined) newestByName.set(rule.name, rule);
  byLabel.set(ruleLabel(rule), rule);
}

/** The version of a rule that is applied. */
export function ruleInForce(name: string): TrafficRule {
  const rule = newestByName.get(name);
  assert(rule !== undefined, `there is no rule ${name}`);
  return rule;
}

/** The label of the version that is applied. */
export function labelInForce(name: string): string {
  return ruleLabel(ruleInForce(name));
}

/** A rule as records name it: `pace@1`. */
export function ruleLabel({ name, version }: { name: string; version: number }): string {
  return `${name}@${version}`;
}

/** The rule that a record names, of whatever version; undefined for none that ever was. */
export function ruleOfLabel(label: string): TrafficRule | undefined {
  return byLabel.get(label);
}

/**
 * The text for the owner of a venue about a review: enough to look into it, but not enough to stay just below a
 * threshold.
 */
export const CONCERNS = ['plays', 'audience', 'times', 'scans'] as const;
export type Concern = (typeof CONCERNS)[number];

const concernByRule: Readonly<Record<string, Concern>> = {
  pace: 'plays',
  venue_volume: 'plays',
  audience: 'audience',
  own_audience: 'audience',
  steady_audience: 'audience',
  even_times: 'times',
  around_the_clock: 'times',
  scans_without_plays: 'scans',
  plays_without_scans: 'scans',
};

export function concernOf(ruleName: string): Concern {
  return concernByRule[ruleName] ?? 'plays';
}
