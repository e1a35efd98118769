/** The choice of the days that are shown: presets, or a first and a last day. */
import type { ReactElement } from 'react';
import { t } from '../../text/text.ts';
import { Field } from '../../ui/field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { localDay, type Days, type Preset } from './ranges.ts';

export type PresetTabsOptions<Choice extends Preset> = {
  presets: readonly Choice[];
  chosen: Choice;
  onChoose: (preset: Choice) => void;
};

export function PresetTabs<Choice extends Preset>({
  presets,
  chosen,
  onChoose,
}: PresetTabsOptions<Choice>): ReactElement {
  return (
    <Tabs
      label={t('performance.range')}
      tabs={presets.map(value => ({ value, text: t(`performance.range.${value}`) }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

/**
 * `days`: as they were typed. In order, the fields would change places while the digits of a year are typed.
 * `today`: the last day that may be chosen; absent: by the browser's clock.
 */
type CustomDaysOptions = { days: Days; today?: string; onChoose: (days: Days) => void };

export function CustomDays({ days, today = localDay(), onChoose }: CustomDaysOptions): ReactElement {
  const field = (name: keyof Days) => (
    <Field
      label={t(`performance.${name}`)}
      type="date"
      value={days[name]}
      max={today}
      onChange={event => event.target.value !== '' && onChoose({ ...days, [name]: event.target.value })}
    />
  );
  return (
    <div className="filters">
      {field('from')}
      {field('to')}
    </div>
  );
}
