/** When a plan plays, and for how much. */
import type { ReactElement } from 'react';
import { smallestAmount } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Choices, Field } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { PER_HOUR_MAX, WEEKDAYS, type Weekday } from './plan.ts';
import type { PlanPartOptions } from './plan-part.ts';

export function When({ plan, change, faultAt, isDraft }: PlanPartOptions): ReactElement {
  return (
    <Card title={t('booking.when')} note={t('booking.whenNote')}>
      <Days plan={plan} change={change} faultAt={faultAt} isDraft={isDraft} />
      <Choices
        label={t('booking.days')}
        hint={t('booking.daysHint')}
        options={WEEKDAYS.map(day => ({ value: day, text: term('weekday', day) }))}
        chosen={plan.days}
        onChange={days => change({ days: WEEKDAYS.filter((day: Weekday) => days.includes(day)) })}
        error={faultAt('/targets/days')}
      />
      <div className="fields">
        <Field
          label={t('booking.budget', { currency: plan.currency })}
          type="number"
          min={smallestAmount(plan.currency)}
          step={smallestAmount(plan.currency)}
          value={Number.isNaN(plan.amount) ? '' : plan.amount}
          onChange={event => change({ amount: event.target.valueAsNumber })}
          hint={t('booking.budgetHint')}
          error={faultAt('/budget')}
          required={!isDraft}
        />
        <Field
          label={t('booking.frequency')}
          type="number"
          min="1"
          max={PER_HOUR_MAX}
          step="1"
          value={Number.isNaN(plan.perHourMax) ? '' : plan.perHourMax}
          onChange={event => change({ perHourMax: event.target.valueAsNumber })}
          hint={t('booking.frequencyHint')}
          error={faultAt('/frequency')}
        />
      </div>
    </Card>
  );
}

function Days({ plan, change, faultAt, isDraft }: PlanPartOptions): ReactElement {
  return (
    <div className="fields">
      <Field
        label={t('booking.starts')}
        type="date"
        value={plan.starts}
        onChange={event => change({ starts: event.target.value })}
        error={faultAt('/schedule/starts')}
        required={!isDraft}
      />
      <Field
        label={t('booking.ends')}
        type="date"
        value={plan.ends}
        min={plan.starts}
        onChange={event => change({ ends: event.target.value })}
        error={faultAt('/schedule/ends')}
        required={!isDraft}
      />
      <Field
        label={t('booking.from')}
        type="time"
        step={900}
        value={plan.from}
        onChange={event => change({ from: event.target.value })}
        error={faultAt('/targets/daypart')}
        required={plan.to !== ''}
      />
      <Field
        label={t('booking.to')}
        type="time"
        step={900}
        value={plan.to}
        onChange={event => change({ to: event.target.value })}
        required={plan.from !== ''}
      />
    </div>
  );
}
