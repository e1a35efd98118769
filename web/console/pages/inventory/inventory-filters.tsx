/** Filters and order of places. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { smallestAmount } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { isAmount, isDay, isOneOf, isText } from '../../ui/views/filter-formats.ts';
import { useFilterForm } from '../../ui/views/filter-form.ts';

const SORTS = ['price', '-audience', '-plays_available'] as const;

/** The query of the list without unused filters, once it is known, and what their form needs. */
export function useInventorySearch() {
  const known = useRead(['venue types'], (api, signal) => api.get('/v1/venue-types', { signal }));
  const types = known.data?.data.map(({ name }) => name) ?? [];
  const { applied, ...form } = useFilterForm({
    city: isText,
    venue_type: isOneOf(types),
    cpm_max: isAmount,
    start: isDay,
    end: isDay,
    sort: isOneOf(SORTS),
  });
  const { sort: sorted, ...filters } = applied;
  const sort = SORTS.find(one => one === sorted);
  const search = known.isPending ? undefined : { ...filters, ...(sort && { sort }) };
  return { search, types, ...form };
}

type InventoryFiltersOptions = Omit<ReturnType<typeof useInventorySearch>, 'search'> & {
  faults: Readonly<Record<string, string>>;
};

export function InventoryFilters({ faults, types, fieldOf, onSubmit }: InventoryFiltersOptions): ReactElement {
  const { currency } = useSession().me.workspace;
  const cities = useRead(['cities'], (api, signal) => api.get('/v1/cities', { signal }));
  return (
    <form className="filters" onSubmit={onSubmit}>
      <Field
        label={t('inventory.city')}
        list="inventory-cities"
        maxLength={200}
        error={faults['city']}
        {...fieldOf('city')}
      />
      <datalist id="inventory-cities">
        {cities.data?.data.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <SelectField label={t('inventory.type')} {...fieldOf('venue_type')}>
        <option value="">{t('filter.all')}</option>
        {types.map(name => (
          <option key={name} value={name}>
            {term('venueType', name)}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('inventory.cpmMax', { currency })}
        type="number"
        min={0}
        step={smallestAmount(currency)}
        {...fieldOf('cpm_max')}
      />
      <Field label={t('filter.from')} type="date" error={faults['start']} {...fieldOf('start')} />
      <Field label={t('filter.to')} type="date" error={faults['end']} {...fieldOf('end')} />
      <SelectField label={t('filter.sort')} {...fieldOf('sort')}>
        <option value="">{t('inventory.sort.newest')}</option>
        {SORTS.map(order => (
          <option key={order} value={order}>
            {t(`inventory.sort.${order}`)}
          </option>
        ))}
      </SelectField>
      <Button type="submit">{t('inventory.apply')}</Button>
    </form>
  );
}
