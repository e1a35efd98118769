/** The earnings of the venues, by day, screen, venue or category, down to single plays; and withdrawals. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { useChange, useList, useRead, type ListSettings } from '../../api/api.ts';
import { keepFile } from '../../api/keep-file.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, day, moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Figure, Page } from '../../ui/page.tsx';
import { Answered, Fault } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useRested } from '../../ui/time/use-paused.ts';
import { isDay } from '../../ui/views/filter-formats.ts';
import { useFilter, useFilters } from '../../ui/views/filters.ts';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CustomDays, PresetTabs } from '../reports/range-choice.tsx';
import { daysOf, lastOf, localDay } from '../reports/ranges.ts';
import { payoutMoney, withdrawableMoney } from './payout-money.ts';
import { screenName } from './screen-name.ts';
import { Holds, Payouts, Statements } from './earnings-records.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

const GROUPS = ['day', 'screen', 'venue', 'category', 'play'] as const;
type Group = (typeof GROUPS)[number];
type Sums = Exclude<Group, 'play'>;
const PRESETS = ['month', 'week', 'custom'] as const;
const CUSTOM = { from: isDay, to: isDay };
/** The most that the API answers at once. */
const DAYS_MAX = 366;
const PLAY_DAYS_MAX = 31;
/** Without days: what the API answers by default. Of plays these are the last two days. */
type Range = { from?: string; to?: string };
type EarningsRow = RecordOf<'/v1/payouts/earnings'>;
type EarnedPlay = RecordOf<'/v1/payouts/earnings/plays'>;

export function Earnings(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const mayWithdraw = useMayWrite('payouts');
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
      <Earned />
      <div className="cards">
        <Payouts />
        <Statements />
        <Holds />
      </div>
      <WithdrawDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Page>
  );
}

/** The earnings of the days and by the subject that are chosen. */
function Earned(): ReactElement {
  const [group, setGroup] = useFilter('by', GROUPS);
  const { preset, setPreset, custom, days, setDays, ofSums, ofPlays } = useRange();
  useRowsAhead(ofSums, ofPlays);
  return (
    <>
      <div className="filters">
        {group === 'play' ? (
          <Tabs
            label={t('performance.range')}
            tabs={[
              { value: 'month', text: t('earnings.recent') },
              { value: 'custom', text: t('performance.range.custom') },
            ]}
            chosen={preset === 'custom' ? 'custom' : 'month'}
            onChoose={setPreset}
          />
        ) : (
          <PresetTabs presets={PRESETS} chosen={preset} onChoose={setPreset} />
        )}
        <Tabs
          label={t('earnings.by')}
          tabs={GROUPS.map(value => ({ value, text: t(`earnings.by.${value}`) }))}
          chosen={group}
          onChoose={setGroup}
        />
      </div>
      {preset === 'custom' && <CustomDays days={custom ?? days} onChoose={setDays} />}
      <p className="hint">{t('earnings.shareNote')}</p>
      {group === 'day' && <p className="hint">{t('earnings.dayNote')}</p>}
      {group === 'play' && <p className="hint">{t('earnings.playNote')}</p>}
      {group === 'play' ? <Plays range={ofPlays} /> : <Rows key={group} group={group} range={ofSums} />}
      {group !== 'play' && (
        <Download group={group} range={ofSums} fileName={`earnings-by-${group}-${ofSums.from}--${days.to}.csv`} />
      )}
    </>
  );
}

/** A preset has no last day: where a venue's day begins before that of the person, it is tomorrow already. */
function useRange() {
  const [preset, setPreset] = useFilter('days', PRESETS);
  const [{ from, to }, setDays] = useFilters(CUSTOM);
  const custom = from !== undefined && to !== undefined ? { from, to } : undefined;
  const days = daysOf(preset, { today: localDay(), flight: { starts: null, ends: null }, custom });
  const isCustom = preset === 'custom';
  const ofSums = isCustom ? lastOf(days, DAYS_MAX) : { from: days.from };
  const ofPlays: Range = isCustom ? lastOf(days, PLAY_DAYS_MAX) : {};
  return { preset, setPreset, custom, days, setDays, ofSums, ofPlays };
}

type DownloadOptions = { group: Sums; range: Range; fileName: string };

function Download({ group, range, fileName }: DownloadOptions): ReactElement {
  const download = useChange(async api => {
    const csv = await api.csv('/v1/payouts/earnings', { query: { ...range, group_by: group, limit: '100' } });
    keepFile(csv, { name: fileName, type: 'text/csv' });
  });
  return (
    <div className="row">
      <Button isBusy={download.isPending} onClick={() => download.mutate()}>
        {t('performance.csv')}
      </Button>
      <Fault error={download.error} />
    </div>
  );
}

type RowSettings = Pick<ListSettings<EarningsRow>, 'isLive' | 'isWanted'>;

function useRows({ group, range }: { group: Sums; range: Range }, settings: RowSettings) {
  return useList(
    ['earnings', group, range],
    (api, page, signal) => api.get('/v1/payouts/earnings', { query: { ...page, ...range, group_by: group }, signal }),
    settings,
  );
}

/**
 * The rows that may be chosen next, one grouping after the other once the page has come to rest: to divide a month by
 * screen takes the API longer than a person should wait for a press.
 */
function useRowsAhead(range: Range, ofPlays: Range): void {
  const isRested = useRested();
  const { isSuccess: hasVenues } = useRows({ group: 'venue', range }, { isWanted: isRested });
  const { isSuccess: hasScreens } = useRows({ group: 'screen', range }, { isWanted: hasVenues });
  const { isSuccess: hasCategories } = useRows({ group: 'category', range }, { isWanted: hasScreens });
  usePlays(ofPlays, { isWanted: hasCategories });
}

function Rows({ group, range }: { group: Sums; range: Range }): ReactElement {
  const list = useRows({ group, range }, { isLive: true });
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

function rowColumns(group: Sums): Column<EarningsRow>[] {
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

function usePlays(range: Range, settings: Pick<ListSettings<EarnedPlay>, 'isWanted'> = {}) {
  return useList(
    ['earned plays', range],
    (api, page, signal) => api.get('/v1/payouts/earnings/plays', { query: { ...page, ...range }, signal }),
    settings,
  );
}

function Plays({ range }: { range: Range }): ReactElement {
  const list = usePlays(range);
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
          {moment(at)}
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
      isBelow: true,
    },
    { head: t('filter.status'), cell: ({ state }) => <Status of={state} group="playState" />, isBelow: true },
    { head: t('earnings.revenue'), cell: ({ price }) => payoutMoney(price), isFigure: true },
    {
      head: t('earnings.share'),
      cell: ({ earnings }) => (earnings === null ? '–' : payoutMoney(earnings)),
      isFigure: true,
    },
  ];
}
