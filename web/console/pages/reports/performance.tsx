/**
 * A measure of campaigns over the days that somebody chooses, beside the days before, and the figures as a file. A
 * whole flight is added up, and projected to its end while it runs.
 */
import { useState, type ReactElement, type ReactNode } from 'react';
import { day, viewerZone, type Money } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { flightLines, linesOf, MEASURES, type Measure } from './lines.ts';
import { OverTime } from './over-time.tsx';
import { CustomDays, PresetTabs } from './range-choice.tsx';
import { daysAfter, daysBefore, daysOf, groupOf, localDay, PRESETS, type Days, type Preset } from './ranges.ts';
import type { ReportQuestion, UseReport } from './report.ts';

export type PerformanceOptions = {
  starts: string | null;
  ends: string | null;
  /** Of a campaign that is live: what it spends at most, if anything. Absent: nothing is projected. */
  live?: { budget: Money | null };
  /** What time it is, in ms since 1970; absent: by the browser's clock. */
  present?: number | undefined;
  useReport: UseReport<never>;
  /** What follows the card, of the same days. */
  children?: (range: ReportQuestion<never>) => ReactNode;
};

export function Performance(options: PerformanceOptions): ReactElement {
  const { starts, ends, live, present, useReport, children } = options;
  const today = localDay(present);
  const isOver = ends !== null && ends.slice(0, 10) < today;
  const [preset, setPreset] = useState<Preset>(isOver ? 'flight' : 'week');
  const [custom, setCustom] = useState<Days>();
  const [measure, setMeasure] = useState<Measure>('spend');
  const [isCompared, setCompared] = useState(true);
  const isFlight = preset === 'flight';
  const days = daysOf(preset, { today, flight: { starts, ends }, custom });
  const range = { ...days, group: groupOf(days), tz: viewerZone() };
  const now = useReport(range);
  const before = useReport({ ...range, ...daysBefore(days) }, isCompared && !isFlight);
  const ahead = live && ends !== null && range.group === 'day' ? daysAfter(days.to, ends.slice(0, 10)) : [];
  return (
    <>
      <Card title={t('performance.title')} note={`${day(days.from)} – ${day(days.to)}`} isWide>
        <div className="filters">
          <PresetTabs presets={PRESETS} chosen={preset} onChoose={setPreset} />
          <Tabs
            label={t('performance.measure')}
            tabs={MEASURES.map(value => ({ value, text: t(`campaign.${value}`) }))}
            chosen={measure}
            onChoose={setMeasure}
          />
        </div>
        {preset === 'custom' && <CustomDays days={custom ?? days} today={today} onChoose={setCustom} />}
        <Answered of={now}>
          {report => (
            <OverTime
              report={report}
              lines={
                isFlight
                  ? flightLines(report, { measure, ahead, budget: live?.budget })
                  : linesOf(report, { measure, before: isCompared ? before.data : undefined })
              }
              measure={measure}
              fileName={`${days.from}--${days.to}`}
            >
              {!isFlight && (
                <label className="check">
                  <input type="checkbox" checked={isCompared} onChange={event => setCompared(event.target.checked)} />
                  {t('performance.compare')}
                </label>
              )}
            </OverTime>
          )}
        </Answered>
      </Card>
      {children?.(range)}
    </>
  );
}
