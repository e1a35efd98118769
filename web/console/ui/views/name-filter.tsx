/** Filters a list by a name, or by the field in `label`; `children` are more filters. */
import type { ReactElement, ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Field } from '../field.tsx';

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
