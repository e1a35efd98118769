/** Simulated screens in a new place of the sandbox. */
import type { FormEvent, ReactElement } from 'react';
import { faultsBelow, useChange } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { FigureFields, PlaceFields, placeOf, type NewPlace } from '../venues/place-fields.tsx';
import { Fault } from '../../ui/states.tsx';

/** As the API: a sandbox has no more. */
export const SIMULATED_MAX = 20;

type NewScreens = { count: number; orientation: 'landscape' | 'portrait'; venue: NewPlace };

export function AddScreensDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const add = useChange((api, body: NewScreens) => api.post('/v1/sandbox/screens', { body }));
  const errors = faultsBelow(add.error, '/venue');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const orientation = fields.get('orientation') === 'portrait' ? 'portrait' : 'landscape';
    add.mutate({ count: Number(fields.get('count')), orientation, venue: placeOf(fields) }, { onSuccess: onClose });
  };
  return (
    <Dialog title={t('sandbox.add')} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <div className="fields">
          <Field
            label={t('sandbox.count')}
            name="count"
            type="number"
            min={1}
            max={SIMULATED_MAX}
            defaultValue={1}
            required
          />
          <SelectField label={t('upload.orientation')} name="orientation">
            <option value="landscape">{term('orientation', 'landscape')}</option>
            <option value="portrait">{term('orientation', 'portrait')}</option>
          </SelectField>
        </div>
        <PlaceFields errors={errors} />
        <FigureFields errors={errors} />
        {Object.keys(errors).length === 0 && <Fault error={add.error} />}
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={add.isPending}>
            {t('sandbox.add')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
