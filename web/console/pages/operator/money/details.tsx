/** Who runs the installation, as invoices and files for the bank name it, and its terms. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { fieldErrors, useRead } from '../../../api/api.ts';
import { useMayWrite } from '../../../api/session.ts';
import { countryName } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { useSave } from '../../../ui/feedback/save.ts';
import { SavedForm } from '../../../ui/feedback/saved-form.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Answered } from '../../../ui/states.tsx';

type Stored = AnswerOf<OperationOf<'/v1/operator/details', 'get'>>;

/** The most characters of each, as the API takes them. */
const LENGTHS = {
  postal_code: 20,
  city: 70,
  country: 2,
  vat_id: 20,
  tax_id: 40,
  vat_exemption: 200,
  iban: 60,
  bic: 60,
} as const;
type Removable = keyof typeof LENGTHS;
const REMOVABLE = Object.keys(LENGTHS) as Removable[]; // the keys of the constant
type Typed = Record<Removable | 'name' | 'address_lines', string>;

export function Details(): ReactElement {
  const details = useRead(['operator-details'], (api, signal) => api.get('/v1/operator/details', { signal }));
  return (
    <Page title={t('nav.details')} lead={t('details.lead')}>
      <Answered of={details} lines={6}>
        {stored => (
          <>
            <DetailsForm stored={stored} />
            <TermsForm stored={stored} />
          </>
        )}
      </Answered>
    </Page>
  );
}

function DetailsForm({ stored }: { stored: Stored }): ReactElement {
  const mayWrite = useMayWrite('payments');
  const before = typedOf(stored);
  const [typed, setTyped] = useState(before);
  const save = useSave(async api =>
    setTyped(typedOf(await api.patch('/v1/operator/details', { body: changesOf(typed, before) }))),
  );
  const isDirty = JSON.stringify(typed) !== JSON.stringify(before);
  const faults = fieldErrors(save.error);
  const set = (field: keyof Typed) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [field]: event.target.value });
  const hints = hintsOf(typed);
  return (
    <Card title={t('details.title')} note={t('billingForm.note')} isWide>
      <MissingForVat fields={stored.missing_for_vat} />
      <SavedForm title={t('details.title')} isDirty={isDirty} mayWrite={mayWrite} save={save} faults={faults}>
        <Field
          label={t('details.name')}
          value={typed.name}
          onChange={set('name')}
          maxLength={140}
          error={faults['name']}
          required
        />
        <TextArea
          label={t('billingForm.address')}
          value={typed.address_lines}
          onChange={set('address_lines')}
          rows={2}
          error={faults['address_lines']}
        />
        <div className="fields is-roomy">
          {REMOVABLE.map(field => (
            <Field
              key={field}
              label={t(`details.${field}`)}
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

function MissingForVat({ fields }: { fields: readonly string[] }): ReactElement | null {
  if (fields.length === 0) return null;
  const names = fields.map(field => term('details', field)).join(', ');
  return <p className="notice is-wait">{t('details.missing', { fields: names })}</p>;
}

function hintsOf({ country }: Typed): Partial<Typed> {
  return {
    country: countryName(country) ?? t('billingForm.countryHint'),
    vat_id: t('billingForm.vatIdHint'),
    vat_exemption: t('details.exemptionHint'),
    iban: t('details.ibanHint'),
  };
}

function typedOf(stored: Stored): Typed {
  const removable = Object.fromEntries(REMOVABLE.map(field => [field, stored[field] ?? '']));
  return {
    ...(removable as Record<Removable, string>), // made of each of its keys
    name: stored.name,
    address_lines: stored.address_lines.join('\n'),
  };
}

/** What differs. An emptied field is removed. The BIC goes with its account. */
function changesOf(typed: Typed, before: Typed) {
  const changed = (field: keyof Typed): boolean => typed[field] !== before[field];
  const sent = REMOVABLE.filter(field => changed(field) || (field === 'bic' && changed('iban')));
  const valueOf = (field: Removable): string | null => {
    const text = typed[field].trim();
    return text === '' ? null : field === 'country' ? text.toUpperCase() : text;
  };
  const lines = typed.address_lines.split('\n').map(line => line.trim());
  return {
    ...(changed('name') && { name: typed.name.trim() }),
    ...(changed('address_lines') && { address_lines: lines.filter(line => line !== '') }),
    ...Object.fromEntries(sent.map(field => [field, valueOf(field)])),
  };
}

/** How many of a shown unit are 1 of the API: floors are shown as percentages. */
const TERMS = { payout_fee: 1, payout_free_above: 1, overload_floor: 100, overload_floor_least: 100 } as const;
type Term = keyof typeof TERMS;
const TERM_NAMES = Object.keys(TERMS) as Term[]; // the keys of the constant

function TermsForm({ stored }: { stored: Stored }): ReactElement {
  const mayWrite = useMayWrite('payments');
  const before = termsOf(stored);
  const [typed, setTyped] = useState(before);
  const changed = TERM_NAMES.filter(name => typed[name] !== before[name]);
  const save = useSave(async api => {
    const body = Object.fromEntries(changed.map(name => [name, Number(typed[name]) / TERMS[name]]));
    setTyped(termsOf(await api.patch('/v1/operator/details', { body })));
  });
  const faults = fieldErrors(save.error);
  return (
    <Card title={t('operatorTerms.title')} note={t('operatorTerms.note')} isWide>
      <SavedForm
        title={t('operatorTerms.title')}
        isDirty={changed.length > 0}
        mayWrite={mayWrite}
        save={save}
        faults={faults}
      >
        <div className="fields">
          {TERM_NAMES.map(name => (
            <Field
              key={name}
              label={t(`operatorTerms.${name}`)}
              type="number"
              min={0}
              max={TERMS[name] === 1 ? undefined : TERMS[name]}
              step={TERMS[name] === 1 ? 0.01 : 1}
              value={typed[name]}
              onChange={event => setTyped({ ...typed, [name]: event.target.value })}
              error={faults[name]}
              required
            />
          ))}
        </div>
      </SavedForm>
    </Card>
  );
}

function termsOf(stored: Stored): Record<Term, string> {
  const terms = TERM_NAMES.map(name => [name, String(Math.round(stored[name] * TERMS[name] * 100) / 100)]);
  return Object.fromEntries(terms) as Record<Term, string>; // made of each of its keys
}
