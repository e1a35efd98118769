/** Booking a campaign in one flow: the plan, next to a live forecast. */
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useChange } from '../../api/api.ts';
import { useMayWrite, useSession } from '../../api/session.ts';
import { useDraft } from '../../api/draft.ts';
import { usePresent } from '../../api/present.ts';
import { dateAfter } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';
import { BookingFault } from './booking-fault.tsx';
import { ForecastCard } from './forecast-card.tsx';
import { isRestricted, useCategories } from './form/categories.ts';
import { campaignOf, draftOf, emptyPlan, isPolitical, type Plan } from './form/plan.ts';
import { PlanForm } from './form/plan-form.tsx';

/** A campaign of four weeks is offered first. */
const DAYS = 28;

export function Booking(): ReactElement {
  const mayBook = useMayWrite('campaigns');
  const present = usePresent();
  return (
    <Page title={t('booking.title')} lead={mayBook ? t('booking.lead') : undefined}>
      {!mayBook && <EmptyState title={t('edit.readOnly')} />}
      {mayBook && (present === undefined ? <Loading lines={8} /> : <BookingForm present={present} />)}
    </Page>
  );
}

function BookingForm({ present }: { present: number }): ReactElement {
  const { me } = useSession();
  const [empty] = useState(() => emptyPlan({ ...daysFromNow(present), currency: me.workspace.currency }));
  const [plan, setPlan] = useDraft(() => empty);
  const { warning, release } = useUnsaved(JSON.stringify(plan) !== JSON.stringify(empty));
  const categories = useCategories();
  const navigate = useNavigate();
  const book = useChange((api, booked: Plan) => api.post('/v1/campaigns', { body: campaignOf(booked) }));
  const keep = useChange((api, kept: Plan) => api.post('/v1/campaigns', { body: draftOf(kept) }));
  const onSuccess = ({ id }: { id: string }) => {
    release();
    // Back returns to the page before the booking, and not to an empty form.
    void navigate({ to: '/campaigns/$id', params: { id }, replace: true });
  };
  const error = book.error ?? keep.error;
  const isEmpty = plan.creatives.length === 0;
  const isForPerson = isRestricted(categories, plan.category) || isPolitical(plan);
  const afterwards = isForPerson ? 'booking.afterwardsRestricted' : 'booking.afterwards';
  return (
    <PlanForm
      plan={plan}
      change={fields => setPlan(before => ({ ...before, ...fields }))}
      error={error}
      onSubmit={() => book.mutate(plan, { onSuccess })}
    >
      {warning}
      <ForecastCard plan={plan} />
      <BookingFault error={error} />
      <Button kind="primary" type="submit" isBusy={book.isPending} disabled={isEmpty || keep.isPending}>
        {t('booking.submit')}
      </Button>
      <p className="hint">{t(isEmpty ? 'booking.needsCreative' : afterwards)}</p>
      <Button
        onClick={() => keep.mutate(plan, { onSuccess })}
        isBusy={keep.isPending}
        disabled={plan.name.trim() === '' || book.isPending}
      >
        {t('booking.keep')}
      </Button>
      {plan.name.trim() === '' && <p className="hint">{t('booking.keepHint')}</p>}
    </PlanForm>
  );
}

function daysFromNow(now: number) {
  return { starts: dateAfter(now, 0), ends: dateAfter(now, DAYS) };
}
