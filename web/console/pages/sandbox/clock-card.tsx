/** The clock of the sandbox: its time, and advancing it. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { FormEvent, ReactElement } from 'react';
import { messageOf, useChange, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';

type Clock = AnswerOf<OperationOf<'/v1/sandbox/clock', 'get'>>;

const HOUR_MS = 3_600_000;
/** By how much the clock is advanced; the API takes 31 days at most. */
const STEPS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 31 * 24 * HOUR_MS } as const;
type Step = keyof typeof STEPS;

export function ClockCard(): ReactElement {
  const clock = useRead(['sandbox clock'], (api, signal) => api.get('/v1/sandbox/clock', { signal }), { isLive: true });
  return (
    <Card title={t('sandbox.clock')} note={clock.data && t(stateOf(clock.data).text, stateOf(clock.data).values)}>
      <Answered of={clock}>
        {answer => (
          <div className="stack">
            <dl className="facts">
              <div>
                <dt>{t('sandbox.now')}</dt>
                <dd>{moment(answer.now, 'UTC')}</dd>
              </div>
              <div>
                <dt>{t('sandbox.plays')}</dt>
                <dd>{count(answer.plays)}</dd>
              </div>
            </dl>
            {answer.stopped_by !== null && <p className="notice is-wait">{t('sandbox.stopped')}</p>}
            <Advance clock={answer} />
          </div>
        )}
      </Answered>
    </Card>
  );
}

function stateOf({ status, target }: Clock) {
  return status === 'ready' || target === null
    ? ({ text: 'sandbox.state.ready', values: {} } as const)
    : ({ text: 'sandbox.state.advancing', values: { time: moment(target, 'UTC') } } as const);
}

function Advance({ clock: { now, status } }: { clock: Clock }): ReactElement | null {
  const advance = useChange((api, to: string) => api.post('/v1/sandbox/clock/advance', { body: { to } }));
  if (!useMayWrite('sandbox')) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const step = String(new FormData(event.currentTarget).get('step')) as Step;
    advance.mutate(new Date(Date.parse(now) + STEPS[step]).toISOString());
  };
  return (
    <form className="filters" onSubmit={submit}>
      <SelectField
        label={t('sandbox.to')}
        name="step"
        hint={t('sandbox.clockHint')}
        error={advance.error ? messageOf(advance.error) : undefined}
      >
        {(Object.keys(STEPS) as Step[]).map(step => (
          <option key={step} value={step}>
            {t(`sandbox.${step}`)}
          </option>
        ))}
      </SelectField>
      <Button kind="primary" type="submit" isBusy={advance.isPending} disabled={status === 'advancing'}>
        {t('sandbox.advance')}
      </Button>
    </form>
  );
}
