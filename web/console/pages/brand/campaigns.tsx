/** All campaigns of a brand: status, spend, and whether the spend is on pace. */
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState, type ReactElement } from 'react';
import { counted, useList } from '../../api/api.ts';
import { holds } from '../../api/narrowed.ts';
import { mayRead, useMayWrite, useSession } from '../../api/session.ts';
import { dayRange, percent, roundMoney, type Money } from '../../text/format.ts';
import { t, term, withMoreTexts } from '../../text/text.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isDay } from '../../ui/views/filter-formats.ts';
import { useFilter, useFilters, useSearchText } from '../../ui/views/filters.ts';
import { NameFilter, StatusFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Bar, Status } from '../../ui/status.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { choiceColumn } from './campaign-choice.tsx';
import { healthOf, spendPace, type Health, type ListedCampaign } from './pace.ts';

/** Comes with the first choice, and with its texts. */
const BulkBar = lazy(() => withMoreTexts(import('./bulk-bar.tsx')));

const STATUSES = ['draft', 'pending_review', 'live', 'paused', 'finished', 'rejected'] as const;
const SORTS = ['name', 'starts', '-starts', 'ends', '-ends', '-budget', 'budget'] as const;
const LEAST_SHARE = 0.01;

export function Campaigns(): ReactElement {
  const { q, ...search } = useSearchText();
  const [status, setStatus] = useFilter('status', ['', ...STATUSES]);
  const [sort, setSort] = useFilter('sort', ['', ...SORTS]);
  const [days, setDays] = useFilters({ from: isDay, to: isDay });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayWrite = useMayWrite('campaigns');
  const mayChoose = mayRead(useSession(), 'reporting');
  const list = useCampaigns({ q, status, sort, ...days });
  const isFiltered = q !== '' || status !== '' || Object.keys(days).length > 0;
  const sorted = useMemo(() => columns(sort), [sort]);
  const shown = useMemo(
    () => (mayChoose ? [choiceColumn(list.rows, { chosen, onChoose: setChosen }), ...sorted] : sorted),
    [mayChoose, list.rows, chosen, sorted],
  );
  return (
    <Page title={t('campaigns.title')} lead={t('campaigns.lead')} actions={mayWrite && <BookLink />}>
      <NameFilter text={search.text} onText={search.setText}>
        <StatusFilter statuses={STATUSES} chosen={status} onChoose={setStatus} />
        <DayField name="from" day={days.from} onChange={setDays} />
        <DayField name="to" day={days.to} onChange={setDays} />
        <SortField sort={sort} onSort={setSort} />
      </NameFilter>
      <ListTable
        of={list}
        empty={{
          title: t(isFiltered ? 'campaigns.noneFound' : 'campaigns.none'),
          hint: t(isFiltered ? 'campaigns.noneFoundHint' : 'campaigns.noneHint'),
          children: mayWrite && !isFiltered && <BookLink />,
        }}
        label={t('campaigns.title')}
        columns={shown}
        keyOf={campaign => campaign.id}
      />
      {chosen.size > 0 && (
        <Suspense>
          <BulkBar campaigns={list.rows.filter(one => chosen.has(one.id))} onChoose={setChosen} />
        </Suspense>
      )}
    </Page>
  );
}

type Sort = (typeof SORTS)[number] | '';
type CampaignQuestion = { q: string; status: (typeof STATUSES)[number] | ''; sort: Sort; from?: string; to?: string };

function useCampaigns({ q, status, sort, from, to }: CampaignQuestion) {
  return useList(
    ['campaigns', q, status, sort, from, to],
    (api, page, signal) =>
      api.get('/v1/campaigns', {
        query: {
          ...counted(page),
          ...(q !== '' && { q }),
          ...(status !== '' && { status }),
          ...(sort !== '' && { sort }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        },
        signal,
      }),
    {
      isLive: true,
      narrows: {
        name: ['campaigns', '', '', sort, undefined, undefined],
        has: campaign =>
          (status === '' || campaign.status === status) &&
          holds([campaign.name], q) &&
          (from === undefined || (campaign.ends !== null && campaign.ends >= from)) &&
          (to === undefined || (campaign.starts !== null && campaign.starts.slice(0, to.length) <= to)),
      },
    },
  );
}

type DayFieldOptions = {
  name: 'from' | 'to';
  day: string | undefined;
  onChange: (days: { from?: string; to?: string }) => void;
};

/** Campaigns that run on this day or later, or on this day or before. */
function DayField({ name, day = '', onChange }: DayFieldOptions): ReactElement {
  return (
    <Field
      label={t(`filter.${name}`)}
      type="date"
      value={day}
      onChange={event => onChange({ [name]: event.target.value })}
    />
  );
}

function SortField({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }): ReactElement {
  return (
    <SelectField label={t('filter.sort')} value={sort} onChange={event => onSort(event.target.value as Sort)}>
      <option value="">{t('campaigns.sort.newest')}</option>
      {SORTS.map(one => (
        <option key={one} value={one}>
          {t(`campaigns.sort.${one}`)}
        </option>
      ))}
    </SelectField>
  );
}

function BookLink(): ReactElement {
  return (
    <Link to="/campaigns/new" className="button is-primary">
      <Icon name="plus" />
      {t('campaigns.book')}
    </Link>
  );
}

function columns(sort: string): Column<ListedCampaign>[] {
  return [
    {
      head: t('campaigns.name'),
      sorted: directionOf(sort, ['name']),
      cell: ({ id, name, category }) => (
        <>
          <Link to="/campaigns/$id" params={{ id }}>
            {name}
          </Link>
          <div className="muted small wide-only">
            {category === null ? t('campaigns.noCategory') : term('category', category)}
          </div>
        </>
      ),
    },
    { head: t('campaigns.status'), cell: ({ status }) => <Status of={status} /> },
    { head: t('campaigns.spend'), cell: campaign => <Spend campaign={campaign} /> },
    {
      head: t('campaigns.health'),
      cell: campaign => <Judgement health={healthOf(campaign, spendPace(campaign))} />,
      isWide: true,
    },
    {
      head: t('campaigns.days'),
      sorted: directionOf(sort, ['starts', 'ends']),
      cell: ({ starts, ends }) => <span className="muted small">{dayRange(starts, ends)}</span>,
      isWide: true,
    },
  ];
}

/** In which direction a column is sorted, if the list is sorted by one of its keys. */
function directionOf(sort: string, keys: readonly string[]): Column<never>['sorted'] {
  if (keys.includes(sort)) return 'ascending';
  return sort.startsWith('-') && keys.includes(sort.slice(1)) ? 'descending' : undefined;
}

/** The spent part of the budget, as numbers and as a bar with a mark where it should be by now. */
function Spend({ campaign: { budget, spent, expected_spend: expected } }: { campaign: ListedCampaign }): ReactElement {
  if (budget === null) return <span className="muted small">{t('campaigns.noBudget')}</span>;
  const shareOf = ({ amount }: Money) => (budget.amount === 0 ? 0 : amount / budget.amount);
  const share = shareOf(spent);
  const label = t('campaigns.spentOf', { spent: roundMoney(spent), budget: roundMoney(budget) });
  return (
    <div className="spend">
      <span className="small">
        {label} <span className="muted">({shareText(share)})</span>
      </span>
      <Bar share={share} mark={shareOf(expected) < LEAST_SHARE ? undefined : shareOf(expected)} label={label} />
    </div>
  );
}

/** A campaign that has begun never shows 0%. */
function shareText(share: number): string {
  return share > 0 && share < LEAST_SHARE ? `<${percent(LEAST_SHARE)}` : percent(share);
}

function Judgement({ health }: { health: Health }): ReactElement {
  return <span className={`health is-${health.tone}`}>{t(health.text, health.values)}</span>;
}
