/** Recent calls of programs with their answers: reads, calls that changed nothing, and refusals with their code. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';

type Entry = RecordOf<'/v1/audit'>;
const REFUSED = 400;

export function Calls(): ReactElement {
  const list = useList(
    ['calls'],
    (api, page, signal) => api.get('/v1/audit', { query: { ...page, kind: 'calls', include: 'reads' }, signal }),
    { isLive: true },
  );
  return (
    <Page title={t('nav.calls')} lead={t('calls.lead')}>
      <ListTable
        of={list}
        empty={{ title: t('calls.none'), hint: t('calls.noneHint') }}
        label={t('nav.calls')}
        columns={useMemo(columns, [])}
        keyOf={entry => entry.id}
      />
    </Page>
  );
}

function columns(): Column<Entry>[] {
  return [
    { head: t('calls.call'), cell: ({ call, action }) => <code>{call ? `${call.method} ${call.path}` : action}</code> },
    {
      head: t('calls.answer'),
      cell: ({ call }) =>
        call && (
          <span className={`status is-${call.status < REFUSED ? 'good' : 'bad'}`}>
            {call.status} {call.code}
          </span>
        ),
    },
    { head: t('calls.id'), cell: ({ call }) => <code className="small">{call?.request_id}</code>, isWide: true },
    { head: t('wallet.at'), cell: ({ at }) => <span className="small">{moment(at)}</span>, isBelow: true },
  ];
}
