/** Rejecting a campaign: a reason from the list, and an optional text for the owner. */
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../../api/api.ts';
import { t, type TextKey } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, SelectField } from '../../../ui/field.tsx';

/** Reasons for a person's decision; the rules find the others. */
const REASONS = ['restricted_category', 'misleading', 'content', 'policy'] as const;
const TEXTS: Record<(typeof REASONS)[number], TextKey> = {
  restricted_category: 'rejection.restricted_category',
  misleading: 'rejection.misleading',
  content: 'rejection.content',
  policy: 'rejection.policy',
};

export type RejectDialogOptions = { id: string; name: string; isOpen: boolean; onClose: () => void };

type Rejection = { reason: (typeof REASONS)[number]; detail?: string };

export function RejectDialog({ id, name, isOpen, onClose }: RejectDialogOptions): ReactElement {
  const reject = useChange((api, body: Rejection) =>
    api.post('/v1/operator/reviews/{id}/reject', { path: { id }, body }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const reason = REASONS.find(one => one === fields.get('reason')) ?? 'policy';
    const detail = String(fields.get('detail')).trim();
    reject.mutate({ reason, ...(detail !== '' && { detail }) }, { onSuccess: onClose });
  };
  return (
    <Dialog title={t('reviews.rejectOf', { name })} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <SelectField label={t('reviews.reason')} name="reason">
          {REASONS.map(reason => (
            <option key={reason} value={reason}>
              {t(TEXTS[reason])}
            </option>
          ))}
        </SelectField>
        <Field
          label={t('reviews.detail')}
          name="detail"
          maxLength={200}
          hint={t('reviews.detailHint')}
          error={reject.error ? (fieldErrors(reject.error)['detail'] ?? messageOf(reject.error)) : undefined}
        />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind="danger" type="submit" isBusy={reject.isPending}>
            {t('reviews.reject')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
