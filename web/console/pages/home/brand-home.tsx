/** The home of a brand: spend and plays of its campaigns this week, and campaigns that need attention. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { usePresent } from '../../api/present.ts';
import { mayRead, useSession } from '../../api/session.ts';
import { count, dateAfter, money } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Figure } from '../../ui/page.tsx';
import { brandAttention } from './attention.ts';
import { brandSteps } from './first-steps.ts';
import { Overview, WeekFigure } from './overview.tsx';
import { WEEK_DAYS, weeksOf } from './weeks.ts';

/** One report takes as many campaigns. */
const CAMPAIGNS_MAX = '100';
const LIVE = { isLive: true, isHeavy: true };

export default function BrandHome(): ReactElement {
  const { currency } = useSession().me.workspace;
  const now = usePresent() ?? Date.now();
  const { campaigns, report, all } = useCampaigns(now);
  const { creatives, rejected, wallet } = useMeans();
  const days = report.data?.series ?? [];
  const weeks = (valueOf: (day: (typeof days)[number]) => number) =>
    weeksOf(days, { firstDay: dateAfter(now, 1 - WEEK_DAYS), dayOf: ({ bucket }) => bucket, valueOf });
  const spend = weeks(day => day.spend.amount);
  const hasBooked = all.data && (all.data.total ?? 0) > 0;
  const isFunded =
    wallet.data && (wallet.data.balance.amount > 0 || wallet.data.reserved.amount > 0 || hasBooked === true);
  return (
    <Overview
      reads={[campaigns, report, all, creatives, rejected, wallet]}
      figures={
        <>
          <WeekFigure label={t('home.spend')} weeks={spend} write={amount => money({ amount, currency })} />
          <WeekFigure label={t('home.plays')} weeks={weeks(({ plays }) => plays)} write={count} />
          <WeekFigure label={t('home.impressions')} weeks={weeks(({ impressions }) => impressions)} write={count} />
          {wallet.data && (
            <Figure
              label={t('home.wallet')}
              value={money(wallet.data.balance)}
              note={t('home.reserved', { amount: money(wallet.data.reserved) })}
            />
          )}
        </>
      }
      note={campaigns.data && campaigns.data.next_cursor !== null ? t('home.newestOnly') : undefined}
      attention={brandAttention({
        campaigns: campaigns.data?.data ?? [],
        rejectedCreatives: rejected.data?.data ?? [],
        wallet: wallet.data,
        weekSpend: spend.now,
      })}
      steps={brandSteps({
        withCreative: creatives.data && (creatives.data.total ?? 0) > 0,
        funded: isFunded,
        booked: hasBooked,
      })}
    />
  );
}

function useCampaigns(now: number) {
  const session = useSession();
  const range = { from: dateAfter(now, 1 - 2 * WEEK_DAYS), to: dateAfter(now, 0) };
  const mayReadCampaigns = mayRead(session, 'campaigns');
  // The newest campaigns that had days in this range.
  const campaigns = useRead(
    ['home', 'campaigns', range],
    (api, signal) => api.get('/v1/campaigns', { query: { ...range, limit: CAMPAIGNS_MAX }, signal }),
    { ...LIVE, isWanted: mayReadCampaigns },
  );
  const ids = campaigns.data?.data.map(({ id }) => id).join() ?? '';
  const report = useRead(
    ['home', 'report', ids, range],
    (api, signal) => api.get('/v1/reporting/campaigns', { query: { campaign_id: ids, ...range }, signal }),
    { ...LIVE, isWanted: ids !== '' && mayRead(session, 'reporting'), keepsPrevious: ids !== '' },
  );
  const all = useRead(
    ['home', 'campaign count'],
    (api, signal) => api.get('/v1/campaigns', { query: { limit: '1', count: 'true' }, signal }),
    { isWanted: mayReadCampaigns },
  );
  return { campaigns, report, all };
}

/** The requirements of a booking: creatives and money. */
function useMeans() {
  const session = useSession();
  const creatives = useRead(
    ['home', 'creative count'],
    (api, signal) => api.get('/v1/creatives', { query: { limit: '1', count: 'true' }, signal }),
    { isWanted: mayRead(session, 'creatives') },
  );
  const rejected = useRead(
    ['home', 'rejected creatives'],
    (api, signal) => api.get('/v1/creatives', { query: { status: 'rejected', limit: '5' }, signal }),
    { isWanted: mayRead(session, 'creatives') },
  );
  const wallet = useRead(['wallet'], (api, signal) => api.get('/v1/wallet', { signal }), {
    ...LIVE,
    isWanted: mayRead(session, 'wallet'),
  });
  return { creatives, rejected, wallet };
}
