/**
 * Whether the installation keeps its promises: alerts, the hourly consistency check, dead letters, and the jobs of the
 * workers.
 */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { ReactElement } from 'react';
import { useChange, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { Hindsight } from './hindsight.tsx';
import { Integrations } from './integrations.tsx';
import { Jobs } from './jobs.tsx';
import { ago, clockTime, count, moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Figure, Page } from '../../ui/page.tsx';
import { Answered, EmptyState, Fault } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useNow } from '../../ui/time/use-now.ts';

type OperationsStatus = AnswerOf<OperationOf<'/v1/operator/status', 'get'>>;
type Check = NonNullable<OperationsStatus['last_check']>;
type Group = AnswerOf<OperationOf<'/v1/operator/dead-letters', 'get'>>['groups'][number];
const SECONDS_PER_MINUTE = 60;

export function Operations(): ReactElement {
  const status = useRead(['operations'], (api, signal) => api.get('/v1/operator/status', { signal }), { isLive: true });
  return (
    <Page title={t('nav.operations')} lead={t('operations.lead')}>
      <Answered of={status} lines={8}>
        {answer => (
          <>
            <Alerts alerts={answer.alerts} />
            <Figures status={answer} />
            <div className="cards">
              <Invariants check={answer.last_check} />
              <DeadLetters />
            </div>
            <Jobs />
            <Hindsight />
            <Integrations />
          </>
        )}
      </Answered>
    </Page>
  );
}

function Alerts({ alerts }: Pick<OperationsStatus, 'alerts'>): ReactElement {
  if (alerts.length === 0) return <p className="notice is-good">{t('operations.well')}</p>;
  return (
    <ul className="stack" aria-label={t('operations.alerts')}>
      {alerts.map(({ code, count: number }) => (
        <li key={code} className={code === 'webhooks_disabled' ? 'notice is-wait' : 'notice is-bad'}>
          {t(`alert.${code}`, { count: count(code === 'plays_behind' ? number / SECONDS_PER_MINUTE : number) })}
        </li>
      ))}
    </ul>
  );
}

function Figures({ status }: { status: OperationsStatus }): ReactElement {
  const now = useNow();
  const { as_of: asOf, screens, reviews_waiting: reviews, batches_waiting: batches } = status;
  return (
    <dl className="figures">
      <Figure
        label={t('operations.reports')}
        value={ago(asOf, now)}
        note={t('operations.reportsNote', { time: clockTime(asOf) })}
      />
      <Figure
        label={t('operations.online')}
        value={count(screens.online)}
        note={t('operations.offline', { count: count(screens.offline) })}
      />
      <Figure label={t('operations.reviews')} value={count(reviews)} />
      <Figure label={t('operations.batches')} value={count(batches)} note={t('operations.batchesNote')} />
    </dl>
  );
}

function Invariants({ check }: { check: Check | null }): ReactElement {
  if (!check)
    return (
      <Card title={t('operations.invariants')}>
        <EmptyState title={t('operations.unchecked')} hint={t('operations.uncheckedHint')} />
      </Card>
    );
  return (
    <Card title={t('operations.invariants')} note={t('operations.checkedAt', { at: moment(check.ended_at) })}>
      <ul className="periods">
        {check.invariants.map(({ name, breaches }) => (
          <li key={name}>
            <Status of={breaches === 0 ? 'held' : 'broken'} group="invariantState" />
            <span className="fill">
              <strong>{term('invariant', name)}</strong>
              {breaches > 0 && <span className="muted"> {t('operations.breaches', { count: count(breaches) })}</span>}
            </span>
          </li>
        ))}
      </ul>
      <Found title={t('operations.found')} lines={check.breaches.map(lineOf)} />
      <Found title={t('operations.notChecked')} lines={check.unchecked} />
    </Card>
  );
}

function lineOf({
  invariant,
  campaign_id: campaign,
  workspace_id: workspace,
  detail,
}: Check['breaches'][number]): string {
  return [term('invariant', invariant), campaign ?? workspace, detail].filter(part => part !== null).join(', ');
}

function Found({ title, lines }: { title: string; lines: readonly string[] }): ReactElement | null {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>
        {title} ({count(lines.length)})
      </summary>
      <ul className="losers breaks">
        {lines.map((line, at) => (
          <li key={`${at} ${line}`}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

function DeadLetters(): ReactElement {
  const letters = useRead(['dead-letters'], (api, signal) => api.get('/v1/operator/dead-letters', { signal }), {
    isLive: true,
  });
  return (
    <Card
      title={t('letters.title')}
      note={letters.data && t('letters.waiting', { count: count(letters.data.waiting) })}
    >
      <Answered of={letters}>
        {({ groups }) =>
          groups.length === 0 ? (
            <EmptyState title={t('letters.none')} hint={t('letters.noneHint')} />
          ) : (
            <ul className="periods">
              {groups.map(group => (
                <LetterGroup key={`${group.kind} ${group.step} ${group.reason}`} group={group} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}

function LetterGroup({ group }: { group: Group }): ReactElement {
  const { kind, step, reason, count: number, oldest_at: since } = group;
  const mayWrite = useMayWrite('operations');
  const retry = useChange(api => api.post('/v1/operator/dead-letters/retry', { body: { step, reason } }));
  return (
    <li>
      <span className="breaks">
        <strong>{t(`letters.of.${kind}`, { count: count(number) })}</strong>{' '}
        <span className="muted">{t('letters.failed', { step, reason, at: moment(since) })}</span>
      </span>
      {mayWrite && (
        <Button aria-label={t('letters.retryOf', { reason })} isBusy={retry.isPending} onClick={() => retry.mutate()}>
          {t('letters.retry')}
        </Button>
      )}
      {retry.data && (
        <span role="status" className="muted small">
          {t('letters.retried', { retried: count(retry.data.retried), unreadable: count(retry.data.unreadable) })}
        </span>
      )}
      <Fault error={retry.error} />
    </li>
  );
}
