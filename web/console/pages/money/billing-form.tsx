/** The billing details of an agency or of its client. Country and VAT id decide the VAT. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { faultsBelow } from '../../api/api.ts';
import { countryName } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Field, TextArea } from '../../ui/field.tsx';
import { useSave } from '../../ui/feedback/save.ts';
import { SavedForm } from '../../ui/feedback/saved-form.tsx';
import { Card } from '../../ui/page.tsx';

type Details = NonNullable<AnswerOf<OperationOf<'/v1/agency/clients/{id}', 'get'>>['billing_details']>;

const OPTIONAL = ['postal_code', 'city', 'country', 'vat_id', 'tax_id'] as const;
type Typed = Record<(typeof OPTIONAL)[number] | 'legal_name' | 'address', string>;
const LENGTHS = { postal_code: 20, city: 70, country: 2, vat_id: 20, tax_id: 40 } as const;

export type BillingFormOptions = { id: string; details: Details | null; mayWrite: boolean };

export function BillingForm({ id, details, mayWrite }: BillingFormOptions): ReactElement {
  const before = typedOf(details);
  const [typed, setTyped] = useState(before);
  const save = useSave(api =>
    api.patch('/v1/agency/clients/{id}', { path: { id }, body: { billing_details: detailsOf(typed, details) } }),
  );
  const isDirty = JSON.stringify(typed) !== JSON.stringify(before);
  const faults = faultsBelow(save.error, '/billing_details');
  const set = (field: keyof Typed) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [field]: event.target.value });
  const hints: Partial<Typed> = {
    country: countryName(typed.country) ?? t('billingForm.countryHint'),
    vat_id: t('billingForm.vatIdHint'),
  };
  return (
    <Card title={t('billingForm.title')} note={t('billingForm.note')} isWide>
      <SavedForm title={t('billingForm.title')} isDirty={isDirty} mayWrite={mayWrite} save={save} faults={faults}>
        <Field
          label={t('billingForm.legal_name')}
          value={typed.legal_name}
          onChange={set('legal_name')}
          maxLength={140}
          error={faults['legal_name']}
          required
        />
        <TextArea
          label={t('billingForm.address')}
          value={typed.address}
          onChange={set('address')}
          rows={2}
          error={faults['address_lines']}
        />
        <div className="fields">
          {OPTIONAL.map(field => (
            <Field
              key={field}
              label={t(`billingForm.${field}`)}
              value={typed[field]}
              onChange={set(field)}
              maxLength={LENGTHS[field]}
              hint={hints[field]}
              error={faults[field]}
            />
          ))}
        </div>
      </SavedForm>
    </Card>
  );
}

function typedOf(details: Details | null): Typed {
  const { legal_name: name = '', address_lines: lines = [] } = details ?? {};
  const optional = Object.fromEntries(OPTIONAL.map(field => [field, details?.[field] ?? '']));
  return { legal_name: name, address: lines.join('\n'), ...(optional as Pick<Typed, (typeof OPTIONAL)[number]>) };
}

/** Empty fields are not sent; the VAT exemption, which the form does not show, stays. */
function detailsOf(typed: Typed, before: Details | null): Details {
  const given = OPTIONAL.map(field => [field, typed[field].trim()] as const).filter(([, text]) => text !== '');
  const exemption = before?.vat_exemption;
  return {
    legal_name: typed.legal_name.trim(),
    address_lines: typed.address
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
    ...(Object.fromEntries(given) as Pick<Details, (typeof OPTIONAL)[number]>),
    ...(typed.country.trim() !== '' && { country: typed.country.trim().toUpperCase() }),
    ...(exemption !== undefined && { vat_exemption: exemption }),
  };
}
