/** Charges and discounts of an agency and its clients in a range of days. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { CURRENCIES } from '#domain/money/money.ts';
import { useRead } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { count, money } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { CurrencyField } from '../../ui/currency-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Figure, Page } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { isDay, isOneOf } from '../../ui/views/filter-formats.ts';
import { useFilterForm } from '../../ui/views/filter-form.ts';
import { useFilter } from '../../ui/views/filters.ts';
import { Table, type Column } from '../../ui/views/table.tsx';

const GROUPS = ['client', 'campaign', 'region', 'daypart'] as const;
type Group = (typeof GROUPS)[number];
const FORMATS = { from: isDay, to: isDay, currency: isOneOf(CURRENCIES) };
type Report = AnswerOf<OperationOf<'/v1/agency/reports', 'get'>>;
type Row = {
  key: string;
  name: string;
  spend: number;
  discount: number;
  net_cost: number;
  plays: number;
  impressions: number;
};

export function Reports(): ReactElement {
  const [group, setGroup] = useFilter('group', GROUPS);
  const { applied: range, fieldOf, onSubmit } = useFilterForm(FORMATS);
  const { currency } = useSession().me.workspace;
  const report = useRead(
    ['agency report', group, range],
    (api, signal) => api.get('/v1/agency/reports', { query: { group, ...range }, signal }),
    { keepsPrevious: true },
  );
  return (
    <Page title={t('nav.reports')} lead={t('reports.lead')}>
      <form className="filters" onSubmit={onSubmit}>
        <Field label={t('reports.from')} type="date" {...fieldOf('from', report.data?.from)} />
        <Field label={t('reports.to')} type="date" {...fieldOf('to', report.data?.to)} />
        <CurrencyField key={range.currency} chosen={range.currency ?? currency} />
        <Button type="submit">{t('reports.apply')}</Button>
      </form>
      <Tabs
        label={t('reports.group')}
        tabs={GROUPS.map(value => ({ value, text: t(`reports.group.${value}`) }))}
        chosen={group}
        onChoose={setGroup}
      />
      <Answered of={report}>{answer => <Shown report={answer} />}</Answered>
    </Page>
  );
}

function Shown({ report }: { report: Report }): ReactElement {
  const { totals, group, currency, other_currencies: others } = report;
  const rows = useMemo(() => rowsOf(report), [report]);
  const columns = useMemo(() => columnsOf(group, currency), [group, currency]);
  return (
    <>
      <dl className="figures">
        <Figure label={t('reports.cost')} value={money(totals.platform_cost)} />
        <Figure label={t('reports.discount')} value={money(totals.discount)} />
        <Figure label={t('reports.net')} value={money(totals.net_cost)} />
      </dl>
      {others.length > 0 && <p className="muted small">{t('reports.others', { currencies: others.join(', ') })}</p>}
      {rows.length === 0 ? (
        <EmptyState title={t('reports.none')} hint={t('reports.noneHint')} />
      ) : (
        <Table label={t('nav.reports')} columns={columns} rows={rows} keyOf={row => row.key} />
      )}
    </>
  );
}

/** The rows of the requested grouping, with their names. */
function rowsOf({
  by_client: clients,
  by_campaign: campaigns,
  by_region: regions,
  by_daypart: dayparts,
}: Report): Row[] {
  return [
    ...(clients ?? []).map(row => ({ ...row, key: row.client_id, name: row.client_name })),
    ...(campaigns ?? []).map(row => ({ ...row, key: row.campaign_id, name: row.campaign_name })),
    ...(regions ?? []).map(row => ({ ...row, key: row.region, name: row.region })),
    ...(dayparts ?? []).map(row => ({ ...row, key: row.daypart, name: term('daypart', row.daypart) })),
  ];
}

function columnsOf(group: Group, currency: string): Column<Row>[] {
  const amount = (value: number) => money({ amount: value, currency });
  return [
    { head: t(`reports.group.${group}`), cell: ({ name }) => <span className="breaks">{name}</span> },
    { head: t('reports.cost'), cell: row => amount(row.spend), isFigure: true },
    { head: t('reports.discount'), cell: row => amount(row.discount), isFigure: true, isWide: true },
    { head: t('reports.net'), cell: row => amount(row.net_cost), isFigure: true },
    { head: t('reports.plays'), cell: row => count(row.plays), isFigure: true, isWide: true },
    { head: t('reports.impressions'), cell: row => count(row.impressions), isFigure: true, isWide: true },
  ];
}
