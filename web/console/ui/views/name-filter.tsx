/** Filters a list by a name, or by the field in `label`, and by a status; `children` are more filters. */
import type { ReactElement, ReactNode } from 'react';
import { t, term } from '../../text/text.ts';
import { Field, SelectField } from '../field.tsx';

/** No name of anything has more, and the API takes no more. */
const LENGTH_MAX = 200;

export type NameFilterOptions = { text: string; onText: (text: string) => void; label?: string; children?: ReactNode };

export function NameFilter({ text, onText, label = t('filter.name'), children }: NameFilterOptions): ReactElement {
  return (
    <div className="filters">
      <Field
        label={label}
        type="search"
        value={text}
        onChange={event => onText(event.target.value)}
        maxLength={LENGTH_MAX}
      />
      {children}
    </div>
  );
}

export type StatusFilterOptions<Status extends string> = {
  statuses: readonly Status[];
  /** Empty: all. */
  chosen: Status | '';
  onChoose: (status: Status | '') => void;
};

export function StatusFilter<Status extends string>(options: StatusFilterOptions<Status>): ReactElement {
  const { statuses, chosen, onChoose } = options;
  return (
    <SelectField
      label={t('filter.status')}
      value={chosen}
      onChange={event => onChoose(event.target.value as Status | '')}
    >
      <option value="">{t('filter.all')}</option>
      {statuses.map(status => (
        <option key={status} value={status}>
          {term('status', status)}
        </option>
      ))}
    </SelectField>
  );
}
