/** Which entries of the audit log are shown and exported: by their record, by days, and by where they came from. */
import type { FormEvent, ReactElement } from 'react';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';

const SOURCES = ['API', 'CLI', 'SYSTEM', 'DEVICE'] as const;

export type AuditFilter = { entity_id?: string; from?: string; to?: string; source?: (typeof SOURCES)[number] };

export function AuditFilters({ onChange }: { onChange: (filter: AuditFilter) => void }): ReactElement {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name)).trim();
    const source = SOURCES.find(one => one === text('source'));
    onChange({
      ...(text('entity_id') !== '' && { entity_id: text('entity_id') }),
      ...(text('from') !== '' && { from: new Date(`${text('from')}T00:00:00`).toISOString() }),
      ...(text('to') !== '' && { to: new Date(`${text('to')}T23:59:59.999`).toISOString() }),
      ...(source !== undefined && { source }),
    });
  };
  return (
    <form className="filters" onSubmit={submit}>
      <Field label={t('audit.record')} name="entity_id" placeholder="cmp_…" />
      <Field label={t('audit.from')} name="from" type="date" />
      <Field label={t('audit.to')} name="to" type="date" />
      <SelectField label={t('audit.source')} name="source">
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
