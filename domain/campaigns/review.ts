/**
 * The review of a campaign that is `pending_review`: whether it waits for the rules, an agency or the operator, and
 * what the rules say of it. The rules come after an agency's approval and before an operator, who decides on restricted
 * categories and on political ads.
 */
import type { Orientation } from '../screens/screen.ts';
import { parseCategory } from './taxonomy.ts';
import { defineMachine, next } from '../transition.ts';

const reviewMachine = defineMachine({
  states: ['agency', 'rules', 'operator'],
  moves: [
    { from: 'agency', on: 'agency_approves', to: 'rules' },
    { from: 'rules', on: 'needs_operator', to: 'operator' },
    { from: 'operator', on: 'edit', to: 'rules' },
    { from: 'rules', on: 'edit', to: 'rules' },
    { from: 'agency', on: 'edit', to: 'agency' },
  ],
});
export type ReviewWait = (typeof reviewMachine.states)[number];
export type ReviewEvent = (typeof reviewMachine.moves)[number]['on'];

/** What a campaign waits for after an event, or undefined if the event does not apply. */
export function nextReview(wait: ReviewWait, event: ReviewEvent): ReviewWait | undefined {
  return next(reviewMachine, wait, event);
}

/** Who reviews a submitted campaign first. A campaign submitted by the agency itself needs no approval from it. */
export function firstReview(premise: { isApproved: boolean; actsForAgency: boolean }): ReviewWait {
  return premise.isApproved && !premise.actsForAgency ? 'agency' : 'rules';
}

/** Reasons for a rejection: codes of the API, each with the sentence for the owner. */
export const REJECTIONS = {
  prohibited_category: 'This category is never shown.',
  landing_page: 'The landing page must be an https address with a public domain name.',
  creative_not_ready: 'No creative of the campaign has an accepted file.',
  creative_orientation: 'No accepted creative has an orientation that the targets ask for.',
  restricted_category: 'The campaign does not meet the rules for its category.',
  misleading: 'The campaign makes claims that are not supported.',
  content: 'A creative is not fit for screens in public places.',
  policy: 'The campaign breaks the advertising policy.',
} as const satisfies Record<string, string>;
export type RejectionCode = keyof typeof REJECTIONS;
export type Rejection = { code: RejectionCode; detail: string };

export function rejectionOf(code: RejectionCode, detail: string = REJECTIONS[code]): Rejection {
  return { code, detail };
}

/** The facts for the rules. `orientations` are those of the targets, empty for any. */
export type ReviewFacts = {
  category: string;
  landingUrl: string | null;
  isPolitical: boolean;
  orientations: readonly Orientation[];
  creatives: readonly { orientation: Orientation; status: string }[];
};
/** `wait`: a file is still pending, and without it there is nothing to show. */
export type Verdict = { verdict: 'approve' | 'ask_operator' | 'wait' } | { verdict: 'reject'; rejection: Rejection };

/** The rules, cheapest reason first. */
export function reviewCampaign({ category, landingUrl, isPolitical, orientations, creatives }: ReviewFacts): Verdict {
  const policy = parseCategory(category);
  if (!policy || policy.policy === 'prohibited')
    return reject('prohibited_category', policy?.reason && `This category is never shown: ${policy.reason}.`);
  if (landingUrl !== null && !isPublicPage(landingUrl)) return reject('landing_page');
  const fault = creativeFault(creatives, orientations);
  if (fault && creatives.some(({ status }) => status === 'awaiting_upload')) return { verdict: 'wait' };
  if (fault) return reject(fault);
  return { verdict: policy.policy === 'restricted' || isPolitical ? 'ask_operator' : 'approve' };
}

/** The reason why none of the creatives can be shown, or undefined. */
export function creativeFault(
  creatives: ReviewFacts['creatives'],
  orientations: readonly Orientation[],
): 'creative_not_ready' | 'creative_orientation' | undefined {
  const ready = creatives.filter(({ status }) => status === 'ready');
  if (ready.length === 0) return 'creative_not_ready';
  return orientations.length > 0 && !ready.some(({ orientation }) => orientations.includes(orientation))
    ? 'creative_orientation'
    : undefined;
}

/** Names that never resolve on the public internet (RFC 6761, RFC 6762, RFC 8375 and similar). */
const PRIVATE_TOP = new Set([
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'test',
  'invalid',
  'onion',
  'arpa',
]);
// At least two labels, the last of letters or in punycode: an address in digits is not a domain.
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Whether an address as `parseLandingUrl` gives it is https on the default port of a public domain name. */
export function isPublicPage(url: string): boolean {
  const match = /^https:\/\/([^/?#]+)/.exec(url);
  const host = match?.[1]?.replace(/\.$/, '');
  const top = host === undefined ? undefined : DOMAIN.exec(host)?.[1];
  return top !== undefined && !PRIVATE_TOP.has(top);
}

function reject(code: RejectionCode, detail?: string): Verdict {
  return { verdict: 'reject', rejection: rejectionOf(code, detail || undefined) };
}
