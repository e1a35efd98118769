/** Events of the payment provider that could not be read. Nothing is shown while there are none. */
import type { ReactElement } from 'react';
import { useRead } from '../../../api/api.ts';
import { moment } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Card } from '../../../ui/page.tsx';
import { Answered } from '../../../ui/states.tsx';

export function UnreadableEvents(): ReactElement {
  const read = useRead(['payment-events'], (api, signal) => api.get('/v1/operator/payment-events', { signal }));
  return (
    <Answered of={read} lines={2}>
      {({ events }) =>
        events.length > 0 && (
          <Card title={t('paymentEvents.title')} note={t('paymentEvents.note')} isWide>
            <ul className="periods">
              {events.map(({ id, type, reason, received_at: at }) => (
                <li key={id}>
                  <span className="fill breaks">
                    {type ?? t('paymentEvents.unknown')} <span className="muted small">{id}</span>
                    <div className="muted small">{term('paymentEventReason', reason)}</div>
                  </span>
                  <span className="muted small">{moment(at)}</span>
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </Answered>
  );
}
