/** The actions of a campaign on its page: pause, resume, submit, edit, share, delete. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useChange } from '../../api/api.ts';
import { usePresent } from '../../api/present.ts';
import { useMayWrite } from '../../api/session.ts';
import { dateAfter } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button, MoreMenu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useReversible, type Step } from '../../ui/feedback/reversible.ts';
import { BookingFault } from '../booking/booking-fault.tsx';
import { isEditable, missingOf } from '../booking/changes.ts';
import { draftOf, planOf, type Plan } from '../booking/form/plan.ts';
import { countOf } from '../reports/ranges.ts';
import { ShareButton } from '../shared-report/share-button.tsx';
import type { CampaignDetail } from './pace.ts';
import { Fault } from '../../ui/states.tsx';

export function CampaignActions({ campaign }: { campaign: CampaignDetail }): ReactElement | null {
  const { id, status } = campaign;
  const mayWrite = useMayWrite('campaigns');
  const submit = useChange(api =>
    api.patch('/v1/campaigns/{id}', { path: { id }, body: { status: 'pending_review' } }),
  );
  if (!mayWrite) return null;
  const mayEdit = isEditable(campaign);
  return (
    <>
      <PauseOrResume campaign={campaign} />
      {(status === 'draft' || (status === 'rejected' && mayEdit)) && (
        <Button
          kind="primary"
          onClick={() => submit.mutate()}
          isBusy={submit.isPending}
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
      <DuplicateButton campaign={campaign} />
      {status !== 'deleted' && <DeleteButton id={id} />}
      <BookingFault error={submit.error} />
    </>
  );
}

/** Either can be undone: the toast offers the other one. */
function PauseOrResume({ campaign: { id, name, status } }: { campaign: CampaignDetail }): ReactElement | null {
  const pause: Step = {
    change: api => api.patch('/v1/campaigns/{id}', { path: { id }, body: { status: 'paused' } }),
    done: t('toast.paused', { name }),
  };
  const resume: Step = {
    change: api => api.patch('/v1/campaigns/{id}', { path: { id }, body: { status: 'live' } }),
    done: t('toast.resumed', { name }),
  };
  const pausing = useReversible(pause, resume);
  const resuming = useReversible(resume, pause);
  if (status !== 'live' && status !== 'paused') return null;
  const [isLive, { mutate, isPending, error }] = status === 'live' ? [true, pausing] : [false, resuming];
  return (
    <>
      <Button kind={isLive ? 'plain' : 'primary'} onClick={() => mutate()} isBusy={isPending}>
        {t(isLive ? 'campaign.pause' : 'campaign.resume')}
      </Button>
      <Fault error={error} />
    </>
  );
}

/** A copy is a draft with the same weights, which opens for editing. */
function DuplicateButton({ campaign }: { campaign: CampaignDetail }): ReactElement {
  const navigate = useNavigate();
  const present = usePresent();
  const duplicate = useChange(async api => {
    const plan = copyOf(planOf(campaign), present ?? Date.now());
    const { id } = await api.post('/v1/campaigns', { body: draftOf(plan) });
    const creatives = [...plan.creatives];
    if (creatives.some(({ weight }) => weight !== creatives[0]!.weight))
      await api.patch('/v1/campaigns/{id}', { path: { id }, body: { creatives } });
    return id;
  });
  return (
    <>
      <Button
        onClick={() =>
          duplicate.mutate(undefined, { onSuccess: id => void navigate({ to: '/campaigns/$id/edit', params: { id } }) })
        }
        isBusy={duplicate.isPending}
      >
        {t('campaign.duplicate')}
      </Button>
      <Fault error={duplicate.error} />
    </>
  );
}

/** With a name of its own; days that have begun are moved to today, and stay as many. */
function copyOf(plan: Plan, nowMs: number): Plan {
  const { name, starts, ends } = plan;
  const copy = { ...plan, name: t('campaign.copyOf', { name }) };
  const today = dateAfter(nowMs, 0);
  if (starts === '' || starts >= today) return copy;
  return { ...copy, starts: today, ends: dateAfter(nowMs, countOf({ from: starts, to: ends }) - 1) };
}

function DeleteButton({ id }: { id: string }): ReactElement {
  const navigate = useNavigate();
  const remove = useChange(api => api.delete('/v1/campaigns/{id}', { path: { id } }));
  return (
    <MoreMenu>
      <Confirm
        label={t('campaign.delete')}
        title={t('campaign.deleteTitle')}
        hint={t('campaign.deleteHint')}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/campaigns' }) })}
      />
    </MoreMenu>
  );
}
