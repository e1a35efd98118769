/** The empty, loading and error states of a page: each says what to do. */
import { MarqueeError } from '@marquee/sdk';
import type { ReactElement, ReactNode } from 'react';
import { messageOf } from '../api/api.ts';
import { t } from '../text/text.ts';
import { Button } from './button.tsx';

export type EmptyStateOptions = { title: string; hint?: string; children?: ReactNode };

export function EmptyState({ title, hint, children }: EmptyStateOptions): ReactElement {
  return (
    <div className="empty">
      {children && <ListSketch />}
      <p className="empty-title">{title}</p>
      {hint !== undefined && <p className="muted">{hint}</p>}
      {children}
    </div>
  );
}

/** Rows as they will be, beside the button that makes the first one. */
function ListSketch(): ReactElement {
  return (
    <svg className="empty-sketch" viewBox="0 0 168 76" aria-hidden="true">
      {[0, 1, 2].map(row => (
        <g key={row} opacity={1 - row * 0.3} transform={`translate(0 ${row * 26})`}>
          <rect x="0.5" y="0.5" width="167" height="22" rx="6" className="empty-row" />
          <circle cx="13" cy="11.5" r="5" />
          <rect x="26" y="8.5" width={[64, 48, 56][row]} height="6" rx="3" />
          <rect x="132" y="8.5" width="26" height="6" rx="3" className="empty-mark" />
        </g>
      ))}
    </svg>
  );
}

export type ErrorStateOptions = { error: unknown; onRetry?: () => void };

export function ErrorState({ error, onRetry }: ErrorStateOptions): ReactElement {
  return (
    <div className="notice is-bad" role="alert">
      <p>
        <strong>{t('error.title')}</strong> {messageOf(error)}
      </p>
      {onRetry && <Button onClick={onRetry}>{t('error.retry')}</Button>}
    </div>
  );
}

/** Beside the button that was pressed: why its change was not carried out. */
export function Fault({ error }: { error: unknown }): ReactElement | null {
  if (error === null || error === undefined) return null;
  return (
    <span className="field-error" role="alert">
      {messageOf(error)}
    </span>
  );
}

export type FailureOptions = ErrorStateOptions & {
  /** On a page about one record: the link to the list, in case the record does not exist. */
  list?: ReactElement | undefined;
};

/** An error. Retrying a missing record does not help; its list does. */
export function Failure({ error, list, onRetry }: FailureOptions): ReactElement {
  const isAbsent = list !== undefined && error instanceof MarqueeError && error.is('not_found');
  return isAbsent ? <Absent list={list} /> : <ErrorState error={error} {...(onRetry && { onRetry })} />;
}

function Absent({ list }: { list: ReactElement }): ReactElement {
  return (
    <EmptyState title={t('error.absent')} hint={t('error.absentHint')}>
      {list}
    </EmptyState>
  );
}

/** For the router: a page that failed as it was drawn. */
export function PageError({ error, reset }: { error: unknown; reset: () => void }): ReactElement {
  return <ErrorState error={error} onRetry={reset} />;
}

/** Grey placeholder bars for content. */
export function Loading({ lines = 3 }: { lines?: number }): ReactElement {
  return (
    <div className="skeleton" role="status" aria-label={t('state.loading')}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

export type Asked<Answer> = { data: Answer | undefined; error: Error | null; refetch: () => unknown };
export type AnswerOptions<Answer> = Pick<FailureOptions, 'list'> & {
  of: Asked<Answer>;
  lines?: number;
  children: (answer: Answer) => ReactNode;
};

/** An answer once loaded; an error together with the previous answer. */
export function Answered<Answer>({ of, list, lines, children }: AnswerOptions<Answer>): ReactElement {
  return (
    <>
      {of.error && <Failure error={of.error} list={list} onRetry={() => void of.refetch()} />}
      {of.data === undefined ? !of.error && <Loading lines={lines ?? 3} /> : children(of.data)}
    </>
  );
}
