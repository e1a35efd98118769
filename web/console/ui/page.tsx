/** The head of a page and the cards on it. */
import { useEffect, type ReactElement, type ReactNode } from 'react';

export type PageOptions = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Page({ title, lead, actions, children }: PageOptions): ReactElement {
  useEffect(() => {
    document.title = `${title} · Marquee`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <div className="page-lead">{lead}</div>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export type CardOptions = { title?: string; note?: ReactNode; children: ReactNode; isWide?: boolean };

export function Card({ title, note, children, isWide = false }: CardOptions): ReactElement {
  return (
    <section className={isWide ? 'card is-wide' : 'card'}>
      {title !== undefined && (
        <header className="card-head">
          <h2>{title}</h2>
          {note !== undefined && <span className="muted small">{note}</span>}
        </header>
      )}
      {children}
    </section>
  );
}

export type FigureOptions = { label: string; value: ReactNode; note?: ReactNode };

/** One metric with its name and subject. */
export function Figure({ label, value, note }: FigureOptions): ReactElement {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note !== undefined && <dd className="figure-note">{note}</dd>}
    </div>
  );
}
