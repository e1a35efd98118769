/** The delivery of each day compared with the maximum, and the causes of the difference. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { day, percent } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';

type Day = AnswerOf<OperationOf<'/v1/operator/hindsight', 'get'>>['days'][number];

const PARTS = ['idle', 'misallocated', 'capped', 'late_booked'] as const;
/** Two weeks: each weekday appears twice. */
const DAYS_SHOWN = 14;

export function Hindsight(): ReactElement {
  const hindsight = useRead(['hindsight'], (api, signal) => api.get('/v1/operator/hindsight', { signal }));
  return (
    <Card title={t('hindsight.title')} note={t('hindsight.note')}>
      <Answered of={hindsight}>
        {({ days }) =>
          days.length === 0 ? (
            <EmptyState title={t('hindsight.none')} hint={t('hindsight.noneHint')} />
          ) : (
            <Days days={days.slice(0, DAYS_SHOWN)} />
          )
        }
      </Answered>
    </Card>
  );
}

function Days({ days }: { days: readonly Day[] }): ReactElement {
  return (
    <>
      <div className="table-frame">
        <table aria-label={t('hindsight.title')}>
          <thead>
            <tr>
              <th scope="col">{t('hindsight.day')}</th>
              <th scope="col" className="is-figure">
                {t('hindsight.delivered')}
              </th>
              {PARTS.map(part => (
                <th key={part} scope="col" className="is-figure">
                  {t(`hindsight.${part}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(one => (
              <tr key={one.day}>
                <th scope="row">
                  {day(one.day)}
                  {!one.is_final && <span className="muted small"> {t('hindsight.open')}</span>}
                </th>
                <td className="is-figure">{percent(one.delivered / one.bound, 1)}</td>
                {PARTS.map(part => (
                  <td key={part} className="is-figure">
                    {percent(one[part] / one.bound, 1)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="muted small">
        {PARTS.map(part => (
          <li key={part}>
            <strong>{t(`hindsight.${part}`)}</strong>: {t(`hindsight.${part}Means`)}
          </li>
        ))}
      </ul>
    </>
  );
}
