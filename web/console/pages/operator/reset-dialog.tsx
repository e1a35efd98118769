/** Removing the password or the second factor of a person: what follows is said before. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { messageOf, useChange } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Tabs } from '../../ui/tabs.tsx';

type Part = 'factor' | 'password';
export type ResetDialogOptions = { person: RecordOf<'/v1/operator/people'>; onClose: () => void };

export function ResetDialog({ person, onClose }: ResetDialogOptions): ReactElement {
  const { id, email, has_second_factor: hasFactor } = person;
  const parts: readonly Part[] = hasFactor ? ['factor', 'password'] : ['password'];
  const [part, setPart] = useState(parts[0]!);
  const reset = useChange(api =>
    part === 'factor'
      ? api.post('/v1/operator/people/{id}/remove-second-factor', { path: { id } })
      : api.post('/v1/operator/people/{id}/remove-sign-in', { path: { id } }),
  );
  const onSuccess = () => {
    showToast({ text: t(part === 'factor' ? 'signIns.factorRemoved' : 'signIns.removed', { email }) });
    onClose();
  };
  const tabs = parts.map(value => ({ value, text: term('signInPart', value) }));
  return (
    <Dialog title={t('signIns.resetOf', { email })} isOpen onClose={onClose}>
      <div className="stack">
        {hasFactor && <Tabs label={t('signIns.part')} tabs={tabs} chosen={part} onChoose={setPart} />}
        <p>{t(part === 'factor' ? 'signIns.removeFactorHint' : 'signIns.removeHint')}</p>
        {reset.error && (
          <p className="field-error" role="alert">
            {messageOf(reset.error)}
          </p>
        )}
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind="danger" isBusy={reset.isPending} onClick={() => reset.mutate(undefined, { onSuccess })}>
            {t(part === 'factor' ? 'signIns.removeFactor' : 'signIns.remove')}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
