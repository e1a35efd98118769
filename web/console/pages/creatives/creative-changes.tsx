/** Renames a creative, or deletes it. */
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import type { CreativeRecord } from './creative-preview.tsx';

export function CreativeChanges({ creative, onGone }: { creative: CreativeRecord; onGone: () => void }): ReactElement {
  const { id } = creative;
  const [name, setName] = useState(creative.name);
  const rename = useChange(api => api.patch('/v1/creatives/{id}', { path: { id }, body: { name } }));
  const remove = useChange(api => api.delete('/v1/creatives/{id}', { path: { id } }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label={t('creatives.name')}
        value={name}
        onChange={event => setName(event.target.value)}
        maxLength={200}
        error={rename.error ? (fieldErrors(rename.error)['name'] ?? messageOf(rename.error)) : undefined}
        required
      />
      <footer className="dialog-foot">
        <Confirm
          label={t('creatives.remove')}
          title={t('creatives.removeTitle', { name: creative.name })}
          hint={t('creatives.removeHint')}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: onGone })}
        />
        <Button type="submit" isBusy={rename.isPending} disabled={name === creative.name}>
          {t('creatives.rename')}
        </Button>
      </footer>
    </form>
  );
}
