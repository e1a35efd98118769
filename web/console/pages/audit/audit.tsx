/** Who changed what: every entry of the audit log, with the fields before and after. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters, useAuditFilter } from './audit-filters.tsx';
import { fieldName, shownValue } from './audited-values.ts';

type Entry = RecordOf<'/v1/audit'>;
/** As much of a value as a line has room for. */
const VALUE_LENGTH_MAX = 80;

export function Audit(): ReactElement {
  const { filter, ...form } = useAuditFilter();
  const mayExport = useMayWrite('audit');
  const list = useList(['audit', filter], (api, page, signal) =>
    api.get('/v1/audit', { query: { ...page, ...filter, kind: 'changes' }, signal }),
  );
  return (
    <Page title={t('nav.audit')} lead={t('audit.lead')} actions={mayExport && <AuditExport filter={filter} />}>
      <AuditFilters {...form} />
      <ListTable
        of={list}
        empty={{ title: t('audit.none') }}
        isFiltered={Object.keys(filter).length > 0}
        label={t('nav.audit')}
        columns={useMemo(columns, [])}
        keyOf={entry => entry.id}
      />
    </Page>
  );
}

function columns(): Column<Entry>[] {
  return [
    {
      head: t('audit.action'),
      cell: ({ action, entity }) => (
        <>
          <strong title={action}>{term('action', action)}</strong>
          <div className="muted small" title={entity.id ?? undefined}>
            {entity.name ?? entity.id}
          </div>
        </>
      ),
    },
    {
      head: t('audit.who'),
      cell: ({ actor }) => <span title={actor.id}>{actor.email ?? term('actor', actor.type)}</span>,
      isBelow: true,
    },
    {
      head: t('audit.change'),
      cell: ({ diff }) => (Object.keys(diff).length === 0 ? null : <Changes diff={diff} />),
      isBelow: true,
    },
    { head: t('wallet.at'), cell: ({ at }) => <span className="small">{moment(at)}</span> },
  ];
}

function Changes({ diff }: Pick<Entry, 'diff'>): ReactElement {
  return (
    <ul className="small">
      {Object.entries(diff).map(([field, { from, to }]) => (
        <li key={field}>
          {fieldName(field)}: {from !== null && <span className="muted">{shorten(field, from)} → </span>}
          {shorten(field, to)}
        </li>
      ))}
    </ul>
  );
}

function shorten(field: string, value: unknown): string {
  const text = shownValue(field, value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
