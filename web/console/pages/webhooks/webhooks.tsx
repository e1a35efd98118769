/** The addresses to which this workspace has its events sent; each leads to its deliveries. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { AddButton } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

type Webhook = RecordOf<'/v1/webhooks'>;

export function Webhooks(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useMayWrite('webhooks');
  const list = useList(['webhooks'], (api, page, signal) => api.get('/v1/webhooks', { query: page, signal }));
  return (
    <Page
      title={t('nav.webhooks')}
      lead={t('webhooks.lead')}
      actions={mayWrite && <AddButton text={t('webhooks.make')} onClick={() => setOpen(true)} />}
    >
      <ListTable
        of={list}
        empty={{ title: t('webhooks.none'), hint: t('webhooks.noneHint') }}
        label={t('nav.webhooks')}
        columns={useMemo(columns, [])}
        keyOf={webhook => webhook.id}
      />
      <WebhookDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Page>
  );
}

function columns(): Column<Webhook>[] {
  return [
    {
      head: t('webhooks.url'),
      cell: ({ id, url }) => (
        <Link to="/webhooks/$id" params={{ id }} className="breaks">
          {url}
        </Link>
      ),
    },
    { head: t('filter.status'), cell: ({ status }) => <Status of={status} /> },
    {
      head: t('webhooks.events'),
      cell: ({ events }) => (
        <span title={events.join(', ')}>{t('webhooks.eventsOf', { count: count(events.length) })}</span>
      ),
      isWide: true,
    },
    {
      head: t('webhooks.since'),
      cell: ({ created_at: at }) => <span className="small">{moment(at)}</span>,
      isWide: true,
    },
  ];
}
