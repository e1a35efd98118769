/** The weights of a campaign's creatives in the rotation. */
import type { ReactElement } from 'react';
import { useRead } from '../../../api/api.ts';
import { percent } from '../../../text/format.ts';
import { t } from '../../../text/text.ts';
import { Field } from '../../../ui/field.tsx';
import type { InRotation } from './plan.ts';
import type { PlanPartOptions } from './plan-part.ts';

const WEIGHT_MAX = 1_000;

export type RotationOptions = Pick<PlanPartOptions, 'faultAt'> & {
  creatives: readonly InRotation[];
  onChange: (creatives: InRotation[]) => void;
};

export function Rotation({ creatives, onChange, faultAt }: RotationOptions): ReactElement {
  const all = creatives.reduce((sum, { weight }) => sum + (Number.isNaN(weight) ? 0 : weight), 0);
  return (
    <fieldset className="choices">
      <legend>{t('rotation.title')}</legend>
      <p className="hint">{t('rotation.hint')}</p>
      <div className="fields">
        {creatives.map((one, at) => (
          <Weight
            key={one.id}
            of={one}
            share={all === 0 ? 0 : one.weight / all}
            onChange={weight => onChange(creatives.map(other => (other === one ? { ...one, weight } : other)))}
            error={faultAt(`/creatives/${at}`)}
          />
        ))}
      </div>
    </fieldset>
  );
}

type WeightOptions = { of: InRotation; share: number; onChange: (weight: number) => void; error: string | undefined };

function Weight({ of: { id, weight }, share, onChange, error }: WeightOptions): ReactElement {
  const { data } = useRead(['creative', id], (api, signal) => api.get('/v1/creatives/{id}', { path: { id }, signal }));
  return (
    <Field
      label={t('rotation.weight', { name: data?.name ?? id })}
      type="number"
      min="1"
      max={WEIGHT_MAX}
      step="1"
      value={Number.isNaN(weight) ? '' : weight}
      onChange={event => onChange(event.target.valueAsNumber)}
      hint={Number.isNaN(share) ? undefined : t('rotation.share', { share: percent(share) })}
      error={error}
      required
    />
  );
}
