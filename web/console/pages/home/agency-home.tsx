/** The home of an agency: the spend of its clients this week, wallets that run out, and pending approvals. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { count, dateAfter, money } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Figure } from '../../ui/page.tsx';
import { useClients } from '../agency/use-clients.ts';
import { agencyAttention } from './attention.ts';
import { agencySteps } from './first-steps.ts';
import { Overview, WeekFigure } from './overview.tsx';
import { WEEK_DAYS } from './weeks.ts';

export default function AgencyHome(): ReactElement {
  const { currency } = useSession().me.workspace;
  const list = useClients('', 'active');
  const approvals = useRead(
    ['home', 'approvals'],
    (api, signal) => api.get('/v1/agency/approvals', { query: { limit: '1', count: 'true' }, signal }),
    { isLive: true, isHeavy: true },
  );
  const week = useWeek(1 - WEEK_DAYS);
  const before = useWeek(1 - 2 * WEEK_DAYS);
  const weeks = (valueOf: (report: NonNullable<typeof week.data>) => number) => ({
    now: week.data ? valueOf(week.data) : 0,
    before: before.data ? valueOf(before.data) : 0,
  });
  const clients = list.rows;
  const isKnown = list.data !== undefined;
  const others = week.data?.other_currencies ?? [];
  const write = (amount: number) => money({ amount, currency });
  return (
    <Overview
      reads={[list, approvals, week, before]}
      figures={
        <>
          <WeekFigure label={t('home.netCost')} weeks={weeks(({ totals }) => totals.net_cost.amount)} write={write} />
          <WeekFigure label={t('home.discount')} weeks={weeks(({ totals }) => totals.discount.amount)} write={write} />
          <WeekFigure
            label={t('home.plays')}
            weeks={weeks(report => (report.by_client ?? []).reduce((sum, { plays }) => sum + plays, 0))}
            write={count}
          />
          <Figure
            label={t('home.clients')}
            value={count(clients.length)}
            note={others.length === 0 ? t('home.clientsNote') : t('home.otherMoney', { currencies: others.join(', ') })}
          />
        </>
      }
      attention={agencyAttention({ clients, approvals: approvals.data?.total ?? 0 }, Date.now())}
      steps={agencySteps({
        withClient: isKnown ? clients.length > 0 : undefined,
        withMoney: isKnown
          ? clients.some(({ wallet, mtd_spend: spend }) => wallet.balance.amount > 0 || spend.amount > 0)
          : undefined,
        spending: isKnown ? clients.some(({ mtd_spend: spend }) => spend.amount > 0) : undefined,
      })}
    />
  );
}

/** The report of seven days. @param first of them, counted from today */
function useWeek(first: number) {
  const range = { from: dateAfter(Date.now(), first), to: dateAfter(Date.now(), first + WEEK_DAYS - 1) };
  return useRead(
    ['home', 'agency report', range],
    (api, signal) => api.get('/v1/agency/reports', { query: { group: 'client', ...range }, signal }),
    { isLive: true, isHeavy: true },
  );
}
