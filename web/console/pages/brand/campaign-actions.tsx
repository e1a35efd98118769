/** What can be done with a campaign from its page: pause, resume, submit, edit, share, delete. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { messageOf, useChange } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { isEditable, missingOf } from '../booking/changes.ts';
import { ShareButton } from '../shared-report/share-button.tsx';
import type { CampaignDetail } from './pace.ts';

type Move = 'live' | 'paused' | 'pending_review';

export function CampaignActions({ campaign }: { campaign: CampaignDetail }): ReactElement | null {
  const { id, status } = campaign;
  const mayWrite = useMayWrite('campaigns');
  const change = useChange((api, body: { status: Move }) => api.patch('/v1/campaigns/{id}', { path: { id }, body }));
  if (!mayWrite) return null;
  const move = (status: Move) => () => change.mutate({ status });
  const mayEdit = isEditable(campaign);
  return (
    <>
      {status === 'live' && (
        <Button onClick={move('paused')} isBusy={change.isPending}>
          {t('campaign.pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button kind="primary" onClick={move('live')} isBusy={change.isPending}>
          {t('campaign.resume')}
        </Button>
      )}
      {(status === 'draft' || (status === 'rejected' && mayEdit)) && (
        <Button
          kind="primary"
          onClick={move('pending_review')}
          isBusy={change.isPending}
          disabled={missingOf(campaign).length > 0}
        >
          {t('campaign.submit')}
        </Button>
      )}
      {mayEdit && (
        <Link to="/campaigns/$id/edit" params={{ id }} className="button">
          {t('edit.button')}
        </Link>
      )}
      {status !== 'deleted' && <ShareButton id={id} />}
      {status !== 'deleted' && <DeleteButton id={id} />}
      {change.error && (
        <p className="field-error" role="alert">
          {messageOf(change.error)}
        </p>
      )}
    </>
  );
}

function DeleteButton({ id }: { id: string }): ReactElement {
  const navigate = useNavigate();
  const remove = useChange(api => api.delete('/v1/campaigns/{id}', { path: { id } }));
  return (
    <Confirm
      label={t('campaign.delete')}
      title={t('campaign.deleteTitle')}
      hint={t('campaign.deleteHint')}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/campaigns' }) })}
    />
  );
}
