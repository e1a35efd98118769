/** One client: what it has and spends, its discount, who works in it, and how it is billed. */
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useMayWrite } from '../../api/session.ts';
import { day, money, percent } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Figure, Page } from '../../ui/page.tsx';
import { Absent, ErrorState, Loading } from '../../ui/states.tsx';
import { ClientSettings } from './client-settings.tsx';
import { useActFor } from './clients.tsx';
import { riskOf, type Client as ClientRecord } from './risk.ts';
import { Seats } from './seats.tsx';
import { TransferForm } from './transfer-form.tsx';
import { useClients } from './use-clients.ts';

export function Client(): ReactElement {
  const { id } = useParams({ from: '/clients/$id' });
  const list = useClients('');
  const actFor = useActFor();
  const client = list.rows.find(one => one.id === id);
  return (
    <Page
      title={client?.name ?? t('clients.client')}
      lead={
        <span className="row">
          {client && <span>{t('clients.since', { day: day(client.created_at) })}</span>}
          <Link to="/clients">{t('clients.all')}</Link>
        </span>
      }
      actions={
        client && (
          <Button kind="primary" onClick={() => actFor(id)}>
            {t('clients.actFor')}
          </Button>
        )
      }
    >
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {client && <Details key={id} client={client} />}
      {!client && !list.error && (list.isPending || list.hasNextPage) && <Loading lines={6} />}
      {!client && list.isSuccess && !list.hasNextPage && (
        <Absent list={<Link to="/clients">{t('clients.all')}</Link>} />
      )}
    </Page>
  );
}

function Details({ client }: { client: ClientRecord }): ReactElement {
  const mayWrite = useMayWrite('agency');
  const risk = riskOf(client, Date.now());
  return (
    <>
      <dl className="figures">
        <Figure label={t('clients.spend')} value={money(client.mtd_spend)} note={t('clients.spendNote')} />
        <Figure
          label={t('wallet.balance')}
          value={money(client.wallet.balance)}
          note={<span className={`health is-${risk.tone}`}>{t(risk.text, risk.values)}</span>}
        />
        <Figure
          label={t('clients.discount')}
          value={percent(client.discount_tier, 1)}
          note={t('clients.discountNote')}
        />
      </dl>
      <div className="cards">
        <Seats client={client} mayWrite={mayWrite} />
        <ClientSettings client={client} mayWrite={mayWrite} />
        {mayWrite && <TransferForm client={client} />}
        <Card title={t('discount.title')}>
          <p className="muted">{t('discount.volume')}</p>
          <p className="muted">{t('discount.filled')}</p>
          <p className="muted">{t('discount.caseStudy')}</p>
        </Card>
      </div>
    </>
  );
}
