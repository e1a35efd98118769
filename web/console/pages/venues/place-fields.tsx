/** The fields of a place, for a venue and for the simulated screens of a sandbox. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { viewerZone } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Field, SelectField } from '../../ui/field.tsx';

export type NewPlace = {
  type: string;
  city: string;
  timezone: string;
  lat: number;
  lng: number;
  daily_visitors: number;
  dwell_minutes: number;
};

type FieldErrors = Readonly<Record<string, string>>;

type PlaceFieldsProps = { errors: FieldErrors; /** What they begin with; absent: a new place. */ place?: NewPlace };

export function PlaceFields({ errors, place }: PlaceFieldsProps): ReactElement {
  const types = useRead(['venue types'], (api, signal) => api.get('/v1/venue-types', { signal }));
  return (
    <>
      <SelectField
        key={types.isSuccess ? 'read' : 'pending'} // its first value needs its option
        label={t('venues.type')}
        name="type"
        defaultValue={place?.type}
        error={errors['type']}
        required
      >
        <option value="">{t('booking.choose')}</option>
        {types.data?.data.map(({ name }) => (
          <option key={name} value={name}>
            {term('venueType', name)}
          </option>
        ))}
      </SelectField>
      <div className="fields">
        <Field
          label={t('venues.city')}
          name="city"
          maxLength={200}
          defaultValue={place?.city}
          error={errors['city']}
          required
        />
        <SelectField
          label={t('venues.zone')}
          name="timezone"
          defaultValue={place?.timezone ?? viewerZone()}
          error={errors['timezone']}
          required
        >
          {zones(place?.timezone).map(zone => (
            <option key={zone}>{zone}</option>
          ))}
        </SelectField>
      </div>
      <div className="fields">
        <Field
          label={t('venues.lat')}
          name="lat"
          defaultValue={place?.lat}
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
          defaultValue={place?.lng}
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

export function FigureFields({ errors, place }: PlaceFieldsProps): ReactElement {
  return (
    <div className="fields">
      <Field
        label={t('venues.visitors')}
        name="daily_visitors"
        defaultValue={place?.daily_visitors}
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
        defaultValue={place?.dwell_minutes}
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

/** All zones that the browser knows, with the place's and the viewer's own, which may be written in an older way. */
function zones(own = viewerZone()): string[] {
  return [...new Set([own, viewerZone(), ...Intl.supportedValuesOf('timeZone')])].sort((a, b) => a.localeCompare(b));
}

export function placeOf(fields: FormData): NewPlace {
  const text = (name: string) => String(fields.get(name)).trim();
  const figure = (name: string) => Number(fields.get(name));
  return {
    type: text('type'),
    city: text('city'),
    timezone: text('timezone'),
    lat: figure('lat'),
    lng: figure('lng'),
    daily_visitors: figure('daily_visitors'),
    dwell_minutes: figure('dwell_minutes'),
  };
}
