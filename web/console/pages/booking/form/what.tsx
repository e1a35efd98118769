/** The creatives of a plan, how often each is shown, and the target of a scan. */
import type { ReactElement } from 'react';
import { t } from '../../../text/text.ts';
import { Field } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { CreativeChoice } from './creative-choice.tsx';
import type { PlanPartOptions } from './plan-part.ts';
import { Rotation } from './rotation.tsx';

export type WhatOptions = PlanPartOptions & { hasWeights: boolean };

export function What({ plan, change, faultAt, hasWeights }: WhatOptions): ReactElement {
  return (
    <Card title={t('booking.what')}>
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
    </Card>
  );
}
