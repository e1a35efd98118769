/**
 * Editing a booked campaign: the form of the booking, filled in, next to the effect of the edit on the forecast and the
 * money. One PATCH sends the differences to the API, and nothing else.
 */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useChange, useRead } from '../../api/api.ts';
import { useDraft } from '../../api/draft.ts';
import { useMayWrite } from '../../api/session.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Page } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { BookingFault } from './booking-fault.tsx';
import { changesOf, isEditable, type Changes } from './changes.ts';
import { EditEffect } from './edit-effect.tsx';
import { ForecastCard } from './forecast-card.tsx';
import { planOf, type BookedCampaign } from './form/plan.ts';
import { PlanForm } from './form/plan-form.tsx';

export function Edit(): ReactElement {
  const { id } = useParams({ from: '/campaigns/$id/edit' });
  const mayWrite = useMayWrite('campaigns');
  const detail = useRead(['campaign', id], (api, signal) => api.get('/v1/campaigns/{id}', { path: { id }, signal }));
  const name = detail.data?.name;
  return (
    <Page
      title={name === undefined ? t('edit.button') : t('edit.title', { name })}
      lead={
        <Link to="/campaigns/$id" params={{ id }}>
          {t('edit.back')}
        </Link>
      }
    >
      <Answered of={detail} lines={8} list={<Link to="/campaigns">{t('campaign.all')}</Link>}>
        {campaign =>
          !mayWrite ? (
            <EmptyState title={t('edit.readOnly')} />
          ) : isEditable(campaign) ? (
            <EditForm campaign={campaign} />
          ) : (
            <EmptyState title={t('edit.closed')} hint={t('edit.closedHint')} />
          )
        }
      </Answered>
    </Page>
  );
}

function EditForm({ campaign }: { campaign: BookedCampaign }): ReactElement {
  const { id, status } = campaign;
  // As of the opening of the page, so that this edit does not revert concurrent changes.
  const [{ before, plan }, setDraft] = useDraft(() => {
    const booked = planOf(campaign);
    return { before: booked, plan: booked };
  });
  const navigate = useNavigate();
  const save = useChange((api, body: Changes) => api.patch('/v1/campaigns/{id}', { path: { id }, body }));
  const changes = changesOf(before, plan);
  const isUnchanged = Object.keys(changes).length === 0;
  const { warning, release } = useUnsaved(!isUnchanged);
  const isDraft = status === 'draft';
  const lacksCreative = !isDraft && plan.creatives.length === 0;
  const leave = () => {
    release();
    void navigate({ to: '/campaigns/$id', params: { id } });
  };
  return (
    <PlanForm
      plan={plan}
      change={fields => setDraft(old => ({ ...old, plan: { ...old.plan, ...fields } }))}
      error={save.error}
      onSubmit={() => save.mutate(changes, { onSuccess: leave })}
      hasWeights
      isCategoryFixed={status === 'live' || status === 'paused'}
      isDraft={isDraft}
    >
      {warning}
      <ForecastCard plan={plan} edited={{ id, before }} />
      <EditEffect campaign={campaign} plan={plan} changes={changes} />
      <BookingFault error={save.error} />
      <Button kind="primary" type="submit" isBusy={save.isPending} disabled={isUnchanged || lacksCreative}>
        {t('edit.submit')}
      </Button>
      {lacksCreative && <p className="hint">{t('booking.needsCreative')}</p>}
      <Button onClick={leave}>{t('dialog.cancel')}</Button>
    </PlanForm>
  );
}
