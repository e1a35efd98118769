/** How a campaign does, in a word: the judgements that the list and the live page show. */
import type { AnswerOf, OperationOf, RecordOf } from '@marquee/sdk';
import { percent } from '../../text/format.ts';
import type { TextKey } from '../../text/text.ts';

export type ListedCampaign = RecordOf<'/v1/campaigns'>;
export type CampaignDetail = AnswerOf<OperationOf<'/v1/campaigns/{id}', 'get'>>;
export type Health = { tone: 'good' | 'wait' | 'bad' | 'quiet'; text: TextKey; values?: Record<string, string> };

/** Below and above these shares of the spend of an even delivery, it needs attention. */
const BEHIND = 0.8;
const AHEAD = 1.2;
/** Less than this is left: the campaign is spent, since it cannot pay for one more play. */
const SPENT_SHARE = 0.995;

/** Before this part of the budget is expected to be spent, a few plays more or less decide the ratio. */
const EXPECTED_SHARE_MIN = 0.005;

/** Actual over expected spend; null while it says nothing. */
export function paceOf({ pacing, budget }: CampaignDetail): number | null {
  return budget === null || pacing.expected_spend.amount < budget.amount * EXPECTED_SHARE_MIN ? null : pacing.ratio;
}

/** The same for a list, by charges, which follow the plays within seconds. */
export function spendPace({ budget, spent, expected_spend: expected }: ListedCampaign): number | null {
  return budget === null || expected.amount < budget.amount * EXPECTED_SHARE_MIN
    ? null
    : spent.amount / expected.amount;
}

/** `pace` is null while it says nothing. */
export function healthOf(campaign: Pick<ListedCampaign, 'status' | 'budget' | 'spent'>, pace: number | null): Health {
  const { status, budget, spent } = campaign;
  if (status === 'rejected') return { tone: 'bad', text: 'health.rejected' };
  if (status === 'pending_review') return { tone: 'wait', text: 'health.review' };
  if (status === 'paused') return { tone: 'wait', text: 'health.paused' };
  if (status !== 'live') return { tone: 'quiet', text: 'health.none' };
  if (budget !== null && spent.amount >= budget.amount * SPENT_SHARE) return { tone: 'quiet', text: 'health.spent' };
  if (pace === null) return { tone: 'quiet', text: 'health.early' };
  const values = { share: percent(pace) };
  if (pace < BEHIND) return { tone: 'bad', text: 'health.behind', values };
  return pace > AHEAD ? { tone: 'wait', text: 'health.ahead', values } : { tone: 'good', text: 'health.even', values };
}
