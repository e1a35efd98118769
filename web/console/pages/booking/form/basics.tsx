/** The name of a plan, its category, and whose political ads it shows. */
import type { ReactElement } from 'react';
import { t, term } from '../../../text/text.ts';
import { Field, SelectField } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { isRestricted, useCategories } from './categories.ts';
import type { PlanPartOptions } from './plan-part.ts';
import { Sponsor } from './sponsor.tsx';

/** `isCategoryFixed`: the campaign was approved with its category. */
export type BasicsOptions = PlanPartOptions & { isCategoryFixed: boolean };

export function Basics(options: BasicsOptions): ReactElement {
  const { plan, change, faultAt } = options;
  return (
    <Card title={t('booking.basics')}>
      <div className="fields">
        <Field
          label={t('booking.name')}
          value={plan.name}
          onChange={event => change({ name: event.target.value })}
          maxLength={200}
          error={faultAt('/name')}
          required
        />
        <Category {...options} />
      </div>
      <Sponsor {...options} />
    </Card>
  );
}

function Category({ plan, change, faultAt, isDraft, isCategoryFixed }: BasicsOptions) {
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
