/** The opening hours of a place by day: its screens request ads only in these hours. */
import { useState, type FormEvent, type ReactElement } from 'react';
import { faultAt } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Field } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Fault } from '../../ui/states.tsx';
import { rangesOfText, textOfRanges, type Range } from './hours-text.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Day = (typeof DAYS)[number];
/** As the API has them; a day that is absent is closed, and null is always open. */
export type Hours = Partial<Record<Day, Range[]>> | null;

export function HoursCard(props: { id: string; hours: Hours; mayWrite: boolean }): ReactElement {
  return (
    <Card title={t('hours.title')} note={t('hours.note')} isWide>
      <HoursForm key={JSON.stringify(props.hours)} {...props} />
    </Card>
  );
}

function HoursForm({ id, hours, mayWrite }: { id: string; hours: Hours; mayWrite: boolean }): ReactElement {
  const [isAlways, setAlways] = useState(hours === null);
  const [texts, setTexts] = useState(() => textsOf(hours));
  const save = useSave((api, opening_hours: Hours) =>
    api.patch('/v1/venues/{id}', { path: { id }, body: { opening_hours } }),
  );
  const before = textsOf(hours);
  const isDirty = isAlways !== (hours === null) || DAYS.some(day => texts[day] !== before[day]);
  const { warning } = useUnsaved(isDirty);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isAlways) return save.mutate(null);
    const read = DAYS.map(day => [day, rangesOfText(texts[day])] as const);
    if (read.every(([, ranges]) => ranges !== undefined))
      save.mutate(Object.fromEntries(read.filter(([, ranges]) => ranges!.length > 0)) as Hours);
  };
  return (
    <form className="stack" aria-label={t('hours.title')} onSubmit={submit}>
      {warning}
      <label className="check">
        <input
          type="checkbox"
          checked={isAlways}
          disabled={!mayWrite}
          onChange={event => setAlways(event.target.checked)}
        />
        {t('hours.always')}
      </label>
      {!isAlways && (
        <div className="fields">
          {DAYS.map(day => (
            <Field
              key={day}
              label={term('weekday', day)}
              value={texts[day]}
              placeholder={t('hours.closed')}
              readOnly={!mayWrite}
              onChange={event => setTexts({ ...texts, [day]: event.target.value })}
              error={
                rangesOfText(texts[day]) === undefined
                  ? t('hours.badRange')
                  : faultAt(save.error, `/opening_hours/${day}`)
              }
            />
          ))}
        </div>
      )}
      {DAYS.every(day => faultAt(save.error, `/opening_hours/${day}`) === undefined) && <Fault error={save.error} />}
      {mayWrite && (
        <span className="row">
          <Button type="submit" isBusy={save.isPending} disabled={!isDirty}>
            {t('hours.save')}
          </Button>
        </span>
      )}
    </form>
  );
}

function textsOf(hours: Hours): Record<Day, string> {
  return Object.fromEntries(DAYS.map(day => [day, textOfRanges(hours?.[day] ?? [])])) as Record<Day, string>;
}
