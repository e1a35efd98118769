/** The deliveries of a webhook: what was sent, how each attempt was answered, and sending it again. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useChange, useList } from '../../api/api.ts';
import { clockTime, count, moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Age } from '../../ui/time/age.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useFilter } from '../../ui/views/filters.ts';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { Fault } from '../../ui/states.tsx';

type Delivery = RecordOf<'/v1/webhooks/{id}/deliveries'>;
const STATUSES = ['failed', 'pending', 'delivered'] as const;

export function Deliveries({ id, mayWrite }: { id: string; mayWrite: boolean }): ReactElement {
  const [shown, setShown] = useFilter('status', ['all', ...STATUSES]);
  const list = useList(
    ['webhook', id, 'deliveries', shown],
    (api, page, signal) =>
      api.get('/v1/webhooks/{id}/deliveries', {
        path: { id },
        query: { ...page, ...(shown !== 'all' && { status: shown }) },
        signal,
      }),
    { isLive: true },
  );
  const tabs = [
    { value: 'all', text: t('filter.all') } as const,
    ...STATUSES.map(value => ({ value, text: term('delivery', value) })),
  ];
  return (
    <>
      <Tabs label={t('filter.status')} tabs={tabs} chosen={shown} onChoose={setShown} />
      <ListTable
        of={list}
        empty={{ title: t('deliveries.none'), hint: t('deliveries.noneHint') }}
        isFiltered={shown !== 'all'}
        lines={4}
        label={t('deliveries.title')}
        columns={useMemo(() => columns({ id, mayWrite }), [id, mayWrite])}
        keyOf={delivery => delivery.id}
      />
    </>
  );
}

function columns({ id, mayWrite }: { id: string; mayWrite: boolean }): Column<Delivery>[] {
  return [
    {
      head: t('deliveries.event'),
      cell: ({ event, created_at: at }) => (
        <>
          <code className="breaks">{event.type}</code>
          <div className="muted small">
            <Age at={at} />
          </div>
        </>
      ),
    },
    {
      head: t('filter.status'),
      cell: ({ status, failure }) => (
        <>
          <Status of={status} group="delivery" />
          {failure !== null && <div className="muted small">{term('deliveryFailure', failure)}</div>}
        </>
      ),
    },
    { head: t('deliveries.answer'), cell: delivery => <Answers delivery={delivery} />, isWide: true },
    {
      head: t('deliveries.again'),
      cell: delivery => mayWrite && delivery.status !== 'pending' && <Again id={id} delivery={delivery} />,
      isFigure: true,
    },
  ];
}

/** The last answer; all of them when it is opened. */
function Answers({ delivery: { attempts, next_attempt_at: next } }: { delivery: Delivery }): ReactElement {
  const last = attempts.at(-1);
  if (!last) return <span className="muted">{t('deliveries.waits')}</span>;
  return (
    <details>
      <summary>
        {answerOf(last)}
        <span className="muted small"> {t('deliveries.attempts', { count: count(attempts.length) })}</span>
      </summary>
      <ol className="small muted">
        {attempts.map(attempt => (
          <li key={attempt.at}>
            {clockTime(attempt.at)}: {answerOf(attempt)}
          </li>
        ))}
      </ol>
      {next !== null && <p className="small muted">{t('deliveries.next', { at: moment(next) })}</p>}
    </details>
  );
}

function answerOf({ status, error, duration_ms: ms }: Delivery['attempts'][number]): string {
  const said = status === null ? term('deliveryError', error ?? 'connection_failed') : `HTTP ${status}`;
  return t('deliveries.in', { answer: said, ms: count(ms) });
}

function Again({ id, delivery }: { id: string; delivery: Delivery }): ReactElement {
  const again = useChange(api =>
    api.post('/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', { path: { id, delivery_id: delivery.id } }),
  );
  return (
    <>
      <Button
        aria-label={t('deliveries.sendAgainOf', { event: delivery.event.type, at: clockTime(delivery.created_at) })}
        isBusy={again.isPending}
        onClick={() => again.mutate()}
      >
        {t('deliveries.sendAgain')}
      </Button>
      <Fault error={again.error} />
    </>
  );
}
