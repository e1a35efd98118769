/** A way back in for a person: a link to a new password; or the password or the second factor is removed. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { useChange } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Fault } from '../../ui/states.tsx';

type Part = 'link' | 'factor' | 'password';
type Person = RecordOf<'/v1/operator/people'>;
export type ResetDialogOptions = { person: Person; onClose: () => void };

export function ResetDialog({ person, onClose }: ResetDialogOptions): ReactElement {
  const { email, has_second_factor: hasFactor } = person;
  const parts: readonly Part[] = hasFactor ? ['link', 'factor', 'password'] : ['link', 'password'];
  const [part, setPart] = useState<Part>('link');
  const tabs = parts.map(value => ({ value, text: term('signInPart', value) }));
  return (
    <Dialog title={t('signIns.resetOf', { email })} isOpen onClose={onClose}>
      <div className="stack">
        <Tabs label={t('signIns.part')} tabs={tabs} chosen={part} onChoose={setPart} />
        {part === 'link' ? (
          <LinkPart person={person} onClose={onClose} />
        ) : (
          <RemovePart key={part} part={part} person={person} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

function LinkPart({ person: { id, email }, onClose }: ResetDialogOptions): ReactElement {
  const make = useChange(api => api.post('/v1/operator/people/{id}/reset-link', { path: { id } }));
  if (make.data)
    return (
      <ShownOnce lead={t('signIns.linkOnce', { email })} secret={make.data.url} copyText={t('signIns.copyLink')} />
    );
  return (
    <>
      <p>{t('signIns.linkHint')}</p>
      <Fault error={make.error} />
      <footer className="dialog-foot">
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button kind="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
          {t('signIns.makeLink')}
        </Button>
      </footer>
    </>
  );
}

type RemovePartOptions = ResetDialogOptions & { part: Exclude<Part, 'link'> };

function RemovePart({ person: { id, email }, part, onClose }: RemovePartOptions): ReactElement {
  const reset = useChange(api =>
    part === 'factor'
      ? api.post('/v1/operator/people/{id}/remove-second-factor', { path: { id } })
      : api.post('/v1/operator/people/{id}/remove-sign-in', { path: { id } }),
  );
  const onSuccess = () => {
    showToast({ text: t(part === 'factor' ? 'signIns.factorRemoved' : 'signIns.removed', { email }) });
    onClose();
  };
  return (
    <>
      <p>{t(part === 'factor' ? 'signIns.removeFactorHint' : 'signIns.removeHint')}</p>
      <Fault error={reset.error} />
      <footer className="dialog-foot">
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button kind="danger" isBusy={reset.isPending} onClick={() => reset.mutate(undefined, { onSuccess })}>
          {t(part === 'factor' ? 'signIns.removeFactor' : 'signIns.remove')}
        </Button>
      </footer>
    </>
  );
}
