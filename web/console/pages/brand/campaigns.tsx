/** All campaigns of a brand: status, spend, and whether the spend is on pace. */
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { counted, useList } from '../../api/api.ts';
import { holds } from '../../api/narrowed.ts';
import { useMayWrite } from '../../api/session.ts';
import { dayRange, percent, roundMoney } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useFilter, useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Bar, Status } from '../../ui/status.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { healthOf, spendPace, type Health, type ListedCampaign } from './pace.ts';

const STATUSES = ['draft', 'pending_review', 'live', 'paused', 'finished', 'rejected'] as const;
const LEAST_SHARE = 0.01;

export function Campaigns(): ReactElement {
  const { text, q, setText } = useSearchText();
  const [status, setStatus] = useFilter('status', ['', ...STATUSES]);
  const mayBook = useMayWrite('campaigns');
  const list = useList(
    ['campaigns', q, status],
    (api, page, signal) =>
      api.get('/v1/campaigns', {
        query: { ...counted(page), ...(q !== '' && { q }), ...(status !== '' && { status }) },
        signal,
      }),
    {
      isLive: true,
      narrows: {
        name: ['campaigns', '', ''],
        has: campaign => (status === '' || campaign.status === status) && holds([campaign.name], q),
      },
    },
  );
  const isFiltered = q !== '' || status !== '';
  return (
    <Page title={t('campaigns.title')} lead={t('campaigns.lead')} actions={mayBook && <BookLink />}>
      <NameFilter text={text} onText={setText}>
        <SelectField
          label={t('filter.status')}
          value={status}
          onChange={event => setStatus(event.target.value as typeof status)}
        >
          <option value="">{t('filter.all')}</option>
          {STATUSES.map(one => (
            <option key={one} value={one}>
              {term('status', one)}
            </option>
          ))}
        </SelectField>
      </NameFilter>
      <ListTable
        of={list}
        empty={{
          title: t(isFiltered ? 'campaigns.noneFound' : 'campaigns.none'),
          hint: t(isFiltered ? 'campaigns.noneFoundHint' : 'campaigns.noneHint'),
          children: mayBook && !isFiltered && <BookLink />,
        }}
        label={t('campaigns.title')}
        columns={useMemo(columns, [])}
        keyOf={campaign => campaign.id}
      />
    </Page>
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

function columns(): Column<ListedCampaign>[] {
  return [
    {
      head: t('campaigns.name'),
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
      cell: ({ starts, ends }) => <span className="muted small">{dayRange(starts, ends)}</span>,
      isWide: true,
    },
  ];
}

/** The spent part of the budget, as numbers and as a bar. */
function Spend({ campaign: { budget, spent } }: { campaign: ListedCampaign }): ReactElement {
  if (budget === null) return <span className="muted small">{t('campaigns.noBudget')}</span>;
  const share = budget.amount === 0 ? 0 : spent.amount / budget.amount;
  const label = t('campaigns.spentOf', { spent: roundMoney(spent), budget: roundMoney(budget) });
  return (
    <div className="spend">
      <span className="small">
        {label} <span className="muted">({shareText(share)})</span>
      </span>
      <Bar share={share} label={label} />
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
