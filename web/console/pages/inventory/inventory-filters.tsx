/** Filters and order of places. */
import type { FormEvent, ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { smallestAmount } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';

const ORDERS = ['newest', 'price', '-audience', '-plays_available'] as const;

/** The query of the list, without unused filters. */
export type InventorySearch = {
  city?: string;
  venue_type?: string;
  cpm_max?: string;
  start?: string;
  end?: string;
  sort?: Exclude<(typeof ORDERS)[number], 'newest'>;
};
export type InventoryFiltersOptions = {
  faults: Readonly<Record<string, string>>;
  onSearch: (search: InventorySearch) => void;
};

export function InventoryFilters({ faults, onSearch }: InventoryFiltersOptions): ReactElement {
  const { currency } = useSession().me.workspace;
  const types = useRead(['venue types'], (api, signal) => api.get('/v1/venue-types', { signal }));
  const cities = useRead(['cities'], (api, signal) => api.get('/v1/cities', { signal }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(searchOf(new FormData(event.currentTarget)));
  };
  return (
    <form className="filters" onSubmit={submit}>
      <Field label={t('inventory.city')} name="city" list="inventory-cities" maxLength={200} error={faults['city']} />
      <datalist id="inventory-cities">
        {cities.data?.data.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <SelectField label={t('inventory.type')} name="venue_type">
        <option value="">{t('filter.all')}</option>
        {types.data?.data.map(({ name }) => (
          <option key={name} value={name}>
            {term('venueType', name)}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('inventory.cpmMax', { currency })}
        name="cpm_max"
        type="number"
        min={0}
        step={smallestAmount(currency)}
      />
      <Field label={t('inventory.start')} name="start" type="date" error={faults['start']} />
      <Field label={t('inventory.end')} name="end" type="date" error={faults['end']} />
      <SelectField label={t('inventory.sort')} name="sort">
        {ORDERS.map(order => (
          <option key={order} value={order}>
            {t(`inventory.sort.${order}`)}
          </option>
        ))}
      </SelectField>
      <Button type="submit">{t('inventory.apply')}</Button>
    </form>
  );
}

function searchOf(fields: FormData): InventorySearch {
  const given = (['city', 'venue_type', 'cpm_max', 'start', 'end'] as const).flatMap(name => {
    const text = String(fields.get(name) ?? '').trim();
    return text === '' ? [] : [[name, text]];
  });
  const sort = ORDERS.find(order => order === fields.get('sort'));
  return { ...Object.fromEntries(given), ...(sort !== undefined && sort !== 'newest' && { sort }) };
}
