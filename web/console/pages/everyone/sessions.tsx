/** The browsers in which the person is signed in; each can be signed out from here. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useChange, useList } from '../../api/api.ts';
import { moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';

type OpenSession = RecordOf<'/v1/sessions'>;

export function Sessions(): ReactElement {
  const list = useList(['sessions'], (api, page, signal) => api.get('/v1/sessions', { query: page, signal }));
  return (
    <Card title={t('sessions.title')} note={t('sessions.note')} isWide>
      <ListTable
        of={list}
        empty={{ title: t('sessions.none') }}
        lines={2}
        label={t('sessions.title')}
        columns={useMemo(columns, [])}
        keyOf={session => session.id}
      />
    </Card>
  );
}

function columns(): Column<OpenSession>[] {
  return [
    {
      head: t('sessions.browser'),
      cell: ({ device, is_current: isCurrent }) => (
        <>
          {browserOf(device)} {isCurrent && <span className="tag">{t('sessions.this')}</span>}
        </>
      ),
    },
    {
      head: t('sessions.since'),
      cell: ({ created_at: at }) => <span className="small">{moment(at)}</span>,
      isWide: true,
    },
    {
      head: t('sessions.used'),
      cell: ({ last_used_at: at }) => <span className="small">{moment(at)}</span>,
      isWide: true,
    },
    {
      head: t('people.change'),
      cell: ({ id, is_current: isCurrent }) => !isCurrent && <End id={id} />,
      isFigure: true,
    },
  ];
}

function End({ id }: { id: string }): ReactElement {
  const end = useChange(api => api.delete('/v1/sessions/{id}', { path: { id } }));
  return (
    <Confirm
      label={t('sessions.end')}
      title={t('sessions.endTitle')}
      hint={t('sessions.endHint')}
      isBusy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
    />
  );
}

/** The name and the system of a browser, as far as its `User-Agent` says; else all that it says. */
function browserOf(device: string): string {
  const name = /(Edg|OPR|Firefox|Chrome|Safari)\/\d+/.exec(device)?.[1];
  const system = /(Windows|Mac OS|Android|iPhone|iPad|Linux)/.exec(device)?.[1];
  if (name === undefined) return device === '' ? t('sessions.unknown') : device.slice(0, 80);
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
  return [names[name] ?? name, system].filter(Boolean).join(', ');
}
