/** The earnings of the venues, by day, screen, venue or category, down to single plays; and withdrawals. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { useList, useRead, type ListSettings } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { clockTime, count, day, moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Figure, Page } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useRested } from '../../ui/time/use-paused.ts';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { payoutMoney, withdrawableMoney } from './payout-money.ts';
import { screenName } from './screen-name.ts';
import { Holds, Payouts, Statements } from './earnings-records.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

const GROUPS = ['day', 'screen', 'venue', 'category', 'play'] as const;
type Group = (typeof GROUPS)[number];
type EarningsRow = RecordOf<'/v1/payouts/earnings'>;
type EarnedPlay = RecordOf<'/v1/payouts/earnings/plays'>;

export function Earnings(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const [group, setGroup] = useState<Group>('day');
  const mayWithdraw = useMayWrite('payouts');
  useRowsAhead();
  const balance = useRead(['balance'], (api, signal) => api.get('/v1/payouts/balance', { signal }), { isLive: true });
  return (
    <Page
      title={t('nav.earnings')}
      lead={t('earnings.lead')}
      actions={
        mayWithdraw && (
          <Button kind="primary" onClick={() => setOpen(true)}>
            {t('earnings.withdraw')}
          </Button>
        )
      }
    >
      <Answered of={balance}>
        {({ balances }) =>
          balances.map(({ available, held, in_transit: transit, next_release_at: next }) => (
            <dl className="figures" key={available.currency}>
              <Figure
                label={t('earnings.available')}
                value={withdrawableMoney(available)}
                note={t('earnings.availableNote')}
              />
              <Figure
                label={t('earnings.held')}
                value={payoutMoney(held)}
                note={next === null ? t('earnings.heldNote') : t('earnings.next', { time: moment(next) })}
              />
              <Figure label={t('earnings.transit')} value={payoutMoney(transit)} note={t('earnings.transitNote')} />
            </dl>
          ))
        }
      </Answered>
      <Tabs
        label={t('earnings.by')}
        tabs={GROUPS.map(value => ({ value, text: t(`earnings.by.${value}`) }))}
        chosen={group}
        onChoose={setGroup}
      />
      {group === 'day' && <p className="hint">{t('earnings.dayNote')}</p>}
      {group === 'play' ? <Plays /> : <Rows key={group} group={group} />}
      <div className="cards">
        <Payouts />
        <Statements />
        <Holds />
      </div>
      <WithdrawDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Page>
  );
}

function useRows(group: Exclude<Group, 'play'>, settings: Pick<ListSettings<EarningsRow>, 'isLive' | 'isWanted'>) {
  return useList(
    ['earnings', group],
    (api, page, signal) => api.get('/v1/payouts/earnings', { query: { ...page, group_by: group }, signal }),
    settings,
  );
}

/**
 * The rows that may be chosen next, one grouping after the other once the page has come to rest: to divide a month by
 * screen takes the API longer than a person should wait for a press.
 */
function useRowsAhead(): void {
  const isRested = useRested();
  const { isSuccess: hasVenues } = useRows('venue', { isWanted: isRested });
  const { isSuccess: hasScreens } = useRows('screen', { isWanted: hasVenues });
  const { isSuccess: hasCategories } = useRows('category', { isWanted: hasScreens });
  usePlays({ isWanted: hasCategories });
}

function Rows({ group }: { group: Exclude<Group, 'play'> }): ReactElement {
  const list = useRows(group, { isLive: true });
  return (
    <ListTable
      of={list}
      empty={{ title: t('earnings.none'), hint: t('earnings.noneHint') }}
      label={t(`earnings.by.${group}`)}
      columns={rowColumns(group)}
      keyOf={row => `${row.key} ${row.currency}`}
    />
  );
}

function rowColumns(group: Exclude<Group, 'play'>): Column<EarningsRow>[] {
  const nameOf = ({ key, name }: EarningsRow) =>
    name ?? (key === null ? t('earnings.older') : group === 'day' ? day(key) : term('category', key));
  return [
    { head: t(`earnings.by.${group}`), cell: nameOf },
    { head: t('campaign.plays'), cell: ({ plays }) => count(plays), isFigure: true },
    { head: t('campaign.impressions'), cell: row => count(row.impressions), isFigure: true, isWide: true },
    { head: t('earnings.revenue'), cell: row => payoutMoney(row.ad_revenue), isFigure: true, isWide: true },
    { head: t('earnings.share'), cell: row => payoutMoney(row.earnings), isFigure: true },
  ];
}

function usePlays(settings: Pick<ListSettings<EarnedPlay>, 'isWanted'> = {}) {
  return useList(
    ['earned plays'],
    (api, page, signal) => api.get('/v1/payouts/earnings/plays', { query: page, signal }),
    settings,
  );
}

function Plays(): ReactElement {
  const list = usePlays();
  return (
    <ListTable
      of={list}
      empty={{ title: t('earnings.none'), hint: t('earnings.noneHint') }}
      label={t('earnings.by.play')}
      columns={useMemo(playColumns, [])}
      keyOf={play => play.play_id}
    />
  );
}

function playColumns(): Column<EarnedPlay>[] {
  return [
    {
      head: t('earnings.by.play'),
      cell: ({ starts_at: at, category }) => (
        <>
          {clockTime(at)}
          <div className="muted small">{category === null ? '–' : term('category', category)}</div>
        </>
      ),
    },
    {
      head: t('screens.screen'),
      cell: ({ screen_id: id, screen_label: label }) => (
        <Link to="/screens/$id" params={{ id }}>
          {screenName({ id, label: label ?? '' })}
        </Link>
      ),
      isWide: true,
    },
    { head: t('filter.status'), cell: ({ state }) => <Status of={state} group="playState" />, isWide: true },
    { head: t('earnings.revenue'), cell: ({ price }) => payoutMoney(price), isFigure: true },
    {
      head: t('earnings.share'),
      cell: ({ earnings }) => (earnings === null ? '–' : payoutMoney(earnings)),
      isFigure: true,
    },
  ];
}
