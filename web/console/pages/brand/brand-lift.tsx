/** The brand lift of a campaign: answers of exposed and unexposed people, by question. */
import type { RecordOf } from '@marquee/sdk';
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { count, percent, tenths } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import type { CampaignDetail } from './pace.ts';

type Lift = RecordOf<'/v1/reporting/brand-lift'>;
const QUESTIONS = ['awareness', 'recall', 'intent'] as const;
type Measured = Lift[(typeof QUESTIONS)[number]];
const PERCENT = 100;

export function BrandLift({
  campaign: { id, brand_lift: isMeasured },
}: {
  campaign: CampaignDetail;
}): ReactElement | null {
  const lift = useRead(
    ['brand lift', id],
    (api, signal) => api.get('/v1/reporting/brand-lift', { query: { campaign_id: id }, signal }),
    { isWanted: isMeasured },
  );
  if (!isMeasured) return null;
  return (
    <Card title={t('lift.title')} note={t('lift.note')}>
      <Answered of={lift}>
        {({ data: [record] }) =>
          record === undefined || QUESTIONS.every(question => sampleOf(record[question]) === 0) ? (
            <EmptyState title={t('lift.none')} hint={t('lift.noneHint')} />
          ) : (
            <Rows lift={record} />
          )
        }
      </Answered>
    </Card>
  );
}

function sampleOf({ exposed, control }: Measured): number {
  return exposed.sample + control.sample;
}

function Rows({ lift }: { lift: Lift }): ReactElement {
  return (
    <div className="table-frame">
      <table aria-label={t('lift.title')}>
        <thead>
          <tr>
            <th scope="col">{t('lift.question')}</th>
            <th scope="col" className="is-figure is-wide">
              {t('lift.exposed')}
            </th>
            <th scope="col" className="is-figure is-wide">
              {t('lift.control')}
            </th>
            <th scope="col" className="is-figure">
              {t('lift.delta')}
            </th>
          </tr>
        </thead>
        <tbody>
          {QUESTIONS.map(question => {
            const { exposed, control } = lift[question];
            return (
              <tr key={question}>
                <td>{t(`lift.question.${question}`)}</td>
                <Share of={exposed} />
                <Share of={control} />
                <td className="is-figure">
                  <Delta of={lift[question]} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Share({ of: { rate, sample } }: { of: Measured['exposed'] }): ReactElement {
  return (
    <td className="is-figure is-wide">
      {rate === null ? '–' : percent(rate, 1)}
      <div className="muted small">{t('lift.sample', { count: count(sample) })}</div>
    </td>
  );
}

function Delta({ of: { delta, confidence_interval: interval, significant } }: { of: Measured }): ReactElement {
  if (delta === null || interval === null) return <>–</>;
  return (
    <>
      {t('lift.points', { points: points(delta) })}
      <div className="muted small">
        {t('lift.interval', { low: points(interval.low), high: points(interval.high) })}
      </div>
      <div className={`health is-${significant ? 'good' : 'quiet'}`}>
        {significant ? t('lift.significant', { level: percent(interval.level) }) : t('lift.insignificant')}
      </div>
    </>
  );
}

/** Percentage points with their sign. */
function points(share: number): string {
  const value = tenths(share * PERCENT);
  return share > 0 ? `+${value}` : value;
}
