/** The clients of an agency: what each has left, has spent this month, and its discount; and the way to act for one. */
import type { RecordOf } from '@marquee/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { money, percent } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';

type Client = RecordOf<'/v1/agency/clients'>;

export function Clients(): ReactElement {
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const { chooseClient } = useSession();
  const navigate = useNavigate();
  const list = useList(['clients', q], (api, page, signal) =>
    api.get('/v1/agency/clients', { query: { ...page, count: 'true', ...(q !== '' && { q }) }, signal }),
  );
  const actFor = (client: string) => {
    chooseClient(client);
    void navigate({ to: '/campaigns' });
  };
  return (
    <Page title={t('nav.clients')} lead={t('clients.lead')}>
      <div className="filters">
        <Field label={t('filter.name')} type="search" value={text} onChange={event => setText(event.target.value)} />
      </div>
      <ListTable
        of={list}
        empty={{ title: t('clients.none'), hint: t('clients.noneHint') }}
        label={t('nav.clients')}
        columns={columns(actFor)}
        keyOf={client => client.id}
      />
    </Page>
  );
}

function columns(actFor: (client: string) => void): Column<Client>[] {
  return [
    {
      head: t('clients.client'),
      cell: ({ name, billing_model: model }) => (
        <>
          <strong>{name}</strong>
          <div className="muted small">{model === null ? t('clients.agency') : term('billing', model)}</div>
        </>
      ),
    },
    { head: t('clients.spend'), cell: ({ mtd_spend: spend }) => money(spend), isFigure: true },
    { head: t('wallet.balance'), cell: ({ wallet }) => money(wallet.balance), isFigure: true, isWide: true },
    { head: t('clients.discount'), cell: client => percent(client.discount_tier, 1), isFigure: true, isWide: true },
    {
      head: t('clients.act'),
      cell: ({ id, billing_model: model }) =>
        model !== null && <Button onClick={() => actFor(id)}>{t('clients.actFor')}</Button>,
      isFigure: true,
    },
  ];
}
