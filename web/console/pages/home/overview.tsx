/** The parts of each home: metrics with their change, problems, and the first steps of a workspace. */
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { count, percentChange } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card, Figure, Page } from '../../ui/page.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import type { Attention } from './attention.ts';
import type { Step } from './first-steps.ts';
import { changeOf, type Weeks } from './weeks.ts';

/** More are in the lists that the entries link. */
const ENTRIES_MAX = 8;

type Read = { isLoading: boolean; error: Error | null; refetch: () => unknown };
export type OverviewOptions = {
  /** The answers behind the page. */
  reads: readonly Read[];
  figures: ReactNode;
  /** What the figures leave out. */
  note?: string | undefined;
  attention: readonly Attention[];
  steps: readonly Step[];
};

export function Overview({ reads, figures, note, attention, steps }: OverviewOptions): ReactElement {
  const { me } = useSession();
  const failed = reads.find(({ error }) => error !== null);
  const isLoading = reads.some(read => read.isLoading);
  const isNew = steps.some(({ isDone }) => !isDone);
  return (
    <Page title={t('nav.home')} lead={me.workspace.name}>
      {failed?.error && (
        <ErrorState error={failed.error} onRetry={() => reads.forEach(read => read.error && void read.refetch())} />
      )}
      {isLoading ? (
        <Loading lines={6} />
      ) : (
        <>
          {isNew && <FirstSteps steps={steps} />}
          <dl className="figures">{figures}</dl>
          {note !== undefined && <p className="hint">{note}</p>}
          {!failed && <NeedsAttention entries={attention} />}
        </>
      )}
    </Page>
  );
}

/** A figure of the last seven days, with the seven days before it. */
export function WeekFigure({
  label,
  weeks,
  write,
}: {
  label: string;
  weeks: Weeks;
  write: (value: number) => string;
}): ReactElement {
  const change = changeOf(weeks);
  const note =
    change === undefined
      ? t('home.noneBefore')
      : t('home.before', { change: percentChange(change), before: write(weeks.before) });
  return <Figure label={label} value={write(weeks.now)} note={note} />;
}

function NeedsAttention({ entries }: { entries: readonly Attention[] }): ReactElement {
  const others = entries.length - ENTRIES_MAX;
  return (
    <Card title={t('home.attention')} isWide>
      {entries.length === 0 ? (
        <p className="muted">{t('home.allWell')}</p>
      ) : (
        <ul className="attention">
          {entries.slice(0, ENTRIES_MAX).map(({ key, tone, name, text, values, link }) => (
            <li key={key} className={`health is-${tone}`}>
              <Link {...link}>
                {name !== undefined && <strong>{name}</strong>}
                <span>{t(text, values)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {others > 0 && <p className="muted small">{t('home.more', { count: count(others) })}</p>}
    </Card>
  );
}

function FirstSteps({ steps }: { steps: readonly Step[] }): ReactElement {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Card
      title={t('home.firstSteps')}
      note={t('home.stepsDone', { done: count(done), all: count(steps.length) })}
      isWide
    >
      <ol className="steps">
        {steps.map(step => (
          <li key={step.text} className={step.isDone ? 'is-done' : undefined}>
            <span className="step-mark">{step.isDone && <Icon name="check" />}</span>
            <div>
              <strong>{t(step.text)}</strong>
              <span className="muted small">{step.isDone ? t('home.stepDone') : t(step.hint)}</span>
            </div>
            {!step.isDone && (
              <Link
                to={step.to}
                className={step === next ? 'button is-primary' : 'button'}
                aria-label={t('home.doStep', { step: t(step.text) })}
              >
                {t('home.open')}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
