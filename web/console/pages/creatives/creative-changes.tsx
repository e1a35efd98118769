/** Edits the fields of a creative, or deletes it. */
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { t } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { Button, MoreMenu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import type { CreativeRecord } from './creative-preview.tsx';
import { ReplaceButton } from './replace-dialog.tsx';

export function CreativeChanges({ creative, onGone }: { creative: CreativeRecord; onGone: () => void }): ReactElement {
  const { id } = creative;
  const mayReplace = useMayWrite('campaigns');
  const [name, setName] = useState(creative.name);
  const [synthetic, setSynthetic] = useState(creative.synthetic);
  const change = useSave(api => api.patch('/v1/creatives/{id}', { path: { id }, body: { name, synthetic } }));
  const remove = useChange(api => api.delete('/v1/creatives/{id}', { path: { id } }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label={t('creatives.name')}
        value={name}
        onChange={event => setName(event.target.value)}
        maxLength={200}
        error={change.error ? (fieldErrors(change.error)['name'] ?? messageOf(change.error)) : undefined}
        required
      />
      <label className="check">
        <input type="checkbox" checked={synthetic} onChange={event => setSynthetic(event.target.checked)} />
        {t('creatives.synthetic')}
      </label>
      <p className="muted small">{t('creatives.syntheticHint')}</p>
      <footer className="dialog-foot">
        <MoreMenu>
          <Confirm
            label={t('creatives.remove')}
            title={t('creatives.removeTitle', { name: creative.name })}
            hint={t('creatives.removeHint')}
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate(undefined, { onSuccess: onGone })}
          />
        </MoreMenu>
        {mayReplace && <ReplaceButton creative={creative} />}
        <Button
          type="submit"
          isBusy={change.isPending}
          disabled={name === creative.name && synthetic === creative.synthetic}
        >
          {t('creatives.save')}
        </Button>
      </footer>
    </form>
  );
}
