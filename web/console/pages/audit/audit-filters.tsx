/** Which entries of the audit log are shown and exported: by their record, by days, and by where they came from. */
import type { ReactElement } from 'react';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { isDay, isOneOf, isText } from '../../ui/views/filter-formats.ts';
import { useFilterForm } from '../../ui/views/filter-form.ts';

const SOURCES = ['API', 'CLI', 'SYSTEM', 'DEVICE'] as const;
const FORMATS = { entity_id: isText, from: isDay, to: isDay, source: isOneOf(SOURCES) };

export type AuditFilter = { entity_id?: string; from?: string; to?: string; source?: (typeof SOURCES)[number] };

type AuditForm = Omit<ReturnType<typeof useFilterForm<keyof typeof FORMATS>>, 'applied'>;

/** The filter for the API, and what its form needs. Days begin and end where the person is. */
export function useAuditFilter(): AuditForm & { filter: AuditFilter } {
  const { applied, ...form } = useFilterForm(FORMATS);
  const { entity_id: id, from, to } = applied;
  const source = SOURCES.find(one => one === applied.source);
  const filter = {
    ...(id !== undefined && { entity_id: id }),
    ...(from !== undefined && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to !== undefined && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
    ...(source !== undefined && { source }),
  };
  return { filter, ...form };
}

export function AuditFilters({ fieldOf, onSubmit }: AuditForm): ReactElement {
  return (
    <form className="filters" onSubmit={onSubmit}>
      <Field label={t('audit.record')} placeholder="cmp_…" {...fieldOf('entity_id')} />
      <Field label={t('filter.from')} type="date" {...fieldOf('from')} />
      <Field label={t('filter.to')} type="date" {...fieldOf('to')} />
      <SelectField label={t('audit.source')} {...fieldOf('source')}>
        <option value="">{t('filter.all')}</option>
        {SOURCES.map(source => (
          <option key={source} value={source}>
            {term('source', source)}
          </option>
        ))}
      </SelectField>
      <Button type="submit">{t('audit.filter')}</Button>
    </form>
  );
}
