/** The home of a venue: earnings of its screens this week, offline screens, and held money. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { mayRead, useSession } from '../../api/session.ts';
import { count, dateAfter } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Figure } from '../../ui/page.tsx';
import { payoutMoney, withdrawableMoney } from '../venue/payout-money.ts';
import { readAccount } from '../venue/payout-account.ts';
import { venueAttention, type VenueFacts } from './attention.ts';
import { venueSteps } from './first-steps.ts';
import { Overview, WeekFigure } from './overview.tsx';
import { WEEK_DAYS, weeksOf } from './weeks.ts';

/** Entries of each kind of problem: the others are only counted. */
const SCREENS_MAX = '4';
const VENUES_MAX = '100';
const LIVE = { isLive: true, isHeavy: true };

export default function VenueHome(): ReactElement {
  const { screens, offline, unconnected, venues } = usePlaces();
  const { earnings, balance, account, payouts } = useMoney();
  const firstDay = dateAfter(Date.now(), 1 - WEEK_DAYS);
  const rows = earnings.data?.data ?? [];
  const weeks = (currency: string, valueOf: (row: (typeof rows)[number]) => number) =>
    weeksOf(
      rows.filter(row => row.currency === currency),
      { firstDay, dayOf: ({ key }) => key ?? '', valueOf },
    );
  const counts = screens.data?.by_status;
  const total = counts && counts.online + counts.offline + counts.paired_idle;
  return (
    <Overview
      reads={[screens, offline, unconnected, venues, earnings, balance, account, payouts]}
      figures={
        <>
          {balance.data?.balances.map(({ available: { currency, value } }) => (
            <EarningsFigures
              key={currency}
              currency={currency}
              available={value}
              earned={weeks(currency, row => row.earnings.value)}
              plays={weeks(currency, ({ plays }) => plays)}
            />
          ))}
          {counts && (
            <Figure
              label={t('home.screensOnline')}
              value={count(counts.online)}
              note={t('home.ofScreens', { count: count(total ?? 0) })}
            />
          )}
        </>
      }
      attention={venueAttention({
        offline: countedOf(offline.data, counts?.offline),
        unconnected: countedOf(unconnected.data, counts?.paired_idle),
        venues: venues.data?.data ?? [],
        lastPayout: payouts.data?.data[0],
        balances: balance.data?.balances ?? [],
        hasAccount: account.data === undefined ? undefined : account.data !== null,
      })}
      steps={venueSteps({
        withVenue: venues.data && venues.data.data.length > 0,
        withHours: venues.data && venues.data.data.some(({ opening_hours: hours }) => hours !== null),
        withScreen: total === undefined ? undefined : total > 0,
        withAccount: account.data === undefined ? undefined : account.data !== null,
      })}
    />
  );
}

function usePlaces() {
  const session = useSession();
  const isWanted = mayRead(session, 'screens');
  const byStatus = (status: 'offline' | 'paired_idle') =>
    useRead(
      ['home', 'screens', status],
      (api, signal) => api.get('/v1/screens', { query: { status, limit: SCREENS_MAX }, signal }),
      { ...LIVE, isWanted },
    );
  return {
    screens: useRead(
      ['screens', 'counts'],
      (api, signal) => api.get('/v1/screens', { query: { count: 'true', limit: '1' }, signal }),
      { ...LIVE, isWanted },
    ),
    offline: byStatus('offline'),
    unconnected: byStatus('paired_idle'),
    venues: useRead(
      ['home', 'venues'],
      (api, signal) => api.get('/v1/venues', { query: { limit: VENUES_MAX }, signal }),
      { isWanted: mayRead(session, 'venues') },
    ),
  };
}

function useMoney() {
  const isWanted = mayRead(useSession(), 'payouts');
  const range = { from: dateAfter(Date.now(), 1 - 2 * WEEK_DAYS), to: dateAfter(Date.now(), 1) };
  return {
    earnings: useRead(
      ['home', 'earnings', range],
      (api, signal) => api.get('/v1/payouts/earnings', { query: { ...range, limit: '100' }, signal }),
      { ...LIVE, isWanted },
    ),
    balance: useRead(['balance'], (api, signal) => api.get('/v1/payouts/balance', { signal }), { ...LIVE, isWanted }),
    account: useRead(['payout account'], readAccount, { isWanted }),
    payouts: useRead(
      ['home', 'payouts'],
      (api, signal) => api.get('/v1/payouts', { query: { limit: '1', sort: '-issued_at' }, signal }),
      { isWanted },
    ),
  };
}

type EarningsFiguresOptions = {
  currency: string;
  available: number;
  earned: { now: number; before: number };
  plays: { now: number; before: number };
};

function EarningsFigures({ currency, available, earned, plays }: EarningsFiguresOptions): ReactElement {
  const write = (value: number) => payoutMoney({ value, currency });
  return (
    <>
      <WeekFigure label={t('home.earned')} weeks={earned} write={write} />
      <WeekFigure label={t('home.plays')} weeks={plays} write={count} />
      <Figure
        label={t('home.available')}
        value={withdrawableMoney({ value: available, currency })}
        note={t('home.availableNote')}
      />
    </>
  );
}

function countedOf(list: { data: VenueFacts['offline']['rows'] } | undefined, total = 0): VenueFacts['offline'] {
  const rows = list?.data ?? [];
  // The counts may be some seconds older than the rows.
  return { rows: rows.slice(0, total), total };
}
