/** The sponsor of political ads, and what their public notice says of the money and the vote. */
import type { ReactElement } from 'react';
import { t } from '../../../text/text.ts';
import { Field, SelectField } from '../../../ui/field.tsx';
import { FUNDING_ORIGINS, FUNDING_SOURCES, isPolitical, POLITICS } from './plan.ts';
import type { PlanPartOptions } from './plan-part.ts';

/** A person declares ads as political unless the category already implies it. */
export function Sponsor(options: PlanPartOptions): ReactElement {
  const { plan, change } = options;
  return (
    <>
      {plan.category !== POLITICS && (
        <>
          <label className="check">
            <input
              type="checkbox"
              checked={plan.isPolitical}
              onChange={event => change({ isPolitical: event.target.checked })}
            />
            {t('political.declare')}
          </label>
          <p className="muted small">{t('political.declareHint')}</p>
        </>
      )}
      {isPolitical(plan) && (
        <div className="fields">
          <Contact {...options} />
          <Money {...options} />
        </div>
      )}
    </>
  );
}

function Contact({ plan, change, faultAt }: PlanPartOptions): ReactElement {
  return (
    <>
      <Field
        label={t('political.sponsor')}
        value={plan.sponsorName}
        onChange={event => change({ sponsorName: event.target.value })}
        maxLength={100}
        hint={t('political.sponsorHint')}
        error={faultAt('/political/sponsor/name')}
        required
      />
      <Field
        label={t('political.controlledBy')}
        value={plan.controlledBy}
        onChange={event => change({ controlledBy: event.target.value })}
        maxLength={100}
        hint={t('political.controlledByHint')}
        error={faultAt('/political/controlled_by')}
      />
      <Field
        label={t('political.address')}
        value={plan.sponsorAddress}
        onChange={event => change({ sponsorAddress: event.target.value })}
        maxLength={300}
        hint={t('political.contactHint')}
        error={faultAt('/political/sponsor/address')}
      />
      <Field
        label={t('political.email')}
        type="email"
        value={plan.sponsorEmail}
        onChange={event => change({ sponsorEmail: event.target.value })}
        maxLength={320}
        error={faultAt('/political/sponsor/email')}
      />
      <Field
        label={t('political.process')}
        value={plan.process}
        onChange={event => change({ process: event.target.value })}
        maxLength={100}
        error={faultAt('/political/process')}
      />
      <Field
        label={t('political.processUrl')}
        type="url"
        placeholder="https://"
        value={plan.processUrl}
        onChange={event => change({ processUrl: event.target.value })}
        error={faultAt('/political/process_url')}
      />
    </>
  );
}

function Money({ plan, change, faultAt }: PlanPartOptions): ReactElement {
  return (
    <>
      <Field
        label={t('political.payer')}
        value={plan.payer}
        onChange={event => change({ payer: event.target.value })}
        maxLength={300}
        hint={t('political.payerHint')}
        error={faultAt('/political/payer')}
      />
      <SelectField
        label={t('political.source')}
        value={plan.fundingSource}
        onChange={event => change({ fundingSource: wordOf(FUNDING_SOURCES, event.target.value) })}
        error={faultAt('/political/funding_source')}
      >
        <option value="">{t('political.notStated')}</option>
        {FUNDING_SOURCES.map(word => (
          <option key={word} value={word}>
            {t(`political.source.${word}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('political.origin')}
        value={plan.fundingOrigin}
        onChange={event => change({ fundingOrigin: wordOf(FUNDING_ORIGINS, event.target.value) })}
        error={faultAt('/political/funding_origin')}
      >
        <option value="">{t('political.notStated')}</option>
        {FUNDING_ORIGINS.map(word => (
          <option key={word} value={word}>
            {t(`political.origin.${word}`)}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function wordOf<Word extends string>(words: readonly Word[], text: string): Word | '' {
  return words.find(word => word === text) ?? '';
}
