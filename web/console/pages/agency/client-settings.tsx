/** How a client is billed, whether its campaigns wait for the agency, and whether it lends itself to a case study. */
import { useState, type ReactElement } from 'react';
import { fieldErrors } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { useSave } from '../../ui/feedback/save.ts';
import { SavedForm } from '../../ui/feedback/saved-form.tsx';
import { Card } from '../../ui/page.tsx';
import type { Client } from './risk.ts';

type Approval = Client['approval'] | null;

export function ClientSettings({ client, mayWrite }: { client: Client; mayWrite: boolean }): ReactElement {
  const before = {
    name: client.name,
    billing_model: client.billing_model ?? 'pass-through',
    approval: client.inherited.includes('approval') ? null : client.approval,
    case_study: client.case_study,
  };
  const [fields, setFields] = useState(before);
  const set = (changed: Partial<typeof before>) => setFields({ ...fields, ...changed });
  const save = useSave(api => api.patch('/v1/agency/clients/{id}', { path: { id: client.id }, body: fields }));
  const isDirty = JSON.stringify(fields) !== JSON.stringify(before);
  const errors = fieldErrors(save.error);
  return (
    <Card title={t('clients.settings')}>
      <SavedForm title={t('clients.settings')} isDirty={isDirty} mayWrite={mayWrite} save={save} faults={errors}>
        <Field
          label={t('clients.name')}
          value={fields.name}
          onChange={event => set({ name: event.target.value })}
          maxLength={200}
          error={errors['name']}
          required
        />
        <SelectField
          label={t('clients.billing')}
          value={fields.billing_model}
          onChange={event =>
            set({ billing_model: event.target.value === 'agency-billed' ? 'agency-billed' : 'pass-through' })
          }
          hint={t('clients.billingHint')}
        >
          <option value="pass-through">{t('billing.pass-through')}</option>
          <option value="agency-billed">{t('billing.agency-billed')}</option>
        </SelectField>
        <ApprovalChoice approval={fields.approval} onChange={approval => set({ approval })} />
        <label className="check">
          <input
            type="checkbox"
            checked={fields.case_study}
            onChange={event => set({ case_study: event.target.checked })}
          />
          {t('clients.caseStudy')}
        </label>
      </SavedForm>
    </Card>
  );
}

type ApprovalChoiceOptions = { approval: Approval; onChange: (approval: Approval) => void };

function ApprovalChoice({ approval, onChange }: ApprovalChoiceOptions): ReactElement {
  return (
    <SelectField
      label={t('clients.approval')}
      value={approval ?? ''}
      onChange={event => onChange(approvalOf(event.target.value))}
    >
      <option value="">{t('clients.approval.inherited')}</option>
      <option value="none">{t('clients.approval.none')}</option>
      <option value="agency">{t('clients.approval.agency')}</option>
    </SelectField>
  );
}

function approvalOf(value: string): Approval {
  return value === 'agency' || value === 'none' ? value : null;
}
