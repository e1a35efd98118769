/** The rules of reviews in words: records name them as `pace@1`. */
import { decimal, percent } from '../../../text/format.ts';
import { term, textOf } from '../../../text/text.ts';

/** Shares between 0 and 1 that people read as percent. */
const SHARES = new Set(['ad_ratio', 'share_min', 'share_of_expected']);

const nameOf = (label: string): string => label.split('@')[0]!;

export function ruleTitle(label: string): string {
  return term('trafficRule', nameOf(label));
}

/** The subject of the rule, or a possible honest reason; undefined for an unknown rule. */
export function ruleText(group: 'ruleLooksAt' | 'ruleHonest', label: string): string | undefined {
  return textOf(group, nameOf(label));
}

/** A figure of the evidence or a threshold, with its name. */
export function ruleFigure(name: string, value: number): { label: string; value: string } {
  return { label: term('ruleFigure', name), value: SHARES.has(name) ? percent(value, 1) : decimal(value) };
}
