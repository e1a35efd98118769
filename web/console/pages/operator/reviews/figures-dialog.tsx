/** Approving the figures of a venue, with the most people before one screen, or rejecting them with a reason. */
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../../api/api.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Field, SelectField } from '../../../ui/field.tsx';

export type FiguresDecision = 'approve' | 'reject';
/** `requestedAt`: the request that was on the page when the dialog was opened. */
export type FiguresDialogOptions = {
  id: string;
  name: string;
  requestedAt: string | undefined;
  decision: FiguresDecision;
  onClose: () => void;
};

const REASONS = ['implausible', 'unproven', 'wrong_type', 'wrong_place', 'duplicate'] as const;

export function FiguresDialog({ id, name, requestedAt, decision, onClose }: FiguresDialogOptions): ReactElement {
  const asked = requestedAt === undefined ? {} : { requested_at: requestedAt };
  const isApproving = decision === 'approve';
  const decide = useChange((api, form: FormData) => {
    const audience = String(form.get('audience'));
    return isApproving
      ? api.post('/v1/operator/venue-reviews/{id}/approve', {
          path: { id },
          body: audience === '' ? asked : { ...asked, audience_max: Number(audience) },
        })
      : api.post('/v1/operator/venue-reviews/{id}/reject', {
          path: { id },
          body: { ...asked, reason: REASONS.find(one => one === form.get('reason')) ?? 'implausible' },
        });
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    decide.mutate(new FormData(event.currentTarget), {
      onSuccess: () => {
        showToast({ text: t(isApproving ? 'figures.approved' : 'figures.rejected', { name }) });
        onClose();
      },
    });
  };
  const fault = decide.error ? (fieldErrors(decide.error)['audience_max'] ?? messageOf(decide.error)) : undefined;
  return (
    <Dialog title={t(isApproving ? 'reviews.approveOf' : 'reviews.rejectOf', { name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {isApproving ? (
          <Field
            label={t('figures.audience')}
            name="audience"
            type="number"
            min={1}
            max={100_000}
            step={1}
            hint={t('figures.audienceHint')}
            error={fault}
          />
        ) : (
          <SelectField label={t('reviews.reason')} name="reason" hint={t('figures.reasonHint')} error={fault}>
            {REASONS.map(reason => (
              <option key={reason} value={reason}>
                {t(`figureRejection.${reason}`)}
              </option>
            ))}
          </SelectField>
        )}
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind={isApproving ? 'primary' : 'danger'} type="submit" isBusy={decide.isPending}>
            {t(isApproving ? 'reviews.approve' : 'reviews.reject')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
