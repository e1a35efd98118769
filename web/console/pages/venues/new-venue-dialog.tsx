/** A new place: where it is, what it is, and how many people see a screen there. */
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange, useRead } from '../../api/api.ts';
import { viewerZone } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';

type NewVenue = {
  name: string;
  type: string;
  city: string;
  timezone: string;
  lat: number;
  lng: number;
  daily_visitors: number;
  dwell_minutes: number;
};

export function NewVenueDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const navigate = useNavigate();
  const make = useChange((api, body: NewVenue) => api.post('/v1/venues', { body }));
  const errors = fieldErrors(make.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    make.mutate(venueOf(new FormData(event.currentTarget)), {
      onSuccess: ({ id }) => void navigate({ to: '/venues/$id', params: { id } }),
    });
  };
  return (
    <Dialog title={t('venues.make')} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Place errors={errors} isOpen={isOpen} />
        <Figures errors={errors} />
        {make.error && Object.keys(errors).length === 0 && (
          <p className="field-error" role="alert">
            {messageOf(make.error)}
          </p>
        )}
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={make.isPending}>
            {t('venues.make')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

type Errors = Readonly<Record<string, string>>;

function Place({ errors, isOpen }: { errors: Errors; isOpen: boolean }): ReactElement {
  const types = useRead(['venue types'], (api, signal) => api.get('/v1/venue-types', { signal }), { isWanted: isOpen });
  return (
    <>
      <Field label={t('venues.name')} name="name" maxLength={200} error={errors['name']} required />
      <SelectField label={t('venues.type')} name="type" error={errors['type']} required>
        <option value="">{t('booking.choose')}</option>
        {types.data?.data.map(({ name }) => (
          <option key={name} value={name}>
            {term('venueType', name)}
          </option>
        ))}
      </SelectField>
      <div className="fields">
        <Field label={t('venues.city')} name="city" maxLength={200} error={errors['city']} required />
        <SelectField
          label={t('venues.zone')}
          name="timezone"
          defaultValue={viewerZone()}
          error={errors['timezone']}
          required
        >
          {zones().map(zone => (
            <option key={zone}>{zone}</option>
          ))}
        </SelectField>
      </div>
      <div className="fields">
        <Field
          label={t('venues.lat')}
          name="lat"
          type="number"
          min={-90}
          max={90}
          step="any"
          hint={t('venues.latHint')}
          error={errors['lat']}
          required
        />
        <Field
          label={t('venues.lng')}
          name="lng"
          type="number"
          min={-180}
          max={180}
          step="any"
          error={errors['lng']}
          required
        />
      </div>
    </>
  );
}

function Figures({ errors }: { errors: Errors }): ReactElement {
  return (
    <div className="fields">
      <Field
        label={t('venues.visitors')}
        name="daily_visitors"
        type="number"
        min={0}
        max={10_000_000}
        step={1}
        hint={t('venues.visitorsHint')}
        error={errors['daily_visitors']}
        required
      />
      <Field
        label={t('venues.dwell')}
        name="dwell_minutes"
        type="number"
        min="0.5"
        max={1_440}
        step="0.5"
        error={errors['dwell_minutes']}
        required
      />
    </div>
  );
}

/** All zones that the browser knows, with the viewer's own, which may be written in an older way. */
function zones(): string[] {
  return [...new Set([viewerZone(), ...Intl.supportedValuesOf('timeZone')])].sort((a, b) => a.localeCompare(b));
}

function venueOf(fields: FormData): NewVenue {
  const text = (name: string) => String(fields.get(name)).trim();
  const figure = (name: string) => Number(fields.get(name));
  return {
    name: text('name'),
    type: text('type'),
    city: text('city'),
    timezone: text('timezone'),
    lat: figure('lat'),
    lng: figure('lng'),
    daily_visitors: figure('daily_visitors'),
    dwell_minutes: figure('dwell_minutes'),
  };
}
