/** Figures of venues that wait for the operator: those in force, those asked for, and what is usual for the type. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { counted, useList } from '../../../api/api.ts';
import { useMayWrite } from '../../../api/session.ts';
import { count, moment } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { textOfRanges, type Range } from '../../venues/hours-text.ts';
import { FiguresDialog, type FiguresDecision } from './figures-dialog.tsx';

type Review = RecordOf<'/v1/operator/venue-reviews'>;
type Figures = Review['figures']['in_force'];

/** The fields that can wait, in the order of the venue's page. */
const FIELDS = {
  type: 'venues.type',
  city: 'venues.city',
  lat: 'venues.lat',
  lng: 'venues.lng',
  timezone: 'venues.zone',
  opening_hours: 'hours.title',
  daily_visitors: 'venues.visitors',
  dwell_minutes: 'venues.dwell',
} as const;
type FigureField = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as FigureField[]; // the keys of the constant

/** Nothing at all if no figures wait: the page is about campaigns first. */
export function VenueFigures(): ReactElement | null {
  const list = useList(
    ['venue-reviews'],
    // The longest wait first.
    (api, page, signal) =>
      api.get('/v1/operator/venue-reviews', { query: { ...counted(page), sort: 'created_at' }, signal }),
    { isLive: true },
  );
  if (list.rows.length === 0) return null;
  return (
    <section className="stack">
      <h2>{t('figures.title')}</h2>
      <p className="muted">{t('figures.lead')}</p>
      {list.rows.map(review => (
        <FiguresCard key={review.venue_id} review={review} />
      ))}
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{t('table.more')}</Button>}
    </section>
  );
}

function FiguresCard({ review }: { review: Review }): ReactElement {
  const { venue_id: id, name, workspace, figures, limits } = review;
  // With the request as it was then: the page goes on reading while the dialog is open.
  const [open, setOpen] = useState<{ decision: FiguresDecision; requestedAt: string | undefined } | undefined>();
  const decide = (decision: FiguresDecision) => setOpen({ decision, requestedAt: figures.review?.requested_at });
  const mayDecide = useMayWrite('reviews');
  const pending: Partial<Figures> = figures.pending ?? {};
  const isPlausible = (field: FigureField) =>
    field === 'daily_visitors' || field === 'dwell_minutes' ? count(limits[field]) : '–';
  const asked = figures.review && moment(figures.review.requested_at);
  return (
    <Card title={name} note={[workspace.name, asked].filter(Boolean).join(', ')} isWide>
      <p className="notice is-wait">{figures.review?.reasons.map(reason => t(`figureReason.${reason}`)).join(' ')}</p>
      <div className="table-frame">
        <table aria-label={t('figures.title')}>
          <thead>
            <tr>
              <th scope="col">{t('figures.figure')}</th>
              <th scope="col">{t('figures.inForce')}</th>
              <th scope="col">{t('figures.asked')}</th>
              <th scope="col">{t('figures.plausible')}</th>
            </tr>
          </thead>
          <tbody>
            {FIELD_NAMES.filter(field => field in pending).map(field => (
              <tr key={field}>
                <th scope="row">{t(FIELDS[field])}</th>
                <td>{written(field, figures.in_force)}</td>
                <td>{written(field, pending)}</td>
                <td>{isPlausible(field)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {mayDecide && (
        <div className="row">
          <Button kind="primary" aria-label={t('reviews.approveOf', { name })} onClick={() => decide('approve')}>
            {t('reviews.approve')}
          </Button>
          <Button aria-label={t('reviews.rejectOf', { name })} onClick={() => decide('reject')}>
            {t('reviews.reject')}
          </Button>
        </div>
      )}
      {open && <FiguresDialog {...{ id, name, ...open }} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function written(field: FigureField, figures: Partial<Figures>): string {
  const value = figures[field];
  if (field === 'type') return term('venueType', String(value));
  if (field === 'opening_hours') return hoursText(value);
  return typeof value === 'number' && field !== 'lat' && field !== 'lng' ? count(value) : String(value);
}

/** Without hours a venue is always open. */
function hoursText(hours: unknown): string {
  if (hours === null || hours === undefined) return t('hours.always');
  const days = Object.entries(hours as Record<string, Range[]>); // as the API writes them
  return days.map(([day, ranges]) => `${term('weekday', day)} ${textOfRanges(ranges)}`).join('; ');
}
