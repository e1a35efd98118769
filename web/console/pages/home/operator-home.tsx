/** The home of the operator: the state of the network, and pending decisions. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { ReactElement } from 'react';
import { useRead, type Read } from '../../api/api.ts';
import { mayRead, useSession, type Resource } from '../../api/session.ts';
import { count, dateAfter, day, money, percent } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Figure } from '../../ui/page.tsx';
import { operatorAttention } from './attention.ts';
import { operatorSteps } from './first-steps.ts';
import { Overview, WeekFigure } from './overview.tsx';

const ONE = { limit: '1', count: 'true' } as const;
const LIVE = { isLive: true, isHeavy: true };

export default function OperatorHome(): ReactElement {
  const session = useSession();
  const status = useRead(['home', 'status'], (api, signal) => api.get('/v1/operator/status', { signal }), {
    ...LIVE,
    isWanted: mayRead(session, 'operations'),
  });
  const week = useRead(['home', 'week'], (api, signal) => api.get('/v1/operator/week', { signal }), {
    ...LIVE,
    isWanted: mayRead(session, 'operations'),
  });
  const hindsight = useRead(['hindsight'], (api, signal) => api.get('/v1/operator/hindsight', { signal }), {
    isWanted: mayRead(session, 'operations'),
  });
  const invoices = useRead(
    ['home', 'open invoices'],
    (api, signal) =>
      api.get('/v1/operator/invoices', { query: { status: 'issued', sort: 'created_at', limit: '100' }, signal }),
    { isWanted: mayRead(session, 'payments') },
  );
  const lists = useLists();
  const toReview = (lists.reviews.data ?? 0) + (lists.figures.data ?? 0);
  const { screens = { online: 0, offline: 0 }, alerts = [] } = status.data ?? {};
  const [last, previous] = (hindsight.data?.days ?? []).filter(({ is_final: isFinal, bound }) => isFinal && bound > 0);
  return (
    <Overview
      reads={[status, week, hindsight, invoices, ...Object.values(lists)]}
      figures={
        <>
          <Figure
            label={t('home.screensOnline')}
            value={status.data ? count(screens.online) : '–'}
            note={t('home.ofScreens', { count: count(screens.online + screens.offline) })}
          />
          {week.data && <WeekFigures week={week.data} />}
          {last && (
            <Figure
              label={t('home.efficiency')}
              value={percent(last.delivered / last.bound, 1)}
              note={t('home.efficiencyNote', {
                day: day(last.day),
                before: previous ? percent(previous.delivered / previous.bound, 1) : '–',
              })}
            />
          )}
          <Figure label={t('home.reviews')} value={count(toReview)} note={t('home.reviewsNote')} />
          <Figure label={t('home.brands')} value={count(lists.brands.data ?? 0)} note={t('home.brandsNote')} />
          <Figure label={t('home.venues')} value={count(lists.venues.data ?? 0)} note={t('home.venuesNote')} />
        </>
      }
      attention={operatorAttention(
        {
          status: { alerts, screens },
          reviews: lists.reviews.data ?? 0,
          figures: lists.figures.data ?? 0,
          signUps: lists.signUps.data ?? 0,
          findings: lists.findings.data ?? 0,
          payouts: lists.payouts.data ?? 0,
          cases: lists.cases.data ?? 0,
          invoices: invoices.data?.data ?? [],
        },
        dateAfter(Date.now(), 0),
      )}
      steps={operatorSteps({
        withVenue: lists.venues.data === undefined ? undefined : lists.venues.data > 0,
        withBrand: lists.brands.data === undefined ? undefined : lists.brands.data > 0,
        withScreen: status.data && screens.online + screens.offline > 0,
      })}
    />
  );
}

type WeekFiguresOptions = { week: AnswerOf<OperationOf<'/v1/operator/week', 'get'>> };

/** Of all workspaces: their plays, and their spend in each currency. */
function WeekFigures({ week: { plays, spend } }: WeekFiguresOptions): ReactElement {
  return (
    <>
      <WeekFigure label={t('home.plays')} weeks={plays} write={count} />
      {spend.map(({ now: { amount: now, currency }, before: { amount: before } }) => (
        <WeekFigure
          key={currency}
          label={t('home.spend')}
          weeks={{ now, before }}
          write={amount => money({ amount, currency })}
        />
      ))}
    </>
  );
}

/** The number of records of each list, with the filter of its page. */
function useLists() {
  const session = useSession();
  const useCount = (resource: Resource, name: string, read: Read<{ total?: number }>) =>
    useRead(['home', 'count', name], async (api, signal) => (await read(api, signal)).total ?? 0, {
      ...LIVE,
      isWanted: mayRead(session, resource),
    });
  const ofKind = (kind: 'brand' | 'venue') => ({ ...ONE, kind, status: 'active' }) as const;
  return {
    reviews: useCount('reviews', 'reviews', (api, signal) => api.get('/v1/operator/reviews', { query: ONE, signal })),
    figures: useCount('reviews', 'figures', (api, signal) =>
      api.get('/v1/operator/venue-reviews', { query: ONE, signal }),
    ),
    findings: useCount('findings', 'findings', (api, signal) =>
      api.get('/v1/operator/findings', { query: { ...ONE, status: 'open' }, signal }),
    ),
    signUps: useCount('workspaces', 'sign-ups', (api, signal) =>
      api.get('/v1/operator/workspaces', { query: { ...ONE, status: 'in_review' }, signal }),
    ),
    payouts: useCount('payments', 'payouts', (api, signal) =>
      api.get('/v1/operator/payouts', { query: { ...ONE, stage: 'waiting' }, signal }),
    ),
    cases: useCount('payments', 'cases', (api, signal) =>
      api.get('/v1/operator/payment-cases', { query: { ...ONE, status: 'open' }, signal }),
    ),
    brands: useCount('workspaces', 'brands', (api, signal) =>
      api.get('/v1/operator/workspaces', { query: ofKind('brand'), signal }),
    ),
    venues: useCount('workspaces', 'venues', (api, signal) =>
      api.get('/v1/operator/workspaces', { query: ofKind('venue'), signal }),
    ),
  };
}
