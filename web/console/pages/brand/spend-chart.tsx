/** Cumulative spend of today by hour, compared with an even delivery. */
import { useMemo, type ReactElement } from 'react';
import { roundMoney } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { TimeChart } from '../../ui/views/time-chart.tsx';
import type { CampaignDetail } from './pace.ts';

const HOUR_S = 3_600;

export function SpendChart({ campaign, now }: { campaign: CampaignDetail; now: number }): ReactElement {
  const { today } = campaign.pacing;
  const { currency } = campaign.spent;
  const points = useMemo(() => addUp(today, now), [today]);
  const { actual = 0, expected = 0 } = { actual: points.actual.at(-1), expected: points.expected.at(-1) };
  const format = (amount: number) => roundMoney({ amount, currency });
  return (
    <>
      <TimeChart
        label={t('campaign.chartLabel', { actual: format(actual), expected: format(expected) })}
        times={points.times}
        series={[
          { label: t('campaign.actual'), values: points.actual, kind: 'area' },
          { label: t('campaign.expected'), values: points.expected, kind: 'line' },
        ]}
        format={format}
      />
      <p className="legend">
        <span>
          {t('campaign.actual')}: {format(actual)}
        </span>
        <span className="is-line">
          {t('campaign.expected')}: {format(expected)}
        </span>
      </p>
    </>
  );
}

/** Sums since midnight; each hour's value is at its end, and the current hour's at the present moment. */
function addUp(hours: CampaignDetail['pacing']['today'], now: number) {
  const first = hours[0];
  const times = first ? [secondsOf(first.hour)] : [];
  const [actual, expected] = [first ? [0] : [], first ? [0] : []];
  for (const { hour, actual_spend: spent, expected_spend: planned } of hours) {
    times.push(Math.max(secondsOf(hour) + 1, Math.min(secondsOf(hour) + HOUR_S, now / 1_000)));
    actual.push((actual.at(-1) ?? 0) + spent.amount);
    expected.push((expected.at(-1) ?? 0) + planned.amount);
  }
  return { times, actual, expected };
}

function secondsOf(hour: string): number {
  return Date.parse(`${hour}Z`) / 1_000;
}
