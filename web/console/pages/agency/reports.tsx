/** Charges and discounts of an agency and its clients in a range of days. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useMemo, useState, type FormEvent, type ReactElement } from 'react';
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
import { Table, type Column } from '../../ui/views/table.tsx';

const GROUPS = ['client', 'campaign', 'region', 'daypart'] as const;
type Group = (typeof GROUPS)[number];
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
  const [group, setGroup] = useState<Group>('client');
  const [range, setRange] = useState<Range>({});
  const report = useRead(
    ['agency report', group, range],
    (api, signal) => api.get('/v1/agency/reports', { query: { group, ...range }, signal }),
    { keepsPrevious: true },
  );
  return (
    <Page title={t('nav.reports')} lead={t('reports.lead')}>
      <RangeForm shown={report.data} onChange={setRange} />
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

type Range = { from?: string; to?: string; currency?: string };

function RangeForm({ shown, onChange }: { shown: Report | undefined; onChange: (range: Range) => void }): ReactElement {
  const { currency } = useSession().me.workspace;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const given = (['from', 'to', 'currency'] as const).flatMap(name => {
      const text = String(fields.get(name)).trim();
      return text === '' ? [] : [[name, text]];
    });
    onChange(Object.fromEntries(given) as Range);
  };
  return (
    <form className="filters" onSubmit={submit}>
      <Field key={`from ${shown?.from}`} label={t('reports.from')} name="from" type="date" defaultValue={shown?.from} />
      <Field key={`to ${shown?.to}`} label={t('reports.to')} name="to" type="date" defaultValue={shown?.to} />
      <CurrencyField chosen={currency} />
      <Button type="submit">{t('reports.apply')}</Button>
    </form>
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
