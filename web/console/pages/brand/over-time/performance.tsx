/** A metric of a campaign over chosen days, compared with the days before, and the metrics as a file. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../../api/api.ts';
import { keepFile } from '../../../api/keep-file.ts';
import { count, day, money, moment, percentChange, roundMoney, shortDay, viewerZone } from '../../../text/format.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { Answered } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { TimeChart } from '../../../ui/views/time-chart.tsx';
import type { CampaignDetail } from '../pace.ts';
import { besides, daysBefore, daysOf, groupOf, PRESETS, type Days, type Preset } from './ranges.ts';

const MEASURES = ['spend', 'plays', 'impressions', 'scans'] as const;
type Measure = (typeof MEASURES)[number];
type Report = AnswerOf<OperationOf<'/v1/reporting/campaigns/{id}', 'get'>>;
type Bucket = Report['series'][number];

export function Performance({ campaign }: { campaign: CampaignDetail }): ReactElement {
  const { id, starts, ends } = campaign;
  const [preset, setPreset] = useState<Preset>('week');
  const [custom, setCustom] = useState<Days>();
  const [measure, setMeasure] = useState<Measure>('spend');
  const [isCompared, setCompared] = useState(true);
  const days = daysOf(preset, { today: localDay(), flight: { starts, ends }, custom });
  const now = useReport(id, days, true);
  const before = useReport(id, daysBefore(days), isCompared);
  return (
    <Card title={t('performance.title')} note={`${day(days.from)} – ${day(days.to)}`} isWide>
      <div className="filters">
        <Tabs
          label={t('performance.range')}
          tabs={PRESETS.map(value => ({ value, text: t(`performance.range.${value}`) }))}
          chosen={preset}
          onChoose={setPreset}
        />
        <Tabs
          label={t('performance.measure')}
          tabs={MEASURES.map(value => ({ value, text: t(`campaign.${value}`) }))}
          chosen={measure}
          onChoose={setMeasure}
        />
      </div>
      {preset === 'custom' && <CustomDays days={days} onChoose={setCustom} />}
      <Answered of={now}>
        {report => (
          <Shown report={report} before={isCompared ? before.data : undefined} measure={measure}>
            <label className="check">
              <input type="checkbox" checked={isCompared} onChange={event => setCompared(event.target.checked)} />
              {t('performance.compare')}
            </label>
            <Button
              onClick={() => keepFile(csvOf(report.series), { name: `${days.from}--${days.to}.csv`, type: 'text/csv' })}
            >
              {t('performance.csv')}
            </Button>
          </Shown>
        )}
      </Answered>
    </Card>
  );
}

function useReport(id: string, days: Days, isWanted: boolean) {
  const query = { ...days, group: groupOf(days), tz: viewerZone() };
  return useRead(
    ['report', id, 'over', query],
    (api, signal) => api.get('/v1/reporting/campaigns/{id}', { path: { id }, query, signal }),
    { isLive: true, isHeavy: true, isWanted, keepsPrevious: true },
  );
}

function CustomDays({ days, onChoose }: { days: Days; onChoose: (days: Days) => void }): ReactElement {
  const field = (name: keyof Days) => (
    <Field
      label={t(`performance.${name}`)}
      type="date"
      value={days[name]}
      max={localDay()}
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

type ShownOptions = { report: Report; before: Report | undefined; measure: Measure; children: ReactNode };

function Shown({ report, before, measure, children }: ShownOptions): ReactElement {
  const { series, totals } = report;
  const values = series.map(bucket => valueOf(bucket, measure));
  const write = writerOf(measure, totals.spend.currency);
  const sum = valueOf(totals, measure);
  const sumBefore = before && valueOf(before.totals, measure);
  const isHourly = series[0]?.bucket.includes('T') === true;
  return (
    <>
      <TimeChart
        key={isHourly ? 'hours' : 'days'}
        label={t('performance.chart', { measure: t(`campaign.${measure}`), sum: write(sum) })}
        times={series.map(({ bucket }) => Date.parse(bucket.includes('T') ? bucket : `${bucket}T00:00`) / 1_000)}
        series={[
          { label: t(`campaign.${measure}`), values, kind: 'area' },
          ...(before
            ? [
                {
                  label: t('performance.before'),
                  values: besides(
                    series,
                    before.series.map(bucket => valueOf(bucket, measure)),
                  ),
                  kind: 'line' as const,
                },
              ]
            : []),
        ]}
        format={amount =>
          measure === 'spend' ? roundMoney({ amount, currency: totals.spend.currency }) : count(amount)
        }
        {...(!isHourly && { formatTime: (at: number) => shortDay(localDay(at)) })}
      />
      <div className="legend">
        <span>
          {t(`campaign.${measure}`)}: {write(sum)}
        </span>
        {sumBefore !== undefined && (
          <span className="is-line">
            {t('performance.before')}: {write(sumBefore)}
            {sumBefore > 0 && ` (${percentChange((sum - sumBefore) / sumBefore)})`}
          </span>
        )}
      </div>
      <div className="row">{children}</div>
      <p className="muted small">{t('report.asOf', { at: moment(report.as_of) })}</p>
    </>
  );
}

function valueOf(figures: Pick<Bucket, Measure>, measure: Measure): number {
  return measure === 'spend' ? figures.spend.amount : figures[measure];
}

function writerOf(measure: Measure, currency: string): (value: number) => string {
  return measure === 'spend' ? amount => money({ amount, currency }) : count;
}

/** The buckets as they are shown; none of their texts needs quotes. */
function csvOf(series: readonly Bucket[]): string {
  const rows = series.map(({ bucket, plays, impressions, scans, spend }) =>
    [bucket, plays, impressions, scans, spend.amount, spend.currency].join(),
  );
  return ['bucket,plays,impressions,scans,spend,currency', ...rows, ''].join('\r\n');
}

/** The date in the person's time zone. */
function localDay(at = Date.now()): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
