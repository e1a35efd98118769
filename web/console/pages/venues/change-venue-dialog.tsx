/** Changes the name of a place, where it is, and the figures by which its plays are priced. */
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FigureFields, PlaceFields, placeOf, type NewPlace } from './place-fields.tsx';
import { Fault } from '../../ui/states.tsx';

type NamedPlace = NewPlace & { name: string };

export function ChangeVenue({ id, venue }: { id: string; venue: NamedPlace }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('venues.change')}</Button>
      <Dialog title={t('venues.changeTitle')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ChangeForm id={id} venue={venue} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type FormProps = { id: string; venue: NamedPlace; onDone: () => void };

function ChangeForm({ id, venue, onDone }: FormProps): ReactElement {
  const save = useSave((api, body: Partial<NamedPlace>) => api.patch('/v1/venues/{id}', { path: { id }, body }));
  const errors = fieldErrors(save.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const next: NamedPlace = { name: String(fields.get('name')).trim(), ...placeOf(fields) };
    const changed = Object.fromEntries(
      Object.entries(next).filter(([field, value]) => value !== venue[field as keyof NamedPlace]),
    );
    if (Object.keys(changed).length === 0) return onDone();
    save.mutate(changed, { onSuccess: onDone });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label={t('venues.name')}
        name="name"
        maxLength={200}
        defaultValue={venue.name}
        error={errors['name']}
        required
      />
      <PlaceFields errors={errors} place={venue} />
      <FigureFields errors={errors} place={venue} />
      {Object.keys(errors).length === 0 && <Fault error={save.error} />}
      <footer className="dialog-foot">
        <Button kind="primary" type="submit" isBusy={save.isPending}>
          {t('venues.saveChange')}
        </Button>
      </footer>
    </form>
  );
}
