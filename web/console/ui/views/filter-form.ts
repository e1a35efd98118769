/** Filters that apply once their form is sent. A value of another format is marked, and nothing applies. */
import { useEffect, useState, type ChangeEvent, type FormEvent } from 'react';
import { t } from '../../text/text.ts';
import { isAmount, typedFilters, type Formats } from './filter-formats.ts';
import { useFilters } from './filters.ts';

export function useFilterForm<Name extends string>(formats: Formats<Name>) {
  const [applied, change] = useFilters(formats);
  const [typed, setTyped] = useState(applied);
  const [wrong, setWrong] = useState<readonly Name[]>([]);
  useEffect(() => {
    setTyped(applied);
    setWrong([]);
  }, [applied]);
  /** The properties of a field; it shows `standard` until somebody changes it. */
  const fieldOf = (name: Name, standard = '') => ({
    name,
    value: typed[name] ?? standard,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      setTyped(before => ({ ...before, [name]: target.value })),
    ...(wrong.includes(name) && { error: t(formats[name] === isAmount ? 'filter.badAmount' : 'filter.badValue') }),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const sent = typedFilters(name => String(fields.get(name) ?? ''), formats);
    setWrong(sent.wrong);
    if (sent.wrong.length === 0) change(sent.values);
  };
  return { applied, fieldOf, onSubmit };
}
