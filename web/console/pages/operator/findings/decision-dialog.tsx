/** Clearing or upholding a finding: its consequences, and a note for colleagues. */
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../../api/api.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Field } from '../../../ui/field.tsx';

export type Decision = 'clear' | 'uphold';
export type DecisionDialogOptions = { id: string; decision: Decision; onClose: () => void };

const NOTE_LENGTH_MAX = 2_000;

export function DecisionDialog({ id, decision, onClose }: DecisionDialogOptions): ReactElement {
  const isClearing = decision === 'clear';
  const decide = useChange((api, body: { note?: string }) =>
    isClearing
      ? api.post('/v1/operator/findings/{id}/clear', { path: { id }, body })
      : api.post('/v1/operator/findings/{id}/uphold', { path: { id }, body }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note')).trim();
    decide.mutate(note === '' ? {} : { note }, {
      onSuccess: () => {
        showToast({ text: t(isClearing ? 'findings.cleared' : 'findings.upheld') });
        onClose();
      },
    });
  };
  const label = t(isClearing ? 'findings.clear' : 'findings.uphold');
  return (
    <Dialog title={t(isClearing ? 'findings.clearTitle' : 'findings.upholdTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t(isClearing ? 'findings.clearHint' : 'findings.upholdHint')}</p>
        <Field
          label={t('findings.note')}
          name="note"
          maxLength={NOTE_LENGTH_MAX}
          hint={t('findings.noteHint')}
          error={decide.error ? (fieldErrors(decide.error)['note'] ?? messageOf(decide.error)) : undefined}
        />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind={isClearing ? 'primary' : 'danger'} type="submit" isBusy={decide.isPending}>
            {label}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
