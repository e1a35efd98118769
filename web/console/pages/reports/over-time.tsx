/** A measure of a report as a chart with its sums, and as files. */
import { useRef, type ReactElement, type ReactNode } from 'react';
import { keepFile, keepPicture } from '../../api/keep-file.ts';
import { count, money, moment, percentChange, roundMoney, shortDay } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { TimeChart } from '../../ui/views/time-chart.tsx';
import { valueOf, type Lines, type Measure } from './lines.ts';
import { localDay } from './ranges.ts';
import type { Report } from './report.ts';

type OverTimeOptions = { report: Report; lines: Lines; measure: Measure; fileName: string; children: ReactNode };

export function OverTime({ report, lines, measure, fileName, children }: OverTimeOptions): ReactElement {
  const { currency } = report.totals.spend;
  const sum = valueOf(report.totals, measure);
  const write = (amount: number) => (measure === 'spend' ? money({ amount, currency }) : count(amount));
  const writeRounded = (amount: number) => (measure === 'spend' ? roundMoney({ amount, currency }) : count(amount));
  const name = t(`campaign.${measure}`);
  const chart = useRef<HTMLDivElement>(null);
  const isHourly = lines.buckets[0]?.includes('T') === true;
  const { beside } = lines;
  return (
    <>
      <div ref={chart}>
        <TimeChart
          key={isHourly ? 'hours' : 'days'}
          label={t('performance.chart', { measure: name, sum: write(sum) })}
          times={lines.buckets.map(secondsOf)}
          series={[
            { label: name, values: lines.values, kind: 'area' },
            ...(beside
              ? [{ label: t(`performance.${beside.kind}`), values: beside.values, kind: 'line' as const }]
              : []),
          ]}
          format={writeRounded}
          formatExact={write}
          {...(isHourly
            ? { formatPoint: (at: number) => moment(new Date(at).toISOString()) }
            : { formatTime: (at: number) => shortDay(localDay(at)) })}
        />
      </div>
      <div className="legend">
        <span>
          {name}: {write(sum)}
        </span>
        {beside && (
          <span className="is-line">
            {t(`performance.${beside.kind}`)}: {write(beside.sum)}
            {beside.kind === 'before' && beside.sum > 0 && ` (${percentChange((sum - beside.sum) / beside.sum)})`}
          </span>
        )}
      </div>
      <div className="row">
        {children}
        <Button onClick={() => keepFile(csvOf(report.series), { name: `${fileName}.csv`, type: 'text/csv' })}>
          {t('performance.csv')}
        </Button>
        <Button onClick={() => void keepPicture(chart.current!.querySelector('canvas')!, `${fileName}-${measure}.png`)}>
          {t('performance.png')}
        </Button>
      </div>
      <p className="muted small">{t(report.is_final ? 'report.final' : 'report.asOf', { at: moment(report.as_of) })}</p>
    </>
  );
}

function secondsOf(bucket: string): number {
  return Date.parse(bucket.includes('T') ? bucket : `${bucket}T00:00`) / 1_000;
}

/** The buckets as they are shown; none of their texts needs quotes. */
function csvOf(series: Report['series']): string {
  const rows = series.map(({ bucket, plays, impressions, scans, spend }) =>
    [bucket, plays, impressions, scans, spend.amount, spend.currency].join(),
  );
  return ['bucket,plays,impressions,scans,spend,currency', ...rows, ''].join('\r\n');
}
