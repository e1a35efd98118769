/** The creatives of a plan, its name and category, and the target of a scan. */
import type { ReactElement } from 'react';
import { t, term } from '../../../text/text.ts';
import { Field, SelectField } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { isRestricted, useCategories } from './categories.ts';
import { CreativeChoice } from './creative-choice.tsx';
import type { PlanPartOptions } from './plan-part.ts';
import { Rotation } from './rotation.tsx';
import { Sponsor } from './sponsor.tsx';

export type WhatOptions = PlanPartOptions & {
  /** Whether it is said how often each creative is shown: a booking begins with all of them alike. */
  hasWeights?: boolean;
  /** It was approved with its category. */
  isCategoryFixed?: boolean;
};

export function What({ plan, change, faultAt, isDraft, hasWeights, isCategoryFixed }: WhatOptions): ReactElement {
  return (
    <Card title={t('booking.what')}>
      <div className="fields">
        <Field
          label={t('booking.name')}
          value={plan.name}
          onChange={event => change({ name: event.target.value })}
          maxLength={200}
          error={faultAt('/name')}
          required
        />
        <Category
          plan={plan}
          change={change}
          faultAt={faultAt}
          isDraft={isDraft}
          isCategoryFixed={isCategoryFixed ?? false}
        />
      </div>
      <CreativeChoice
        chosen={plan.creatives.map(({ id }) => id)}
        onChange={ids =>
          change({ creatives: ids.map(id => plan.creatives.find(one => one.id === id) ?? { id, weight: 1 }) })
        }
        error={faultAt('/creatives')}
      />
      {hasWeights && plan.creatives.length > 1 && (
        <Rotation creatives={plan.creatives} onChange={creatives => change({ creatives })} faultAt={faultAt} />
      )}
      <Field
        label={t('booking.landing')}
        type="url"
        placeholder="https://"
        value={plan.landingUrl}
        onChange={event => change({ landingUrl: event.target.value })}
        hint={t('booking.landingHint')}
        error={faultAt('/landing_url')}
      />
      <Sponsor plan={plan} change={change} faultAt={faultAt} isDraft={isDraft} />
    </Card>
  );
}

function Category({ plan, change, faultAt, isDraft, isCategoryFixed }: PlanPartOptions & { isCategoryFixed: boolean }) {
  const all = useCategories();
  const open = all.filter(category => category.policy !== 'prohibited' || category.slug === plan.category);
  const hint = isCategoryFixed ? 'edit.categoryFixed' : 'booking.restricted';
  return (
    <SelectField
      label={t('terms.category')}
      value={plan.category}
      onChange={event => change({ category: event.target.value })}
      hint={isCategoryFixed || isRestricted(all, plan.category) ? t(hint) : undefined}
      error={faultAt('/category')}
      disabled={isCategoryFixed}
      required={!isDraft}
    >
      <option value="">{t('booking.choose')}</option>
      {open.map(({ slug }) => (
        <option key={slug} value={slug}>
          {term('category', slug)}
        </option>
      ))}
    </SelectField>
  );
}
