/** A new place: where it is, what it is, and how many people see a screen there. */
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, useChange } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FigureFields, PlaceFields, placeOf, type NewPlace } from './place-fields.tsx';
import { Fault } from '../../ui/states.tsx';

type NewVenue = NewPlace & { name: string };

export function NewVenueDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const navigate = useNavigate();
  const make = useChange((api, body: NewVenue) => api.post('/v1/venues', { body }));
  const errors = fieldErrors(make.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    make.mutate(
      { name: String(fields.get('name')).trim(), ...placeOf(fields) },
      { onSuccess: ({ id }) => void navigate({ to: '/venues/$id', params: { id } }) },
    );
  };
  return (
    <Dialog title={t('venues.make')} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={t('venues.name')} name="name" maxLength={200} error={errors['name']} required />
        <PlaceFields errors={errors} />
        <FigureFields errors={errors} />
        {Object.keys(errors).length === 0 && <Fault error={make.error} />}
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={make.isPending}>
            {t('venues.make')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
