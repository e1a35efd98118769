/** Problems of a workspace, the worst first. Each entry links to the page that fixes it. */
import type { AnswerOf, OperationOf, RecordOf } from '@marquee/sdk';
import { count, money } from '../../text/format.ts';
import type { TextKey } from '../../text/text.ts';
import { riskOf, type Client } from '../agency/risk.ts';
import { healthOf, spendPace, type ListedCampaign } from '../brand/pace.ts';
import { payoutMoney } from '../venue/payout-money.ts';
import { screenName } from '../venue/screen-name.ts';

type Link =
  { to: '/campaigns/$id' | '/screens/$id' | '/venues/$id' | '/clients/$id'; params: { id: string } } | { to: ListPage };
type ListPage =
  | '/approvals'
  | '/billing'
  | '/creatives'
  | '/earnings'
  | '/findings'
  | '/network'
  | '/operations'
  | '/payouts'
  | '/refunds'
  | '/reviews'
  | '/screens'
  | '/wallet'
  | '/workspaces';
export type Attention = {
  key: string;
  tone: 'bad' | 'wait';
  /** The id of its record, if it has one. */
  name?: string;
  text: TextKey;
  values?: Readonly<Record<string, string>>;
  link: Link;
};

type Answer<Path extends '/v1/wallet' | '/v1/payouts/balance' | '/v1/operator/status'> = AnswerOf<
  OperationOf<Path, 'get'>
>;
type Screen = RecordOf<'/v1/screens'>;
/** A list of which only the first records are read. */
type Counted<Row> = { rows: readonly Row[]; total: number };

export type BrandFacts = {
  campaigns: readonly ListedCampaign[];
  rejectedCreatives: readonly Pick<RecordOf<'/v1/creatives'>, 'id' | 'name'>[];
  wallet: Answer<'/v1/wallet'> | undefined;
  /** The spend of the campaigns in the last seven days, in the currency of the wallet. */
  weekSpend: number;
};

/** The judgements of a campaign that ask for something; the others are for the list. */
const URGENT: ReadonlySet<TextKey> = new Set(['health.behind', 'health.rejected', 'health.review', 'health.paused']);

export function brandAttention({ campaigns, rejectedCreatives, wallet, weekSpend }: BrandFacts): Attention[] {
  const late = campaigns.flatMap((campaign): Attention[] => {
    const { tone, text, values } = healthOf(campaign, spendPace(campaign));
    if (!URGENT.has(text)) return [];
    const link = { to: '/campaigns/$id', params: { id: campaign.id } } as const;
    return [toned({ key: campaign.id, tone, name: campaign.name, text, link, ...(values && { values }) })];
  });
  const rejected = rejectedCreatives.map(({ id, name }): Attention => {
    return { key: id, tone: 'bad', name, text: 'home.creativeRejected', link: { to: '/creatives' } };
  });
  return worstFirst([...late, ...rejected, ...(wallet ? walletAttention(wallet, weekSpend) : [])]);
}

/** The budgets of campaigns are already reserved: the balance is available for the next booking. */
function walletAttention({ balance, pending_top_ups: topUps }: Answer<'/v1/wallet'>, weekSpend: number): Attention[] {
  const link = { to: '/wallet' } as const;
  const isUsed = weekSpend > 0;
  const low: Attention[] =
    isUsed && balance.amount < weekSpend
      ? [
          balance.amount <= 0
            ? { key: 'wallet', tone: 'bad', text: 'home.walletEmpty', link }
            : { key: 'wallet', tone: 'wait', text: 'home.walletLow', values: { balance: money(balance) }, link },
        ]
      : [];
  const awaited = topUps.map(({ id, amount }): Attention => {
    return { key: id, tone: 'wait', text: 'home.topUpAwaited', values: { amount: money(amount) }, link };
  });
  return [...low, ...awaited];
}

export type VenueFacts = {
  offline: Counted<Pick<Screen, 'id' | 'label'>>;
  unconnected: Counted<Pick<Screen, 'id' | 'label'>>;
  venues: readonly Pick<RecordOf<'/v1/venues'>, 'id' | 'name' | 'figures'>[];
  lastPayout: RecordOf<'/v1/payouts'> | undefined;
  balances: Answer<'/v1/payouts/balance'>['balances'];
  /** Undefined: it may not be read. */
  hasAccount: boolean | undefined;
};

export function venueAttention(facts: VenueFacts): Attention[] {
  const reviewed = facts.venues.flatMap(({ id, name, figures: { review } }): Attention[] => {
    const link = { to: '/venues/$id', params: { id } } as const;
    if (review?.status === 'rejected') return [{ key: id, tone: 'bad', name, text: 'home.venueRejected', link }];
    return review?.status === 'pending' ? [{ key: id, tone: 'wait', name, text: 'home.venueWaits', link }] : [];
  });
  const payouts: Attention[] =
    facts.lastPayout?.status === 'failed'
      ? [
          {
            key: 'payout',
            tone: 'bad',
            text: 'home.payoutFailed',
            values: { amount: payoutMoney(facts.lastPayout.amount) },
            link: { to: '/earnings' },
          },
        ]
      : [];
  const unpaid = facts.hasAccount === false ? facts.balances.find(({ available }) => available.value > 0) : undefined;
  const account: Attention[] = unpaid
    ? [
        {
          key: 'account',
          tone: 'wait',
          text: 'home.accountMissing',
          values: { amount: payoutMoney(unpaid.available) },
          link: { to: '/earnings' },
        },
      ]
    : [];
  return worstFirst([
    ...screensAttention(facts.offline, { tone: 'bad', text: 'home.screenOffline', more: 'home.screensOffline' }),
    ...screensAttention(facts.unconnected, { tone: 'wait', text: 'home.screenIdle', more: 'home.screensIdle' }),
    ...reviewed,
    ...payouts,
    ...account,
  ]);
}

/** The loaded screens one by one, and the number of others. */
function screensAttention(
  { rows, total }: VenueFacts['offline'],
  { tone, text, more }: { tone: Attention['tone']; text: TextKey; more: TextKey },
): Attention[] {
  const screens = rows.map((screen): Attention => {
    const link = { to: '/screens/$id', params: { id: screen.id } } as const;
    return { key: screen.id, tone, name: screenName(screen), text, link };
  });
  const others = total - rows.length;
  if (others <= 0) return screens;
  return [...screens, { key: more, tone, text: more, values: { count: count(others) }, link: { to: '/screens' } }];
}

export function agencyAttention(
  { clients, approvals }: { clients: readonly Client[]; approvals: number },
  now: number,
): Attention[] {
  const atRisk = clients
    .map(client => ({ client, risk: riskOf(client, now) }))
    .filter(({ risk }) => risk.tone === 'bad' || risk.tone === 'wait')
    .sort((a, b) => b.risk.rank - a.risk.rank)
    .map(({ client: { id, name }, risk: { tone, text, values } }) => {
      const link = { to: '/clients/$id', params: { id } } as const;
      return toned({ key: id, tone, name, text, link, ...(values && { values }) });
    });
  return worstFirst([...waiting('home.approvalsWait', approvals, '/approvals'), ...atRisk]);
}

export type OperatorFacts = {
  status: Pick<Answer<'/v1/operator/status'>, 'alerts' | 'screens'>;
  reviews: number;
  figures: number;
  signUps: number;
  findings: number;
  payouts: number;
  cases: number;
  invoices: readonly Pick<RecordOf<'/v1/operator/invoices'>, 'due_on'>[];
};

/** @param today `YYYY-MM-DD` */
export function operatorAttention({ status, invoices, ...lists }: OperatorFacts, today: string): Attention[] {
  const alerts = status.alerts.length;
  const overdue = invoices.filter(({ due_on: on }) => on.slice(0, 10) < today).length;
  const bad = (text: TextKey, total: number, to: ListPage) =>
    waiting(text, total, to).map((one): Attention => ({ ...one, tone: 'bad' }));
  return worstFirst([
    ...bad('home.alertsWait', alerts, '/operations'),
    ...bad('home.networkOffline', status.screens.offline, '/network'),
    ...bad('home.invoicesOverdue', overdue, '/billing'),
    ...waiting('home.reviewsWait', lists.reviews, '/reviews'),
    ...waiting('home.figuresWait', lists.figures, '/reviews'),
    ...waiting('home.signUpsWait', lists.signUps, '/workspaces'),
    ...waiting('home.findingsWait', lists.findings, '/findings'),
    ...waiting('home.payoutsWait', lists.payouts, '/payouts'),
    ...waiting('home.casesWait', lists.cases, '/refunds'),
  ]);
}

function waiting(text: TextKey, total: number, to: ListPage): Attention[] {
  return total === 0 ? [] : [{ key: text, tone: 'wait', text, values: { count: count(total) }, link: { to } }];
}

/** Verdicts have more than two tones; those without an action are filtered out before. */
function toned({ tone, ...rest }: Omit<Attention, 'tone'> & { tone: string }): Attention {
  return { ...rest, tone: tone === 'bad' ? 'bad' : 'wait' };
}

/** In the order in which they were found, within each tone. */
function worstFirst(entries: readonly Attention[]): Attention[] {
  return [...entries.filter(({ tone }) => tone === 'bad'), ...entries.filter(({ tone }) => tone === 'wait')];
}
