/** The choice of a currency, by code and name. */
import { useMemo, type ReactElement } from 'react';
import { CURRENCIES } from '#domain/money/money.ts';
import { currencyName } from '../text/format.ts';
import { t } from '../text/text.ts';
import { SelectField, type SelectFieldOptions } from './field.tsx';

/** Listed first, since most installations need no other. */
const USUAL = ['EUR', 'USD', 'GBP', 'CHF'];

export type CurrencyFieldOptions = Pick<SelectFieldOptions, 'hint' | 'error'> & { chosen?: string };

/** @param options.chosen the currency until another is chosen; it comes first */
export function CurrencyField({ chosen, ...described }: CurrencyFieldOptions): ReactElement {
  const codes = useMemo(() => [...new Set([...(chosen ? [chosen] : []), ...USUAL, ...CURRENCIES])], [chosen]);
  return (
    <SelectField {...described} label={t('field.currency')} name="currency" defaultValue={codes[0]}>
      {codes.map(code => (
        <option key={code} value={code}>
          {code} – {currencyName(code)}
        </option>
      ))}
    </SelectField>
  );
}
