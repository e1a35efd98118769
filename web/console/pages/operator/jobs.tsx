/** The scheduled jobs of the workers: each with its last and next round, and a button to run it now. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { useChange, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { ago, count, hourOfDay, viewerZone } from '../../text/format.ts';
import { t, textOf } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState, Fault } from '../../ui/states.tsx';
import { useNow } from '../../ui/time/use-now.ts';

type Job = AnswerOf<OperationOf<'/v1/operator/jobs', 'get'>>['jobs'][number];

/** A sooner round needs no time of day. */
const SOON_MS = 60_000;

export function Jobs(): ReactElement {
  const jobs = useRead(['jobs'], (api, signal) => api.get('/v1/operator/jobs', { signal }), { isLive: true });
  return (
    <Card title={t('jobs.title')} note={`${t('jobs.note')}; ${t('time.zone', { zone: viewerZone() })}`} isWide>
      <Answered of={jobs}>
        {answer =>
          answer.jobs.length === 0 ? (
            <EmptyState title={t('jobs.none')} hint={t('jobs.noneHint')} />
          ) : (
            <Summary jobs={answer.jobs} />
          )
        }
      </Answered>
    </Card>
  );
}

/** The failed jobs, and the others on request. */
function Summary({ jobs }: { jobs: readonly Job[] }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const failed = jobs.filter(job => job.last_round !== null && job.last_round.fault !== null);
  const shown = isOpen ? jobs : failed;
  return (
    <>
      <div className="row">
        <p className={`health is-${failed.length === 0 ? 'good' : 'bad'}`}>
          {t('jobs.summary', { count: count(jobs.length), failed: count(failed.length) })}
        </p>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'jobs.hide' : 'jobs.show')}
        </Button>
      </div>
      {shown.length > 0 && <JobList jobs={shown} />}
    </>
  );
}

function JobList({ jobs }: { jobs: readonly Job[] }): ReactElement {
  const now = useNow();
  const mayWrite = useMayWrite('operations');
  return (
    <ul className="periods">
      {jobs.map(job => (
        <li key={job.name}>
          <div className="fill breaks">
            <code>{job.name}</code> {textOf('job', job.name)}
            <div className="muted small">
              {factsOf(job, now).join(' · ')}
              {job.last_round && <Result round={job.last_round} />}
            </div>
          </div>
          {mayWrite && job.can_run && <RunNow job={job} />}
        </li>
      ))}
    </ul>
  );
}

/** When it ran, how long that took, and when it runs next. */
function factsOf(job: Job, now: number): string[] {
  const { last_round: last } = job;
  return [
    `${t('jobs.last')}: ${last ? ago(last.ended_at, now) : t('jobs.never')}`,
    ...(last ? [`${t('jobs.took')}: ${t('jobs.milliseconds', { count: count(last.took_ms) })}`] : []),
    `${t('jobs.next')}: ${nextOf(job, now)}`,
  ];
}

function Result({ round: { did, fault } }: { round: NonNullable<Job['last_round']> }): ReactElement {
  if (fault !== null) return <p className="field-error">{t('jobs.failed', { fault })}</p>;
  return <> · {did === 0 ? t('jobs.idle') : t('jobs.did', { count: count(did) })}</>;
}

function nextOf({ asked_at: asked, next_at: next }: Job, now: number): string {
  if (asked !== null) return t('jobs.asked');
  if (next === null) return t('jobs.never');
  return Date.parse(next) - now < SOON_MS ? t('jobs.now') : hourOfDay(Date.parse(next));
}

function RunNow({ job: { name, asked_at: asked } }: { job: Job }): ReactElement {
  const run = useChange(api => api.post('/v1/operator/jobs/{name}/run', { path: { name } }));
  return (
    <>
      <Button
        aria-label={t('jobs.runOf', { name })}
        isBusy={run.isPending}
        disabled={asked !== null}
        onClick={() => run.mutate()}
      >
        {t('jobs.run')}
      </Button>
      <Fault error={run.error} />
    </>
  );
}
