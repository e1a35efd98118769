/** One webhook: events, status, actions, and deliveries. */
import type { RecordOf } from '@marquee/sdk';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useChange, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button, MoreMenu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useReversible, type Step } from '../../ui/feedback/reversible.ts';
import { Card, Page } from '../../ui/page.tsx';
import { NewSecret } from '../../ui/shown-once.tsx';
import { Answered, Fault } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Deliveries } from './deliveries.tsx';
import { Simulate } from './simulate.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

type Shown = RecordOf<'/v1/webhooks'>;

export function Webhook(): ReactElement {
  const { id } = useParams({ from: '/webhooks/$id' });
  const webhook = useRead(['webhook', id], (api, signal) => api.get('/v1/webhooks/{id}', { path: { id }, signal }), {
    isLive: true,
  });
  const mayWrite = useMayWrite('webhooks');
  return (
    <Page
      title={t('webhooks.one')}
      lead={
        <span className="row">
          {webhook.data && <Status of={webhook.data.status} />}
          <span className="breaks">{webhook.data?.url}</span>
          <Link to="/webhooks">{t('webhooks.all')}</Link>
        </span>
      }
      actions={mayWrite && webhook.data && <Actions webhook={webhook.data} />}
    >
      <Answered of={webhook} lines={2} list={<Link to="/webhooks">{t('webhooks.all')}</Link>}>
        {one => <Facts webhook={one} />}
      </Answered>
      {webhook.data?.status === 'active' && mayWrite && <Simulate id={id} events={webhook.data.events} />}
      {webhook.data && (
        <Card title={t('deliveries.title')} note={t('deliveries.note')} isWide>
          <Deliveries id={id} mayWrite={mayWrite && webhook.data.status === 'active'} />
        </Card>
      )}
    </Page>
  );
}

function Facts({ webhook }: { webhook: Shown }): ReactElement {
  const { events, disabled_at: at, disabled_reason: reason, previous_secret_expires_at: until } = webhook;
  return (
    <>
      {at !== null && <p className="notice is-bad">{t(`webhooks.off.${reason ?? 'requested'}`, { at: moment(at) })}</p>}
      {until !== null && <p className="notice is-wait">{t('webhooks.oldSecret', { until: moment(until) })}</p>}
      <Card title={t('webhooks.events')}>
        <p className="breaks">{events.join(', ')}</p>
      </Card>
    </>
  );
}

function Actions({ webhook }: { webhook: Shown }): ReactElement {
  const { id, status } = webhook;
  const [isChanging, setChanging] = useState(false);
  const test = useChange(api => api.post('/v1/webhooks/{id}/test', { path: { id } }));
  const enabling: Step = {
    change: api => api.patch('/v1/webhooks/{id}', { path: { id }, body: { status: 'active' } }),
    done: t('toast.enabled'),
  };
  const disabling: Step = {
    change: api => api.patch('/v1/webhooks/{id}', { path: { id }, body: { status: 'disabled' } }),
    done: t('toast.disabled'),
  };
  const enable = useReversible(enabling, disabling);
  const disable = useReversible(disabling, enabling);
  const turn = status === 'active' ? disable : enable;
  const error = test.error ?? turn.error;
  return (
    <>
      {status === 'active' && (
        <Button kind="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
          {t('webhooks.test')}
        </Button>
      )}
      <Button onClick={() => setChanging(true)}>{t('webhooks.change')}</Button>
      <Button isBusy={turn.isPending} onClick={() => turn.mutate()}>
        {t(status === 'active' ? 'webhooks.disable' : 'webhooks.enable')}
      </Button>
      <NewSecret
        label={t('webhooks.rotate')}
        title={t('webhooks.rotateTitle')}
        hint={t('webhooks.rotateHint')}
        replace={async api => (await api.post('/v1/webhooks/{id}/rotate', { path: { id } })).secret}
        lead={t('webhooks.once')}
        copyText={t('webhooks.copySecret')}
      />
      <Remove id={id} />
      <Fault error={error} />
      <WebhookDialog
        key={String(isChanging)}
        webhook={webhook}
        isOpen={isChanging}
        onClose={() => setChanging(false)}
      />
    </>
  );
}

function Remove({ id }: { id: string }): ReactElement {
  const navigate = useNavigate();
  const remove = useChange(api => api.delete('/v1/webhooks/{id}', { path: { id } }));
  return (
    <MoreMenu>
      <Confirm
        label={t('webhooks.remove')}
        title={t('webhooks.removeTitle')}
        hint={t('webhooks.removeHint')}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/webhooks' }) })}
      />
    </MoreMenu>
  );
}
