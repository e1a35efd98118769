/** One client: wallet, spend, discount, people and billing. */
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { day, money, percent } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useReversible, type Step } from '../../ui/feedback/reversible.ts';
import { Card, Figure, Page } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';
import { BillingForm } from '../money/billing-form.tsx';
import { ClientSettings } from './client-settings.tsx';
import { useActFor } from './clients.tsx';
import { riskOf, type Client as ClientRecord } from './risk.ts';
import { Seats } from './seats.tsx';
import { TransferForm } from './transfer-form.tsx';

export function Client(): ReactElement {
  const { id } = useParams({ from: '/clients/$id' });
  const client = useRead(['client', id], (api, signal) => api.get('/v1/agency/clients/{id}', { path: { id }, signal }));
  const actFor = useActFor();
  const mayWrite = useMayWrite('agency');
  const { name, created_at: since, archived_at: archived = null } = client.data ?? {};
  return (
    <Page
      title={name ?? t('clients.client')}
      lead={
        <span className="row">
          {since !== undefined && <span>{t('clients.since', { day: day(since) })}</span>}
          <Link to="/clients">{t('clients.all')}</Link>
        </span>
      }
      actions={
        client.data && (
          <>
            {mayWrite && <ArchiveButton key={String(archived)} client={client.data} isArchived={archived !== null} />}
            <Button kind="primary" onClick={() => actFor(id)}>
              {t('clients.actFor')}
            </Button>
          </>
        )
      }
    >
      <Answered of={client} lines={6} list={<Link to="/clients">{t('clients.all')}</Link>}>
        {record => (
          <>
            {archived !== null && <p className="notice is-wait">{t('clients.archived', { day: day(archived) })}</p>}
            <Details key={id} client={record} mayWrite={mayWrite && archived === null} />
          </>
        )}
      </Answered>
    </Page>
  );
}

/** An archived client can be read, and nothing of it runs. */
function ArchiveButton({
  client: { id, name },
  isArchived,
}: {
  client: ClientRecord;
  isArchived: boolean;
}): ReactElement {
  const archiving: Step = {
    change: api => api.delete('/v1/agency/clients/{id}', { path: { id } }),
    done: t('toast.archived', { name }),
  };
  const restoring: Step = {
    change: api => api.post('/v1/agency/clients/{id}/restore', { path: { id } }),
    done: t('toast.restored', { name }),
  };
  const archive = useReversible(archiving, restoring);
  const restore = useReversible(restoring, archiving);
  if (isArchived)
    return (
      <Button isBusy={restore.isPending} onClick={() => restore.mutate()}>
        {t('clients.restore')}
      </Button>
    );
  return (
    <Confirm
      label={t('clients.archive')}
      title={t('clients.archiveTitle')}
      hint={t('clients.archiveHint')}
      isBusy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate()}
    />
  );
}

function Details({ client, mayWrite }: { client: ClientRecord; mayWrite: boolean }): ReactElement {
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
        <BillingForm id={client.id} details={client.billing_details} mayWrite={mayWrite} />
      </div>
    </>
  );
}
