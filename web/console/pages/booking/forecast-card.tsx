/** The forecast of the plan as a live band, and the chance to spend the whole budget. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { compact, count, money, percent } from '../../text/format.ts';
import { sentence, t, term } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { Bar } from '../../ui/status.tsx';
import { usePaused } from '../../ui/time/use-paused.ts';
import { forecastOf, isForecastable, type Plan } from './form/plan.ts';

export type ForecastCardOptions = {
  plan: Plan;
  /** For an edit: the campaign, and the booked plan. */
  edited?: { id: string; before: Plan };
};

export function ForecastCard({ plan, edited }: ForecastCardOptions): ReactElement {
  const forecast = useForecast(plan, edited);
  const answer = forecast.data;
  const isWanted = isForecastable(plan);
  const isStartKept = edited?.before.starts === plan.starts;
  return (
    <Card title={t('forecast.title')} note={t(forecast.isFetching ? 'forecast.updating' : 'forecast.note')}>
      {forecast.error && <ErrorState error={forecast.error} />}
      {!answer && !forecast.error && isWanted && <Loading lines={4} />}
      {!answer && !isWanted && <p className="muted">{t('forecast.needs')}</p>}
      {answer && 'screens_eligible' in answer && (
        <div className="forecast" aria-live="polite" aria-busy={forecast.isFetching}>
          <p className="forecast-band">
            {compact(answer.impressions_low)} – {compact(answer.impressions_high)}
          </p>
          <p className="muted">{t(edited ? 'forecast.after' : 'forecast.impressions')}</p>
          {edited && <BandBefore edited={edited} />}
          <DailyCurve days={answer.pacing} />
          <dl className="facts">
            <Fact name={t('forecast.screens')} value={count(answer.screens_eligible)} />
            <Fact
              name={t('forecast.price')}
              value={`${money({ ...answer.rate, amount: answer.rate.amount * 1_000 })} ${t('terms.perThousand')}`}
            />
            <Fact name={t('forecast.fill')} value={percent(answer.fill_probability)} />
          </dl>
          <Bar share={answer.fill_probability} label={t('forecast.fill')} />
          {answer.warnings
            .filter(({ code }) => !isStartKept || code !== STARTED)
            .map(warning => (
              <p key={`${warning.code} ${warning.pointer}`} className="notice is-wait small">
                {warningText(warning, plan)}
              </p>
            ))}
        </div>
      )}
    </Card>
  );
}

/** The start of a running campaign is not news. */
const STARTED = 'starts_in_the_past';

function useForecast(plan: Plan, edited: ForecastCardOptions['edited']) {
  const question = usePaused(JSON.stringify(isForecastable(plan) ? forecastOf(plan, edited) : null));
  return useRead(
    ['forecast', question],
    (api, signal) => api.post('/v1/forecasts', { body: JSON.parse(question) as ReturnType<typeof forecastOf>, signal }),
    { isWanted: question !== 'null', keepsPrevious: true },
  );
}

/** The forecast without the changes, for comparison. */
function BandBefore({ edited }: { edited: NonNullable<ForecastCardOptions['edited']> }): ReactElement | null {
  const { data } = useForecast(edited.before, edited);
  if (!data) return null;
  const [low, high] = [compact(data.impressions_low), compact(data.impressions_high)];
  return <p className="muted small">{t('forecast.before', { low, high })}</p>;
}

type Warning = { pointer: string; code: string; detail: string };

function warningText({ pointer, code, detail }: Warning, { cities, venueTypes }: Plan): string {
  if (code === 'no_matching_screen') return t('forecast.nowhere');
  const at = Number(pointer.slice(pointer.lastIndexOf('/') + 1));
  const name = code === 'no_venue_of_type' ? term('venueType', venueTypes[at] ?? '') : (cities[at] ?? '');
  return sentence({ group: 'forecastWarning', code, text: detail }, { name });
}

function Fact({ name, value }: { name: string; value: string }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Impressions by day. */
function DailyCurve({ days }: { days: readonly { impressions_est: number }[] }): ReactElement | null {
  const most = Math.max(1, ...days.map(day => day.impressions_est));
  if (days.length === 0) return null;
  const width = 100 / days.length;
  return (
    <svg className="daily-curve" viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
      {days.map((day, index) => {
        const height = (day.impressions_est / most) * 30;
        return <rect key={index} x={index * width} y={30 - height} width={width * 0.8} height={height} />;
      })}
    </svg>
  );
}
